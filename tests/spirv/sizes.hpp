#pragma once

namespace lockstep::test {

/// Subgroup sizes that cover each width of registers, whole and in part.
inline constexpr int sizes[] = {1, 2, 4, 7, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128};

}  // namespace lockstep::test
