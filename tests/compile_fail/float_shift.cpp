// GLSL has no shifts of floating point.
// expect-error: no match for 'operator<<'
// expect-error: invalid operands to binary expression
#include <lockstep/lanes/lanes.hpp>

#ifdef MUST_FAIL
using T = float;
#else
using T = int;
#endif

auto shifted(lockstep::Lanes<T, 8> a) { return a << a; }
