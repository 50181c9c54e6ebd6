#include "shader/run/ops/find.hpp"
#include "shader/run/ops/wide.hpp"

/// \file
/// Counters of a shader's work.

namespace lockstep::spirv {
namespace {

/// The active lanes that count, where the bool at `at` says so.
Mask<128> counted(const Context& c, CountedLanes lanes, std::uint32_t at) {
  switch (lanes) {
    case CountedLanes::active:
      break;
    case CountedLanes::others:
      return c.state.active.without(get_mask(c.regs + at));
    case CountedLanes::that_hold:
      return c.state.active & get_mask(c.regs + at);
  }
  return c.state.active;
}

const Inst* count(const Inst* i, Context& c) {
  const LaneSet lanes = to_lane_set(counted(c, static_cast<CountedLanes>(i->c), i->a));
  Count& count = c.counts[i->imm];
  count.times += lanes.any_lane() ? 1 : 0;
  count.lanes += static_cast<std::uint64_t>(lanes.count());
  return i + 1;
}

const Inst* count_split(const Inst* i, Context& c) {
  const Mask<128> lanes = counted(c, static_cast<CountedLanes>(i->c), i->b);
  const Mask<128> holds = get_mask(c.regs + i->a);
  count_divergence(c, lanes & holds, lanes.without(holds));
  return i + 1;
}

}  // namespace

Run find_count(Code code) { return code == Code::count ? count : count_split; }

}  // namespace lockstep::spirv
