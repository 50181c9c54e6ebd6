// A variable refers to its mask, which must therefore outlive it.
// expect-error: use of deleted function
// expect-error: call to deleted constructor
#include <lockstep/glsl/var.hpp>

using lockstep::Mask;

auto total(const Mask<8>& active) {
#ifdef MUST_FAIL
  lockstep::Var<int, 8> sum(active & Mask<8>::first_n(4), 0);
#else
  const Mask<8> first = active & Mask<8>::first_n(4);
  lockstep::Var<int, 8> sum(first, 0);
#endif
  sum += 1;
  return sum + 1;
}
