#pragma once

#include <cstddef>
#include <cstring>

#include <lockstep/lanes/detail/masked_store.hpp>

/// \file
/// Gathers and scatters of 32-bit numbers.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// to[i] = the number distance[i] bytes after `from`, for each lane i in the mask; other lanes that
/// are written get 0. Requires distances below 2^31, and room in `to` for all physical lanes.
template <int W>
LOCKSTEP_INLINE void gather_words(std::uint32_t* to, const std::byte* from, Mask<W> mask,
                                  const Lanes<std::uint32_t, W>& distance) {
  constexpr int P = Lanes<std::uint32_t, W>::physical;
#if LOCKSTEP_REGISTER_BYTES == 64
  if constexpr (has_masked_store<std::uint32_t, P>) {
    using Pack = Packs<std::uint32_t, P>;
    for_each_batch<Pack::count>([&](auto k) __attribute__((always_inline)) {
      const auto lanes = static_cast<__mmask16>(batch_bits<16>(mask.bits(), k));
      const auto at = same_bits<__m512i>(distance.packs().batch[k].data);
      _mm512_storeu_si512(to + static_cast<int>(k) * Pack::lanes_each,
                          _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), lanes, at, from, 1));
    });
    return;
  }
#endif
  const InMemory<std::uint32_t, P> at(distance.packs());
  for (int i = 0; i < W; ++i) {
    to[i] = 0;
    if (mask.test(i)) std::memcpy(to + i, from + at.lane[i], sizeof *to);
  }
}

/// The number distance[i] bytes after `to` = value[i], for each lane i in the mask; if several
/// lanes write the same place, the highest wins. Requires distances below 2^31.
template <int W>
LOCKSTEP_INLINE void scatter_words(std::byte* to, Mask<W> mask,
                                   const Lanes<std::uint32_t, W>& distance,
                                   const Lanes<std::uint32_t, W>& value) {
  constexpr int P = Lanes<std::uint32_t, W>::physical;
#if LOCKSTEP_REGISTER_BYTES == 64
  if constexpr (has_masked_store<std::uint32_t, P>) {
    using Pack = Packs<std::uint32_t, P>;
    for_each_batch<Pack::count>([&](auto k) __attribute__((always_inline)) {
      const auto lanes = static_cast<__mmask16>(batch_bits<16>(mask.bits(), k));
      const auto at = same_bits<__m512i>(distance.packs().batch[k].data);
      _mm512_mask_i32scatter_epi32(to, lanes, at, same_bits<__m512i>(value.packs().batch[k].data),
                                   1);
    });
    return;
  }
#endif
  const InMemory<std::uint32_t, P> at(distance.packs()), from(value.packs());
  for_each_lane(mask,
                [&](int i) { std::memcpy(to + at.lane[i], &from.lane[i], sizeof(std::uint32_t)); });
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
