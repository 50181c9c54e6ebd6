// A vector that is a variable refers to its mask, which must therefore outlive it.
// expect-error: use of deleted function
// expect-error: call to deleted constructor
#include <lockstep/glsl/vec.hpp>
#include <lockstep/glsl/vec_var.hpp>

using lockstep::Mask;
using Pair = lockstep::Vec<float, 2, 8>;

auto first(const Mask<8>& active, const Pair& pair) {
#ifdef MUST_FAIL
  lockstep::CompoundVar<Pair> sum(active & Mask<8>::first_n(4), pair);
#else
  const Mask<8> some = active & Mask<8>::first_n(4);
  lockstep::CompoundVar<Pair> sum(some, pair);
#endif
  sum += pair;
  return sum[0] + 1.0f;
}
