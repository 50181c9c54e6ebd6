// || would treat a whole mask as one bool.
// expect-error: use of deleted function
// expect-error: overload resolution selected deleted operator '||'
#include <lockstep/lanes/mask.hpp>

auto either(lockstep::Mask<32> a, lockstep::Mask<32> b) {
#ifdef MUST_FAIL
  return a || b;
#else
  return a | b;
#endif
}
