#pragma once

#include <bit>
#include <cstdint>

namespace lockstep {

/// The lanes of a subgroup of any size up to 128. Events and the reconvergence stack use it,
/// because they are compiled once for all sizes.
///
/// Requires      Lanes are 0 to 127.
/// Active lanes  Active sets are of this type; a set itself depends on no other.
/// Errors        None.
/// Cost          Two scalar instructions per operation.
/// Spec          The value of GLSL subgroupBallot · SPIR-V OpGroupNonUniformBallot
/// Example       tests/exec/lane_set.cpp
struct LaneSet {
  std::uint64_t low = 0;   ///< lanes 0 to 63
  std::uint64_t high = 0;  ///< lanes 64 to 127

  /// The lanes below `count`.
  static constexpr LaneSet first_n(int count) {
    const auto word = [](int n) {
      return n >= 64 ? ~std::uint64_t{0} : n <= 0 ? 0 : (std::uint64_t{1} << n) - 1;
    };
    return {word(count), word(count - 64)};
  }
  /// Only lane `index`.
  static constexpr LaneSet lane(int index) {
    return index < 64 ? LaneSet{std::uint64_t{1} << index, 0}
                      : LaneSet{0, std::uint64_t{1} << (index - 64)};
  }

  /// Whether lane `index` is in the set.
  constexpr bool test(int index) const {
    return ((index < 64 ? low >> index : high >> (index - 64)) & 1) != 0;
  }
  /// Whether at least one lane is in the set.
  constexpr bool any_lane() const { return (low | high) != 0; }
  /// Number of lanes in the set.
  constexpr int count() const { return std::popcount(low) + std::popcount(high); }
  /// Lowest lane in the set; 128 when it is empty.
  constexpr int first() const {
    return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
  }
  /// Highest lane in the set; -1 when it is empty.
  constexpr int last() const {
    return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(low);
  }
  /// The lanes of this set that are not in `other`.
  constexpr LaneSet without(LaneSet other) const { return {low & ~other.low, high & ~other.high}; }
  /// Whether every lane of this set is in `other`.
  constexpr bool within(LaneSet other) const { return !without(other).any_lane(); }

  friend constexpr LaneSet operator&(LaneSet a, LaneSet b) {
    return {a.low & b.low, a.high & b.high};
  }
  friend constexpr LaneSet operator|(LaneSet a, LaneSet b) {
    return {a.low | b.low, a.high | b.high};
  }
  friend constexpr bool operator==(LaneSet, LaneSet) = default;
};

/// Calls f(i) for each lane i of the set, in ascending order.
template <class F>
constexpr void for_each_lane(LaneSet lanes, F&& f) {
  for (int i = lanes.first(); i < 128; lanes = lanes.without(LaneSet::lane(i)), i = lanes.first())
    f(i);
}

}  // namespace lockstep
