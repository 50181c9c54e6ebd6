// On a machine with tangles the result of a built-in refers to its mask, which must therefore outlive it.
// expect-error: use of deleted function
// expect-error: call to deleted constructor
#include <lockstep/glsl/tangled.hpp>

using lockstep::Mask;

int first(const Mask<8>& active, const lockstep::Lanes<int, 8>& lanes) {
#ifdef MUST_FAIL
  const lockstep::SubgroupValue<int, 8> value(lanes, active & Mask<8>::first_n(4), {});
#else
  const Mask<8> some = active & Mask<8>::first_n(4);
  const lockstep::SubgroupValue<int, 8> value(lanes, some, {});
#endif
  return value;
}
