#pragma once

#include <lockstep/lanes/lanes.hpp>

/// \file
/// For each lane, the number of set bits below it in a mask: the rank of the lane.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// Byte k of the result counts the set bits 0 to k of an 8-bit mask.
LOCKSTEP_INLINE std::uint64_t inclusive_counts_of_byte(std::uint64_t mask8) {
  constexpr std::uint64_t ones = 0x0101010101010101;
#if LOCKSTEP_REGISTER_BYTES == 64
  const std::uint64_t bits = _pdep_u64(mask8, ones);
#else
  // Bit k is moved into byte k, then any nonzero byte becomes 1.
  const std::uint64_t spread = (mask8 * ones) & 0x8040201008040201;
  const std::uint64_t bits = ((spread + 0x7f7f7f7f7f7f7f7f) >> 7) & ones;
#endif
  return bits * ones;
}

/// Lane i is byte i of the words. Built in registers: a vector load of words just stored would wait
/// for the stores.
template <int P>
LOCKSTEP_INLINE Packs<std::uint32_t, P> widen_bytes(const std::uint64_t* words) {
  using Pack = Packs<std::uint32_t, P>;
  constexpr int each = Pack::lanes_each;
  return make_packs<std::uint32_t, P>([&](int k) __attribute__((always_inline)) {
#if LOCKSTEP_REGISTER_BYTES >= 32
    if constexpr (each == 16) {
      const auto* pair = words + 2 * k;
      return Pack::Ops::batch(_mm512_maskz_cvtepu8_epi32(
          0xffff,
          _mm_set_epi64x(static_cast<long long>(pair[1]), static_cast<long long>(pair[0]))));
    } else if constexpr (each == 8) {
      return Pack::Ops::batch(
          _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(words[k]))));
    } else
#endif
    {
      std::uint32_t lane[each];
      for (int i = 0; i < each; ++i) {
        const int at = k * each + i;
        lane[i] = static_cast<std::uint32_t>(words[at / 8] >> (8 * (at % 8))) & 0xff;
      }
      return Pack::Ops::load(lane);
    }
  });
}

#ifdef __AVX512VPOPCNTDQ__
/// As prefix_counts, for 16 lanes and more: each lane counts the bits below it in its register's part of the
/// mask, and all of them the lanes of the registers before.
template <bool Inclusive, int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> counts_by_popcnt(Mask<W> mask) {
  constexpr int P = Lanes<std::uint32_t, W>::physical;
  using Pack = Packs<std::uint32_t, P>;
  using Ops = typename Pack::Ops;
  alignas(64) static constexpr std::uint32_t bits_below[17] = {
      0x0,   0x1,   0x3,   0x7,   0xf,    0x1f,   0x3f,   0x7f,  0xff,
      0x1ff, 0x3ff, 0x7ff, 0xfff, 0x1fff, 0x3fff, 0x7fff, 0xffff};
  const auto counted = Ops::load(bits_below + (Inclusive ? 1 : 0));
  return Lanes<std::uint32_t, W>(
      make_packs<std::uint32_t, P>([&](int k) __attribute__((always_inline)) {
        const auto part = Ops::splat(static_cast<std::uint32_t>(mask.bits() >> (16 * k)));
        const auto before = static_cast<std::uint32_t>((mask & Mask<W>::first_n(16 * k)).count());
        const auto below = same_bits<__m512i>(Ops::bit_and(part, counted));
        return Ops::add(Ops::batch(_mm512_popcnt_epi32(below)), Ops::splat(before));
      }));
}
#endif

/// Lane i gets the number of set bits at positions 0 to i (inclusive) or 0 to i - 1.
template <bool Inclusive, int W>
LOCKSTEP_INLINE Lanes<std::uint32_t, W> prefix_counts(Mask<W> mask) {
  constexpr int P = Lanes<std::uint32_t, W>::physical;
#ifdef __AVX512VPOPCNTDQ__
  if constexpr (P >= 16) return counts_by_popcnt<Inclusive>(mask);
#endif
  constexpr int groups = (P + 7) / 8;
  std::uint64_t bytes[groups];
  unrolled<groups>([&](auto g) __attribute__((always_inline)) {
    const auto mine = static_cast<std::uint64_t>(mask.bits() >> (8 * g)) & 0xff;
    const std::uint64_t counts = inclusive_counts_of_byte(mine);
    const auto below = (mask & Mask<W>::first_n(8 * g)).count();
    bytes[g] =
        (Inclusive ? counts : counts << 8) + static_cast<std::uint64_t>(below) * 0x0101010101010101;
  });
  return Lanes<std::uint32_t, W>(widen_bytes<P>(bytes));
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
