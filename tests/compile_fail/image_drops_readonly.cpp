// A function's parameter may add qualifiers to an image, not drop them.
// expect-error: no matching function
// expect-error: no viable conversion
// expect-error: cannot convert
#include <lockstep/glsl/kernel.hpp>

#include <lockstep/glsl/image.hpp>

using namespace lockstep;

struct Kernels : Kernel<FastMachine<8>> {
  LOCKSTEP_GLSL(FastMachine<8>);
#ifdef MUST_FAIL
  using Parameter = image2D;
#else
  using Parameter = readonly<image2D>;
#endif
  static int width_of(const Parameter& image) { return imageSize(image).x; }
  static int width(const readonly<image2D>& image) { return width_of(image); }
  static int height(const image2D& image) { return width(image); }
};
