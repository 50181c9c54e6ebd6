#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <lockstep/config.hpp>

#if LOCKSTEP_REGISTER_BYTES == 64
#include <immintrin.h>
#endif

/// \file
/// AVX-512 operations on mask registers, which the compilers' vector extensions lack: comparisons
/// and selects of 64-byte registers.

namespace lockstep::inline LOCKSTEP_ABI::detail {

enum class Comparison { equal, less, less_equal };

/// One bit per lane of T. 64-byte registers only.
template <class T, Comparison comparison, class Register>
LOCKSTEP_INLINE std::uint64_t compare_lanes(const Register& a, const Register& b);

/// Each lane of T from `yes` where its bit is set, from `no` elsewhere. 64-byte registers only.
template <class T, class Register>
LOCKSTEP_INLINE Register choose_lanes(std::uint64_t bits, const Register& yes, const Register& no);

#if LOCKSTEP_REGISTER_BYTES == 64

/// A comparison's bits; the others are zero. g++ 12 knows that, and may spill only the mask's own
/// bits and reload 64. The asm hides the value from it.
template <class M>
LOCKSTEP_INLINE std::uint64_t bits_of_comparison(M mask) {
#if defined(__GNUC__) && !defined(__clang__)
  asm("" : "+k"(mask));
#endif
  return mask;
}

template <class T, Comparison comparison, class Register>
LOCKSTEP_INLINE auto compare_registers(const Register& a, const Register& b) {
  constexpr bool equal = comparison == Comparison::equal, less = comparison == Comparison::less;
  constexpr auto whole = equal ? _MM_CMPINT_EQ : less ? _MM_CMPINT_LT : _MM_CMPINT_LE;
  constexpr int real = equal ? _CMP_EQ_OQ : less ? _CMP_LT_OS : _CMP_LE_OS;
  if constexpr (std::same_as<T, float>)
    return _mm512_cmp_ps_mask(a, b, real);
  else if constexpr (std::same_as<T, double>)
    return _mm512_cmp_pd_mask(a, b, real);
  else if constexpr (std::is_signed_v<T> && sizeof(T) == 1)
    return _mm512_cmp_epi8_mask(a, b, whole);
  else if constexpr (std::is_signed_v<T> && sizeof(T) == 2)
    return _mm512_cmp_epi16_mask(a, b, whole);
  else if constexpr (std::is_signed_v<T> && sizeof(T) == 4)
    return _mm512_cmp_epi32_mask(a, b, whole);
  else if constexpr (std::is_signed_v<T>)
    return _mm512_cmp_epi64_mask(a, b, whole);
  else if constexpr (sizeof(T) == 1)
    return _mm512_cmp_epu8_mask(a, b, whole);
  else if constexpr (sizeof(T) == 2)
    return _mm512_cmp_epu16_mask(a, b, whole);
  else if constexpr (sizeof(T) == 4)
    return _mm512_cmp_epu32_mask(a, b, whole);
  else
    return _mm512_cmp_epu64_mask(a, b, whole);
}

/// A register of T as intrinsics take it: those on integers take all of them as one type.
template <class T, class Register>
LOCKSTEP_INLINE auto operand(const Register& v) {
  if constexpr (std::is_integral_v<T>)
    return __builtin_bit_cast(__m512i, v);
  else
    return v;
}

template <class T, Comparison comparison, class Register>
LOCKSTEP_INLINE std::uint64_t compare_lanes(const Register& a, const Register& b) {
  return bits_of_comparison(compare_registers<T, comparison>(operand<T>(a), operand<T>(b)));
}

template <class T, class Register>
LOCKSTEP_INLINE auto choose_registers(std::uint64_t bits, const Register& yes, const Register& no) {
  if constexpr (std::same_as<T, float>)
    return _mm512_mask_mov_ps(no, static_cast<__mmask16>(bits), yes);
  else if constexpr (std::same_as<T, double>)
    return _mm512_mask_mov_pd(no, static_cast<__mmask8>(bits), yes);
  else if constexpr (sizeof(T) == 1)
    return _mm512_mask_mov_epi8(no, bits, yes);
  else if constexpr (sizeof(T) == 2)
    return _mm512_mask_mov_epi16(no, static_cast<__mmask32>(bits), yes);
  else if constexpr (sizeof(T) == 4)
    return _mm512_mask_mov_epi32(no, static_cast<__mmask16>(bits), yes);
  else
    return _mm512_mask_mov_epi64(no, static_cast<__mmask8>(bits), yes);
}

template <class T, class Register>
LOCKSTEP_INLINE Register choose_lanes(std::uint64_t bits, const Register& yes, const Register& no) {
  return __builtin_bit_cast(Register, choose_registers<T>(bits, operand<T>(yes), operand<T>(no)));
}

#endif

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
