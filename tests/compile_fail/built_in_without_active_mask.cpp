// A subgroup built-in is a function of the active mask and the values: the mask comes first.
// expect-error: no matching function for call to
#include <lockstep/subgroup/arithmetic.hpp>

auto total(lockstep::Mask<32> active, const lockstep::Lanes<int, 32>& value) {
#ifdef MUST_FAIL
  (void)active;
  return lockstep::subgroupAdd(value);
#else
  return lockstep::subgroupAdd(active, value);
#endif
}
