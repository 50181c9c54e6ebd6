#include "spirv/exec/ops/lane_values.hpp"

#include <cstring>

#include "spirv/exec/ops/wide.hpp"

namespace lockstep::spirv {
namespace {

LaneValues::Type type_of(Scalar s) {
  using Type = LaneValues::Type;
  constexpr Type types[] = {Type::boolean, Type::int8,    Type::int16,   Type::int32,
                            Type::int64,   Type::uint8,   Type::uint16,  Type::uint32,
                            Type::uint64,  Type::float16, Type::float32, Type::float64};
  return types[static_cast<int>(s)];
}

}  // namespace

LaneValues lane_values(const Context& c, std::span<const Slot> slots, Scalar type) {
  LaneValues values{type_of(type), static_cast<int>(slots.size()), {}};
  values.bits.reserve(static_cast<std::size_t>(c.size) * slots.size());
  for (int lane = 0; lane < c.size; ++lane) {
    for (const Slot& slot : slots) {
      std::uint64_t bits = 0;
      if (type == Scalar::boolean)
        bits = get_mask(c.regs + slot.at).test(lane) ? 1 : 0;
      else
        std::memcpy(
            &bits,
            c.regs + slot.at + (slot.varying ? static_cast<std::size_t>(lane) * size_of(type) : 0),
            size_of(type));
      values.bits.push_back(bits);
    }
  }
  return values;
}

}  // namespace lockstep::spirv
