// A mask and the values that it selects have the same number of lanes.
// expect-error: no matching function for call to 'EqualInActive
#include <lockstep/lanes/lanes.hpp>
#include <lockstep/testing/matchers.hpp>

auto matcher(const lockstep::Lanes<float, 8>& expected) {
#ifdef MUST_FAIL
  return EqualInActive(lockstep::Mask<16>::first_n(4), expected);
#else
  return EqualInActive(lockstep::Mask<8>::first_n(4), expected);
#endif
}
