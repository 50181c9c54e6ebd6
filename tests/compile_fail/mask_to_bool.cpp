// A mask is W answers, not one: the kernel must say which question it asks.
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
