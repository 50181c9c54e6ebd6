// GLSL has no bit operations on floating point.
// expect-error: no match for 'operator&'
// expect-error: invalid operands to binary expression
#include <lockstep/lanes/lanes.hpp>

#ifdef MUST_FAIL
using T = float;
#else
using T = int;
#endif

auto common_bits(lockstep::Lanes<T, 8> a, lockstep::Lanes<T, 8> b) { return a & b; }
