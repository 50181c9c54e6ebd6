// Plain assignment would write inactive lanes too.
// expect-error: use of deleted function
// expect-error: overload resolution selected deleted operator '='
#include <lockstep/lanes/lanes.hpp>

auto add_one(lockstep::Lanes<int, 8> value) {
#ifdef MUST_FAIL
  value = value + 1;
  return value;
#else
  return value + 1;
#endif
}
