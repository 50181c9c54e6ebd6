#include "shader/run/ops/chosen_order.hpp"

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
  for (const int lane : atomic_order(chooser, where(c, i), to_lane_set(all), targets)) {
    c.state.active = Mask<128>::lane(lane);
    run(&inner, c);
  }
  c.state.active = all;
}

}  // namespace lockstep::spirv
