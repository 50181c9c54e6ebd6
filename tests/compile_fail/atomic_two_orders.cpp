// One order per access: both at once are spelt AcquireRelease.
// expect-error: at most one of gl_SemanticsAcquire
// expect-line: 6
#include <lockstep/workgroup/scoped_atomics.hpp>

using namespace lockstep;

#ifdef MUST_FAIL
constexpr auto order = gl_SemanticsRelease | gl_SemanticsAcquire;
#else
constexpr auto order = gl_SemanticsRelease | gl_SemanticsMakeAvailable;
#endif

auto add(Array<int, 8> a) {
  return atomicAdd(a[0], 1, gl_ScopeDevice, gl_StorageSemanticsBuffer, order);
}
