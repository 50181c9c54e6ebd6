#pragma once

#include <lockstep/lanes/lanes.hpp>

/// \file
/// Moves values between lanes, active or not. The shuffles of subgroup/ are built from these.

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

#if LOCKSTEP_REGISTER_BYTES >= 32

template <int P>
inline constexpr bool has_permute32 = LOCKSTEP_REGISTER_BYTES == 64 ? P >= 8 : (P == 8 || P == 16);

// 32-bit lanes, index already below P. Batches of 16 (AVX-512) or 8 lanes. With several source
// registers, each pair is permuted and the index's high bits select the result.
template <int P>
LOCKSTEP_INLINE Packs<std::uint32_t, P> permute32(const Packs<std::uint32_t, P>& v,
                                                  const Packs<std::uint32_t, P>& index) {
  using Pack = Packs<std::uint32_t, P>;
  return make_packs<std::uint32_t, P>([&](int k) __attribute__((always_inline)) {
    if constexpr (Pack::lanes_each == 8) {
      const auto at = same_bits<__m256i>(index.batch[k].data);
      const auto pick = [&](int from) __attribute__((always_inline)) {
        return _mm256_permutevar8x32_epi32(same_bits<__m256i>(v.batch[from].data), at);
      };
      if constexpr (Pack::count == 1) {
        return Pack::Ops::batch(pick(0));
      } else {
        const __m256i second = _mm256_slli_epi32(at, 28);  // bit 3 becomes the sign
        return Pack::Ops::batch(_mm256_blendv_ps(
            same_bits<__m256>(pick(0)), same_bits<__m256>(pick(1)), same_bits<__m256>(second)));
      }
    } else {
#if LOCKSTEP_REGISTER_BYTES == 64
      const auto at = same_bits<__m512i>(index.batch[k].data);
      const auto source = [&](int from) __attribute__((always_inline)) {
        return same_bits<__m512i>(v.batch[from].data);
      };
      const auto pick2 = [&](int from) __attribute__((always_inline)) {
        return _mm512_permutex2var_epi32(source(from), at, source(from + 1));
      };
      const auto pick4 = [&](int from) __attribute__((always_inline)) {
        const __mmask16 upper = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
        return _mm512_mask_mov_epi32(pick2(from), upper, pick2(from + 2));
      };
      if constexpr (Pack::count == 1) {
        return Pack::Ops::batch(_mm512_maskz_permutexvar_epi32(0xffff, at, source(0)));
      } else if constexpr (Pack::count == 2) {
        return Pack::Ops::batch(pick2(0));
      } else if constexpr (Pack::count == 4) {
        return Pack::Ops::batch(pick4(0));
      } else {
        const __mmask16 upper = _mm512_test_epi32_mask(at, _mm512_set1_epi32(64));
        return Pack::Ops::batch(_mm512_mask_mov_epi32(pick4(0), upper, pick4(4)));
      }
#endif
    }
  });
}

#else

template <int P>
inline constexpr bool has_permute32 = false;
template <int P>
Packs<std::uint32_t, P> permute32(const Packs<std::uint32_t, P>& v,
                                  const Packs<std::uint32_t, P>& index);

#endif

}  // namespace detail

/// Lane i takes the value of lane index[i]; indices wrap modulo the physical width.
///
/// Requires      None.
/// Active lanes  No active mask: any lane may be read.
/// Errors        None.
/// Cost          32-bit lanes: one to eleven instructions per register with AVX-512, up to 16 lanes
///               also with AVX2; otherwise one load and one store per lane.
/// Spec          None.
/// Example       tests/lanes/permute.cpp
template <class T, int W>
LOCKSTEP_INLINE Lanes<T, W> permute(const Lanes<T, W>& v, const Lanes<std::uint32_t, W>& index) {
  constexpr int P = Lanes<T, W>::physical;
  constexpr std::uint32_t in_range = P - 1;
  if constexpr (sizeof(T) == 4 && detail::has_permute32<P>) {
    const auto at = P <= 32 ? index : (index & Lanes<std::uint32_t, W>(in_range));
    const auto moved =
        detail::permute32<P>(detail::reinterpret_packs<std::uint32_t>(v.packs()), at.packs());
    return Lanes<T, W>(detail::reinterpret_packs<T>(moved));
  } else {
    const detail::InMemory<T, P> from(v.packs());
    return detail::map([&](std::uint32_t i) { return from.lane[i & in_range]; }, index);
  }
}

/// Lane i takes the bool of lane index[i]; indices wrap modulo the physical width.
template <int W>
LOCKSTEP_INLINE Lanes<bool, W> permute(const Lanes<bool, W>& v,
                                       const Lanes<std::uint32_t, W>& index) {
  using Uint = Lanes<std::uint32_t, W>;
  constexpr int P = Uint::physical;
  const auto word = [&](int k) __attribute__((always_inline)) {
    const std::uint64_t half = k < 2 ? v.mask().low64() : v.mask().high64();
    return Uint(static_cast<std::uint32_t>(half >> (32 * (k & 1))));
  };
  const auto bit_of = [&](const Uint& words, const Uint& at) __attribute__((always_inline)) {
    return ((words >> at) & Uint(1u)) != Uint(0u);
  };
  if constexpr (P <= 32) {
    return bit_of(word(0), index & Uint(P - 1u));
  } else {
    const auto odd = (index & Uint(32u)) != Uint(0u);
    const auto low = select(odd, word(1), word(0));
    if constexpr (P == 64)
      return bit_of(low, index);
    else
      return bit_of(select((index & Uint(64u)) != Uint(0u), select(odd, word(3), word(2)), low),
                    index);
  }
}

}  // namespace lockstep::inline LOCKSTEP_ABI
