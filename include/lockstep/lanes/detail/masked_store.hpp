#pragma once

#include <lockstep/lanes/lanes.hpp>

/// \file
/// Stores only some lanes of a value: each to its own place, or packed.

namespace lockstep::inline LOCKSTEP_ABI::detail {

#if LOCKSTEP_REGISTER_BYTES == 64

/// Whether a batch of P lanes of T is a full register that the processor can store under a mask.
template <class T, int P>
inline constexpr bool has_masked_store =
    sizeof(typename Packs<T, P>::Each) == 64 && is_register<T, Packs<T, P>::lanes_each>;

template <class T>
LOCKSTEP_INLINE void store_register(T* to, std::uint64_t bits, __m512i v) {
  if constexpr (sizeof(T) == 1)
    _mm512_mask_storeu_epi8(to, bits, v);
  else if constexpr (sizeof(T) == 2)
    _mm512_mask_storeu_epi16(to, static_cast<__mmask32>(bits), v);
  else if constexpr (sizeof(T) == 4)
    _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(bits), v);
  else
    _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(bits), v);
}

#else

template <class T, int P>
inline constexpr bool has_masked_store = false;

#endif

/// to[i] = lane i, for each lane i in the mask.
template <class T, int W>
LOCKSTEP_INLINE void store_masked(T* to, Mask<W> mask, const Lanes<T, W>& value) {
  constexpr int P = Lanes<T, W>::physical;
#if LOCKSTEP_REGISTER_BYTES == 64
  if constexpr (has_masked_store<T, P>) {
    using Pack = Packs<T, P>;
    for_each_batch<Pack::count>([&](auto k) __attribute__((always_inline)) {
      store_register(to + static_cast<int>(k) * Pack::lanes_each,
                     batch_bits<Pack::lanes_each>(mask.bits(), k),
                     same_bits<__m512i>(value.packs().batch[k].data));
    });
    return;
  }
#endif
  const InMemory<T, P> from(value.packs());
  for_each_lane(mask, [&](int i) { to[i] = from.lane[i]; });
}

/// The lanes in the mask, from the lowest up, to to[0], to[1], ...
template <class T, int W>
LOCKSTEP_INLINE void store_packed(T* to, Mask<W> mask, const Lanes<T, W>& value) {
  constexpr int P = Lanes<T, W>::physical;
#if LOCKSTEP_REGISTER_BYTES == 64
  if constexpr (has_masked_store<T, P> && sizeof(T) == 4) {
    using Pack = Packs<T, P>;
    for_each_batch<Pack::count>([&](auto k) __attribute__((always_inline)) {
      const auto bits = static_cast<__mmask16>(batch_bits<16>(mask.bits(), k));
      const int count = std::popcount(static_cast<unsigned>(bits));
      const auto v = same_bits<__m512i>(value.packs().batch[k].data);
      store_register(to, (1u << count) - 1, _mm512_maskz_compress_epi32(bits, v));
      to += count;
    });
    return;
  }
#endif
  const InMemory<T, P> from(value.packs());
  for_each_lane(mask, [&](int i) { *to++ = from.lane[i]; });
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
