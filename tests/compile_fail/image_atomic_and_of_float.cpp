// GLSL has bitwise atomics on images of integers only.
// expect-error: imageAtomicAnd, Or and Xor for images of integers
// expect-line: 4
#include <lockstep/glsl/image.hpp>

#ifdef MUST_FAIL
using T = float;
#else
using T = int;
#endif

using namespace lockstep;

auto clear(const ImageOn<FastMachine<8>, T, ImageKind::two_d>& image, Vec<int, 2, 8> p) {
  return imageAtomicAnd(image, p, T(1));
}
