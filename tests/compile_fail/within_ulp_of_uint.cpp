// Only floats have units in the last place.
// expect-error: no matching function for call to 'WithinUlp
#include <lockstep/lanes/lanes.hpp>
#include <lockstep/testing/matchers.hpp>

bool matches(const lockstep::Lanes<std::uint32_t, 8>& lanes) {
#ifdef MUST_FAIL
  return WithinUlp(2, lanes).match(lanes);
#else
  return EqualTo(lanes).match(lanes);
#endif
}
