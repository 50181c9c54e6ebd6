// Lanes of subgroups of different sizes cannot be combined in one expression.
// expect-error: no match for 'operator+'
// expect-error: invalid operands to binary expression
#include <lockstep/lanes/lanes.hpp>

auto sum(lockstep::Lanes<int, 8> a, lockstep::Lanes<int, 8> b, lockstep::Lanes<int, 16> wide) {
#ifdef MUST_FAIL
  return a + wide;
#else
  return a + b;
#endif
}
