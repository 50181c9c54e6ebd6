// GLSL has no bitwise atomics on floats.
// expect-error: atomicAnd, Or and Xor for int, uint, int64_t and uint64_t
// expect-line: 4
#include <lockstep/workgroup/atomics.hpp>

#ifdef MUST_FAIL
using T = float;
#else
using T = int;
#endif

auto clear_bits(lockstep::Array<T, 8> a) { return atomicAnd(a[0], T(1)); }
