// Conversions that lose values must be explicit, as in GLSL.
// expect-error: could not convert
// expect-error: no viable conversion
#include <lockstep/lanes/lanes.hpp>

lockstep::Lanes<int, 8> truncated(lockstep::Lanes<float, 8> value) {
#ifdef MUST_FAIL
  return value;
#else
  return lockstep::Lanes<int, 8>(value);
#endif
}
