// A readonly image cannot be written.
// expect-error: imageStore writes, and this image is readonly
#include <lockstep/glsl/kernel.hpp>

#include <lockstep/glsl/image.hpp>

using namespace lockstep;

struct Kernels : Kernel<FastMachine<8>> {
  LOCKSTEP_GLSL(FastMachine<8>);
#ifdef MUST_FAIL
  using Target = readonly<image2D>;
#else
  using Target = writeonly<image2D>;
#endif
};

void clear(const Kernels::Target& image, Vec<int, 2, 8> p) {
  imageStore(image, p, Vec<float, 4, 8>(0.0f));
}
