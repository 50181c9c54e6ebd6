// A writeonly image cannot be read.
// expect-error: imageLoad reads, and this image is writeonly
#include <lockstep/glsl/kernel.hpp>

#include <lockstep/glsl/image.hpp>

using namespace lockstep;

struct Kernels : Kernel<FastMachine<8>> {
  LOCKSTEP_GLSL(FastMachine<8>);
#ifdef MUST_FAIL
  using Source = writeonly<image2D>;
#else
  using Source = readonly<image2D>;
#endif
};

auto texel(const Kernels::Source& image, Vec<int, 2, 8> p) { return imageLoad(image, p); }
