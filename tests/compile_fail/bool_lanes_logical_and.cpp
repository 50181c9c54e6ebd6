// && cannot short-circuit per lane.
// expect-error: Bool is one value per lane: If, While, Choose; && is AndAlso or &, || is OrElse or |
// expect-errors: 1
#include <lockstep/lanes/lanes.hpp>

auto both(lockstep::Lanes<bool, 8> a, lockstep::Lanes<bool, 8> b) {
#ifdef MUST_FAIL
  return a && b;
#else
  return a & b;
#endif
}
