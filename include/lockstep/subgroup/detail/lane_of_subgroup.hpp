#pragma once

#include <cstdint>

#include <lockstep/lanes/lanes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

[[gnu::cold, gnu::noinline]] inline std::uint32_t remainder(std::uint32_t lane,
                                                            std::uint32_t size) {
  return lane % size;
}
template <int W>
[[gnu::cold, gnu::noinline]] Lanes<std::uint32_t, W> remainders(const Lanes<std::uint32_t, W>& lane,
                                                                std::uint32_t size) {
  return lane % size;
}

/// A lane's number modulo the subgroup size, so that an undefined result is the same at every physical
/// width. The physical width itself is left to permute, which counts modulo it.
template <int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> lane_of_subgroup(const Lanes<std::uint32_t, W>& lane,
                                                         int size) {
  using Uint = Lanes<std::uint32_t, W>;
  const auto n = static_cast<std::uint32_t>(size);
  if (n == Uint::physical) [[likely]]
    return lane;
  if ((n & (n - 1)) == 0) return lane & Uint(n - 1);
  return remainders<W>(lane, n);
}
LOCKSTEP_INLINE int lane_of_subgroup(std::uint32_t lane, int size) {
  const auto n = static_cast<std::uint32_t>(size);
  if ((n & (n - 1)) == 0) [[likely]]
    return static_cast<int>(lane & (n - 1));
  return static_cast<int>(remainder(lane, n));
}

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
