// Atomics cannot update read-only memory.
// expect-error: atomics take memory that can be written
// expect-line: 5
#include <lockstep/workgroup/atomics.hpp>

#ifdef MUST_FAIL
using T = const int;
#else
using T = int;
#endif

auto count(lockstep::Array<T, 8> a) { return atomicAdd(a[0], 1); }
