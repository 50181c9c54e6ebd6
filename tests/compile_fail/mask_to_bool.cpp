// A mask has one bit per lane: the kernel must say any_lane() or all_lanes().
// expect-error: deleted function
#include <lockstep/lanes/mask.hpp>

int branch(lockstep::Mask<32> active) {
#ifdef MUST_FAIL
  if (active) return 1;
#else
  if (active.any_lane()) return 1;
#endif
  return 0;
}
