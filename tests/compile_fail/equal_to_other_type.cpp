// A matcher compares values of one type: lanes of other numbers would have to be converted first.
// expect-error: no matching function for call to 'lockstep
// expect-error: no matching function for call to ‘lockstep
// expect-error: no matching member function for call to 'match'
#include <lockstep/lanes/lanes.hpp>
#include <lockstep/testing/matchers.hpp>

bool matches(const lockstep::Lanes<float, 8>& got,
             const lockstep::Lanes<std::uint32_t, 8>& expected) {
#ifdef MUST_FAIL
  return lockstep::EqualTo(expected).match(got);
#else
  return lockstep::EqualTo(lockstep::Lanes<float, 8>(expected)).match(got);
#endif
}
