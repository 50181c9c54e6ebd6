#pragma once

#include <bit>
#include <cstdint>

#include <lockstep/lanes/lanes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

/// A lane number wrapped into the subgroup, so that an undefined result is the same at every
/// physical width: modulo the size, or, for a size that is not a power of two, modulo the next power
/// of two, minus the size if that is outside the subgroup. If the size is the physical width,
/// permute wraps by itself. No division and no call: either would cost the usual case its registers.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> lane_of_subgroup(const Lanes<std::uint32_t, W>& lane,
                                                         int size) {
  using Uint = Lanes<std::uint32_t, W>;
  const auto n = static_cast<std::uint32_t>(size);
  if (n == Uint::physical) [[likely]]
    return lane;
  const Uint low = lane & Uint(std::bit_ceil(n) - 1);
  return select((low < Uint(n)).mask(), low, low - Uint(n));
}
template <int W>
LOCKSTEP_INLINE int lane_of_subgroup(std::uint32_t lane, int size) {
  constexpr auto physical = static_cast<std::uint32_t>(Lanes<std::uint32_t, W>::physical);
  const auto n = static_cast<std::uint32_t>(size);
  std::uint32_t low = lane & (physical - 1);
  if (low >= n) [[unlikely]] {
    low &= std::bit_ceil(n) - 1;
    if (low >= n) low -= n;
  }
  return static_cast<int>(low);
}

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
