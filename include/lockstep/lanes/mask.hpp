#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include <lockstep/config.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// The largest subgroup size.
inline constexpr int max_subgroup_size = 128;

namespace detail {

__extension__ using Uint128 = unsigned __int128;

// clang-format off
template <int W>
using MaskWord = std::conditional_t<(W <= 32), std::uint32_t,
                 std::conditional_t<(W <= 64), std::uint64_t, Uint128>>;
// clang-format on

template <int W>
inline constexpr MaskWord<W> full_word = static_cast<MaskWord<W>>(~MaskWord<W>{0}) >>
                                         (8 * static_cast<int>(sizeof(MaskWord<W>)) - W);

template <class Word>
LOCKSTEP_INLINE constexpr int count_bits(Word word) {
  if constexpr (sizeof(Word) == 16) {
    return std::popcount(static_cast<std::uint64_t>(word)) +
           std::popcount(static_cast<std::uint64_t>(word >> 64));
  } else {
    return std::popcount(word);
  }
}

// Both give 0 for an empty word, so that code without active lanes stays harmless.
template <class Word>
LOCKSTEP_INLINE constexpr int lowest_bit(Word word) {
  if constexpr (sizeof(Word) == 16) {
    const auto low = static_cast<std::uint64_t>(word);
    const auto high = static_cast<std::uint64_t>(word >> 64);
    return low != 0 ? std::countr_zero(low) : (high != 0 ? 64 + std::countr_zero(high) : 0);
  } else {
    return word != 0 ? std::countr_zero(word) : 0;
  }
}

template <class Word>
LOCKSTEP_INLINE constexpr int highest_bit(Word word) {
  if constexpr (sizeof(Word) == 16) {
    const auto low = static_cast<std::uint64_t>(word);
    const auto high = static_cast<std::uint64_t>(word >> 64);
    return high != 0 ? 127 - std::countl_zero(high) : (low != 0 ? 63 - std::countl_zero(low) : 0);
  } else {
    return word != 0 ? 8 * static_cast<int>(sizeof(Word)) - 1 - std::countl_zero(word) : 0;
  }
}

}  // namespace detail

/// A set of lanes of a subgroup of W: one integer of W bits, bit i for lane i.
///
/// Requires      1 <= W <= 128. Any W works; bits at and above W are always zero.
/// Active lanes  Active masks are of this type; a mask itself depends on no other.
/// Errors        None. `bool(mask)`, `&&` and `||` do not compile: use any_lane(), all_lanes(), &, |.
/// Cost          One scalar instruction per operation up to 64 lanes, two or three above.
/// Spec          The value of GLSL subgroupBallot · SPIR-V OpGroupNonUniformBallot.
/// Example       kernels/allocate
template <int W>
class Mask {
  static_assert(1 <= W && W <= max_subgroup_size, "a subgroup has 1 to 128 lanes");

 public:
  using Word = detail::MaskWord<W>;
  static constexpr int width = W;

  /// No lane.
  constexpr Mask() = default;
  /// No lane.
  LOCKSTEP_INLINE static constexpr Mask none() { return Mask(); }
  /// Every lane.
  LOCKSTEP_INLINE static constexpr Mask all() { return Mask(detail::full_word<W>); }
  /// The lanes below `count`; all of them when count >= W, none when count <= 0.
  LOCKSTEP_INLINE static constexpr Mask first_n(int count) {
    if (count >= W) return all();
    return count <= 0 ? none() : Mask((Word{1} << count) - 1);
  }
  /// Only lane `index`. Requires 0 <= index < W.
  LOCKSTEP_INLINE static constexpr Mask lane(int index) { return Mask(Word{1} << index); }
  /// The lanes whose bit is set in `bits`; bits at and above W are dropped.
  LOCKSTEP_INLINE static constexpr Mask from_bits(Word bits) {
    return Mask(bits & detail::full_word<W>);
  }

  /// The mask as an integer.
  LOCKSTEP_INLINE constexpr Word bits() const { return bits_; }
  /// Lanes 0 to 63 as an integer.
  LOCKSTEP_INLINE constexpr std::uint64_t low64() const {
    return static_cast<std::uint64_t>(bits_);
  }
  /// Lanes 64 to 127 as an integer.
  LOCKSTEP_INLINE constexpr std::uint64_t high64() const {
    if constexpr (W > 64) return static_cast<std::uint64_t>(bits_ >> 64);
    return 0;
  }

  /// Whether lane `index` is in the set. Requires 0 <= index < W.
  LOCKSTEP_INLINE constexpr bool test(int index) const { return ((bits_ >> index) & 1) != 0; }
  /// Number of lanes in the set.
  LOCKSTEP_INLINE constexpr int count() const { return detail::count_bits(bits_); }
  /// Whether at least one lane is in the set.
  LOCKSTEP_INLINE constexpr bool any_lane() const { return bits_ != 0; }
  /// Whether every lane is in the set.
  LOCKSTEP_INLINE constexpr bool all_lanes() const { return bits_ == detail::full_word<W>; }
  /// Lowest lane in the set; 0 when it is empty.
  LOCKSTEP_INLINE constexpr int first() const { return detail::lowest_bit(bits_); }
  /// Highest lane in the set; 0 when it is empty.
  LOCKSTEP_INLINE constexpr int last() const { return detail::highest_bit(bits_); }
  /// The lanes of this set that are not in `other`.
  LOCKSTEP_INLINE constexpr Mask without(Mask other) const { return Mask(bits_ & ~other.bits_); }
  /// Only the lowest lane; none when the set is empty.
  LOCKSTEP_INLINE constexpr Mask lowest() const { return Mask(bits_ & (~bits_ + 1)); }

  LOCKSTEP_INLINE friend constexpr Mask operator&(Mask a, Mask b) {
    return Mask(a.bits_ & b.bits_);
  }
  LOCKSTEP_INLINE friend constexpr Mask operator|(Mask a, Mask b) {
    return Mask(a.bits_ | b.bits_);
  }
  LOCKSTEP_INLINE friend constexpr Mask operator^(Mask a, Mask b) {
    return Mask(a.bits_ ^ b.bits_);
  }
  LOCKSTEP_INLINE friend constexpr Mask operator~(Mask a) {
    return Mask(a.bits_ ^ detail::full_word<W>);
  }
  LOCKSTEP_INLINE friend constexpr bool operator==(Mask a, Mask b) { return a.bits_ == b.bits_; }

  /// Deleted: a mask has one bit per lane. Use m.any_lane(), m.all_lanes(), or If (...).
  explicit operator bool() const = delete;
  /// Deleted: && would treat a mask as one bool. Use & to combine masks lane by lane.
  friend void operator&&(Mask, Mask) = delete;
  /// Deleted: || would treat a mask as one bool. Use | to combine masks lane by lane.
  friend void operator||(Mask, Mask) = delete;

 private:
  LOCKSTEP_INLINE constexpr explicit Mask(Word bits) : bits_(bits) {}

  Word bits_ = 0;
};

/// Calls f(lane) for each lane of the set, from the lowest up.
template <int W, class F>
LOCKSTEP_INLINE constexpr void for_each_lane(Mask<W> mask, F&& f) {
  for (auto rest = mask.bits(); rest != 0; rest &= rest - 1) f(detail::lowest_bit(rest));
}

}  // namespace lockstep::inline LOCKSTEP_ABI
