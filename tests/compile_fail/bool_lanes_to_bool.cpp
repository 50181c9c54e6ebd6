// Lanes may differ, so an ordinary if cannot branch on them.
// expect-error: Bool is one value per lane: If, While, Choose; && is AndAlso or &, || is OrElse or |
// expect-errors: 1
#include <lockstep/lanes/lanes.hpp>

int branch(lockstep::Lanes<bool, 8> condition) {
#ifdef MUST_FAIL
  if (condition) return 1;
#else
  if (condition.mask().any_lane()) return 1;
#endif
  return 0;
}
