#pragma once

#include <cstdint>

namespace lockstep {

/// A size, or an id, in up to three dimensions.
struct Size3 {
  std::uint32_t x = 1, y = 1, z = 1;

  friend constexpr bool operator==(const Size3&, const Size3&) = default;
};

}  // namespace lockstep
