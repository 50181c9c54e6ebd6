#include "spirv/exec/ops/chosen_order.hpp"

#include <utility>

#include <lockstep/exec/tangled_state.hpp>

namespace lockstep::spirv {

bool yields_before(const Inst* i, Context& c) {
  Chooser* chooser = chooser_for(c, Choice::subgroup_order);
  if (chooser == nullptr || std::exchange(c.yielded_at, nullptr) == i || !others_ready(c))
    return false;
  if (chooser->choose(2, where(c, i), Choice::subgroup_order) == 0) return false;
  c.yielded_at = c.next = i;
  c.stop = Context::Stop::yield;
  return true;
}

void run_in_chosen_order(const Inst* i, Context& c, Chooser& chooser, Run run, const Inst& inner,
                         const std::array<AtomicTarget, 128>& targets) {
  const Mask<128> all = c.state.active;
  const auto run_lanes = [&](const Mask<128>& lanes) {
    c.state.active = lanes;
    run(&inner, c);
  };
  for (Mask<128> left = all; left.any_lane();) {
    const AtomicTarget& target = targets[static_cast<std::size_t>(left.first())];
    Mask<128> same;
    for_each_lane(left, [&](int lane) {
      if (targets[static_cast<std::size_t>(lane)] == target) same = same | Mask<128>::lane(lane);
    });
    left = left.without(same);
    for (int count = same.count(); count > 1; --count) {
      auto skipped =
          chooser.choose(static_cast<std::uint32_t>(count), where(c, i), Choice::atomic_order);
      Mask<128> from = same;
      for (; skipped > 0; --skipped) from = from.without(from.lowest());
      run_lanes(from.lowest());
      same = same.without(from.lowest());
    }
    run_lanes(same);
  }
  c.state.active = all;
}

}  // namespace lockstep::spirv
