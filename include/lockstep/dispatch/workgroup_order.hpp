#pragma once

#include <cstdint>

namespace lockstep {

/// The order in which the workgroups of a dispatch start. Vulkan promises none, so a kernel whose workgroups wait
/// for earlier ones relies on unspecified behaviour. With several threads it is the order in each part of the grid.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        at throws Error for a permutation that the count does not have.
/// Cost          None for `linear`; a few operations per workgroup for the others.
/// Spec          Vulkan "Dispatching Commands"
/// Example       tests/dispatch/workgroup_order.cpp
struct WorkgroupOrder {
  /// The orders in which workgroups can start.
  enum class Kind : std::uint8_t { linear, reversed, shuffled, permutation };

  Kind kind = Kind::linear;
  std::uint64_t seed = 0;

  /// x first, then y and z, as on most hardware.
  static constexpr WorkgroupOrder linear() { return {}; }
  /// The last workgroup starts first.
  static constexpr WorkgroupOrder reversed() { return {Kind::reversed, 0}; }
  /// A random order that depends only on the seed.
  static constexpr WorkgroupOrder shuffled(std::uint64_t seed) { return {Kind::shuffled, seed}; }
  /// Number 0 to n! - 1 of all orders of n workgroups, sorted: 0 is the linear one. At most 20 have them.
  static constexpr WorkgroupOrder permutation(std::uint64_t number) {
    return {Kind::permutation, number};
  }

  /// The workgroup, counted x first, that starts as number `position` of `count`.
  std::uint64_t at(std::uint64_t position, std::uint64_t count) const;

  friend bool operator==(const WorkgroupOrder&, const WorkgroupOrder&) = default;
};

}  // namespace lockstep
