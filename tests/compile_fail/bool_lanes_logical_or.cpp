// || cannot short-circuit per lane.
// expect-error: use of deleted function
// expect-error: attempt to use a deleted function
#include <lockstep/lanes/lanes.hpp>

auto either(lockstep::Lanes<bool, 8> a, lockstep::Lanes<bool, 8> b) {
#ifdef MUST_FAIL
  return a || b;
#else
  return a | b;
#endif
}
