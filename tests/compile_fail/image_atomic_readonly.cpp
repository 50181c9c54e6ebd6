// GLSL's atomics take images without qualifiers, even those that only read.
// expect-error: atomics take images that are neither readonly nor writeonly
// expect-line: 4
#include <lockstep/glsl/kernel.hpp>

#include <lockstep/glsl/image.hpp>

using namespace lockstep;

struct Kernels : Kernel<FastMachine<8>> {
  LOCKSTEP_GLSL(FastMachine<8>);
#ifdef MUST_FAIL
  using Counters = readonly<uimage2D>;
#else
  using Counters = uimage2D;
#endif
};

auto count(const Kernels::Counters& image, Vec<int, 2, 8> p) {
  return imageAtomicLoad(image, p, gl_ScopeDevice, gl_StorageSemanticsImage, gl_SemanticsAcquire);
}
