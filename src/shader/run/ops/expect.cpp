#include <cstring>

#include <lockstep/exec/tangled_state.hpp>

#include "shader/run/ops/chunk.hpp"
#include "shader/run/ops/find.hpp"

/// \file
/// Expectations of accesses and values. What does not hold is reported; the access itself goes on as without checks.

namespace lockstep::spirv {
namespace {

template <class T>
T number_of(const Inst* i, const Context& c, int lane) {
  T value;
  const std::size_t at = i->varying(0) ? static_cast<std::size_t>(lane) * sizeof(T) : 0;
  std::memcpy(&value, c.regs + i->a + at, sizeof value);
  return value;
}

/// One access of the same for all lanes is one of the first lane.
Mask<128> accessing_lanes(const Inst* i, const Context& c) {
  const Mask<128> active = c.state.active;
  return i->varying(0) || !active.any_lane() ? active : Mask<128>::lane(active.first());
}

template <class T>
const Inst* expect_index(const Inst* i, Context& c) {
  if (op_of(c, i).as<Expectation>().first) c.reported = {};
  const Mask<128> lanes = accessing_lanes(i, c);
  for_each_lane(lanes, [&](int lane) {
    const T index = number_of<T>(i, c, lane);
    if (index < i->imm || c.reported.test(lane)) return;
    note_index_outside(c, i, index, lane);
  });
  return i + 1;
}

template <class T>
const Inst* expect_alignment(const Inst* i, Context& c) {
  const auto& op = op_of(c, i);
  const auto& expected = op.as<Expectation>();
  if (op.src.empty()) {
    const std::uint64_t byte = expected.place.offset;
    if (byte % i->imm != 0 && c.state.active.any_lane())
      note_misaligned(c, i, byte, c.state.active.first());
    return i + 1;
  }
  const std::uint64_t stride = expected.has_address ? 1 : expected.place.stride;
  for_each_lane(accessing_lanes(i, c), [&](int lane) {
    const std::uint64_t byte = number_of<T>(i, c, lane) * stride + expected.place.offset;
    if (byte % i->imm != 0) note_misaligned(c, i, byte, lane);
  });
  return i + 1;
}

/// The second operand holds where the value is not the same in the lane's tangle.
const Inst* expect_uniform(const Inst* i, Context& c) {
  const Mask<128> lanes = c.state.active & get_mask(c.regs + i->b);
  if (lanes.any_lane()) [[unlikely]]
    note_not_uniform(c, i, to_lane_set(lanes));
  return i + 1;
}

const Inst* expect_assumption(const Inst* i, Context& c) {
  const Mask<128> lanes = c.state.active.without(get_mask(c.regs + i->a));
  if (lanes.any_lane()) [[unlikely]]
    note_false_assumption(c, i, to_lane_set(lanes));
  return i + 1;
}

}  // namespace

Run find_expect(const Expectation& expected, bool is_wide) {
  switch (expected.kind) {
    case Expectation::Kind::index:
      return is_wide ? expect_index<std::uint64_t> : expect_index<std::uint32_t>;
    case Expectation::Kind::alignment:
      return is_wide ? expect_alignment<std::uint64_t> : expect_alignment<std::uint32_t>;
    case Expectation::Kind::assumption:
      return expect_assumption;
    case Expectation::Kind::uniform:
      break;
  }
  return expect_uniform;
}

}  // namespace lockstep::spirv
