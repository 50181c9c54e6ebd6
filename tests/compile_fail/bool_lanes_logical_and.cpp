// && cannot short-circuit per lane.
// expect-error: use of deleted function
// expect-error: overload resolution selected deleted operator '&&'
#include <lockstep/lanes/lanes.hpp>

auto both(lockstep::Lanes<bool, 8> a, lockstep::Lanes<bool, 8> b) {
#ifdef MUST_FAIL
  return a && b;
#else
  return a & b;
#endif
}
