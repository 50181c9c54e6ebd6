#include "shader/run/ops/lane_values.hpp"

#include <cstring>

#include "shader/run/ops/wide.hpp"

namespace lockstep::spirv {
namespace {

LaneValues::Type type_of(Scalar s) {
  using Type = LaneValues::Type;
  constexpr Type types[] = {Type::boolean, Type::int8,    Type::int16,   Type::int32,
                            Type::int64,   Type::uint8,   Type::uint16,  Type::uint32,
                            Type::uint64,  Type::float16, Type::float32, Type::float64};
  return types[static_cast<int>(s)];
}

/// Every `step`-th of the words gets a lane's number of so many bytes.
template <std::size_t bytes>
void read_lanes(const Context& c, const Slot& slot, std::uint64_t* to, std::size_t step) {
  const std::size_t stride = slot.varying ? bytes : 0;
  const std::byte* from = c.regs + slot.at;
  for (int lane = 0; lane < c.size; ++lane, from += stride, to += step) {
    std::uint64_t number = 0;
    std::memcpy(&number, from, bytes);
    *to = number;
  }
}
void read_mask(const Context& c, const Slot& slot, std::uint64_t* to, std::size_t step) {
  const Mask<128> mask = get_mask(c.regs + slot.at);
  for (int lane = 0; lane < c.size; ++lane, to += step) *to = mask.test(lane) ? 1 : 0;
}

}  // namespace

void read_lane_values(const Context& c, std::span<const Slot> slots, Scalar type,
                      LaneValues& values) {
  values.type = type_of(type);
  values.components = static_cast<int>(slots.size());
  values.bits.resize(static_cast<std::size_t>(c.size) * slots.size());
  for (std::size_t k = 0; k < slots.size(); ++k) {
    std::uint64_t* const to = values.bits.data() + k;
    if (type == Scalar::boolean)
      read_mask(c, slots[k], to, slots.size());
    else if (size_of(type) == 4)
      read_lanes<4>(c, slots[k], to, slots.size());
    else if (size_of(type) == 8)
      read_lanes<8>(c, slots[k], to, slots.size());
    else if (size_of(type) == 2)
      read_lanes<2>(c, slots[k], to, slots.size());
    else
      read_lanes<1>(c, slots[k], to, slots.size());
  }
}

LaneValues lane_values(const Context& c, std::span<const Slot> slots, Scalar type) {
  LaneValues values;
  read_lane_values(c, slots, type, values);
  return values;
}

}  // namespace lockstep::spirv
