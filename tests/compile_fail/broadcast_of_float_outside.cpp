// As functions outside of kernels, built-ins take no fractions as numbers of lanes either.
// expect-error: use of deleted function
// expect-error: call to deleted function 'subgroupBroadcast'
#include <lockstep/subgroup.hpp>

std::uint32_t broadcast(lockstep::Mask<8> active, const lockstep::Lanes<std::uint32_t, 8>& value) {
#ifdef MUST_FAIL
  return lockstep::subgroupBroadcast(active, value, 1.5f);
#else
  return lockstep::subgroupBroadcast(active, value, 1u);
#endif
}
