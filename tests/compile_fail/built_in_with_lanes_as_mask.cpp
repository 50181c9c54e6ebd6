// Numbers are not a set of lanes, even though both are W wide.
// expect-error: no matching function for call to
#include <lockstep/subgroup/arithmetic.hpp>

auto total(lockstep::Mask<32> active, const lockstep::Lanes<int, 32>& value) {
#ifdef MUST_FAIL
  return lockstep::subgroupAdd(value, active);
#else
  return lockstep::subgroupAdd(active, value);
#endif
}
