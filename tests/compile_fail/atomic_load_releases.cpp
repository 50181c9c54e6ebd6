// A load has nothing to release.
// expect-error: atomicLoad cannot release
#include <lockstep/workgroup/scoped_atomics.hpp>

using namespace lockstep;

#ifdef MUST_FAIL
constexpr auto order = gl_SemanticsRelease;
#else
constexpr auto order = gl_SemanticsAcquire;
#endif

auto peek(Array<int, 8> a) {
  return atomicLoad(a[0], gl_ScopeDevice, gl_StorageSemanticsBuffer, order);
}
