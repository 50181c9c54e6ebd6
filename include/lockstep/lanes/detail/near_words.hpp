#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <lockstep/lanes/detail/gather.hpp>

/// \file
/// Words that lie near each other, as the texels of neighbouring lanes do.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// to[i] = the word at a multiple of 4 bytes that contains byte at[i], shifted right until that byte is its lowest one, for
/// each lane i in the mask; 0 for others. Returns false and does nothing if the mask is empty or the bytes do not fit into
/// a few registers. Loads and a shuffle take less time than a gather.
LOCKSTEP_INLINE bool near_words([[maybe_unused]] std::uint32_t* to,
                                [[maybe_unused]] const std::byte* data,
                                [[maybe_unused]] std::uint32_t bytes,
                                [[maybe_unused]] Mask<16> lanes,
                                [[maybe_unused]] const Lanes<std::uint32_t, 16>& at) {
#if LOCKSTEP_REGISTER_BYTES == 64
  constexpr std::uint32_t window = 128, word = 4;
  const auto active = static_cast<__mmask16>(lanes.bits());
  if (bytes < window || active == 0) return false;
  const auto places = same_bits<__m512i>(at.packs().batch[0].data);
  const auto first = static_cast<std::uint32_t>(
      _mm_cvtsi128_si32(_mm512_castsi512_si128(_mm512_maskz_compress_epi32(active, places))));
  // Texels to the right of the first lane's, or to its left.
  for (const std::uint32_t begin : {first, first - std::min(first, window - word)}) {
    const std::uint32_t from = std::min(begin, bytes - window) / word * word;
    const __m512i distance = _mm512_sub_epi32(places, _mm512_set1_epi32(static_cast<int>(from)));
    if (_mm512_mask_cmpge_epu32_mask(active, distance, _mm512_set1_epi32(window)) != 0) continue;
    const __m512i words = _mm512_maskz_permutex2var_epi32(
        active, _mm512_loadu_si512(data + from), _mm512_srli_epi32(distance, 2),
        _mm512_loadu_si512(data + from + window / 2));
    const __m512i byte = _mm512_and_si512(distance, _mm512_set1_epi32(3));
    _mm512_storeu_si512(to, _mm512_srlv_epi32(words, _mm512_slli_epi32(byte, 3)));
    return true;
  }
#endif
  return false;
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
