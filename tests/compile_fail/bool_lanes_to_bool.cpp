// Lanes may differ, so an ordinary if cannot branch on them.
// expect-error: deleted function
#include <lockstep/lanes/lanes.hpp>

int branch(lockstep::Lanes<bool, 8> condition) {
#ifdef MUST_FAIL
  if (condition) return 1;
#else
  if (condition.mask().any_lane()) return 1;
#endif
  return 0;
}
