#pragma once

namespace lockstep::test {

/// Subgroup sizes that cover each width of registers, whole and in part.
inline constexpr int sizes[] = {1, 2, 4, 7, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128};

/// For tests that take seconds per size under sanitizers.
#if defined(LOCKSTEP_TEST_REDUCED)
inline constexpr int few_sizes[] = {24, 128};
#else
inline constexpr int few_sizes[] = {1, 24, 64, 128};
#endif

}  // namespace lockstep::test
