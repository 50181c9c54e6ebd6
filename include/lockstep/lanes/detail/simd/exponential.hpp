#pragma once

#include <lockstep/lanes/detail/simd/vectors.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

/// v 2^n for |n| < 160, rounded once; v is about 1. n has the lowest 9 bits of `shifted`, which is n + rounding.
template <class F>
LOCKSTEP_INLINE F scaled(const F& v, const F& shifted) {
#if LOCKSTEP_REGISTER_BYTES == 64
  if constexpr (sizeof(F) == 64) return _mm512_maskz_scalef_ps(0xFFFF, v, shifted - rounding<F>);
#endif
  // The first product is exact.
  const Bits<F> n = bits_of(shifted);
  const Bits<F> half = same_bits<Bits<F>>(same_bits<SignedBits<F>>(n << 23) >> 24);
  return v * power_of_two<F>(half) * power_of_two<F>(n - half);
}

/// 2 to the power of x, in floats: 2^n 2^f with |f| <= 1/2. The polynomial is off by 2^-28.9.
template <class F>
LOCKSTEP_INLINE F exp2(const F& argument) {
  const F x = at_least(-151.0f, at_most(129.0f, argument));  // zero, infinity
  const F shifted = x + rounding<F>;
  const F f = x - (shifted - rounding<F>);
  const F square = f * f *
                   polynomial(f, 0x1.ebfbdcp-3f, 0x1.c6aee6p-5f, 0x1.3b2d50p-7f, 0x1.5f3f34p-10f,
                              0x1.41fb22p-13f);
  return scaled(1 + (f * 0x1.62e430p-1f + square), shifted);
}

/// e^x = power 2^n.
template <class F>
struct ScaledPower {
  F power, lost;  ///< and what rounding took from it
  F shifted;      ///< n + rounding
};
/// For |x| <= 110: n = x / ln 2, rounded, and the power of the rest. The polynomial is off by 2^-28.3.
template <class F>
LOCKSTEP_INLINE ScaledPower<F> exp_parts(const F& x) {
  const F shifted = x * 0x1.715476p0f + rounding<F>;
  const F n = shifted - rounding<F>;
  // ln 2 in two parts; n times the first is exact, and so is the difference.
  const F first = minus_exact_product(x, n, 0x1.62e4p-1f);
  const F second = n * 0x1.7f7d1cp-20f;
  const F r = first - second;
  const F square = r * r *
                   polynomial(r, 0x1.fffffcp-2f, 0x1.555490p-3f, 0x1.5558f6p-5f, 0x1.123a68p-7f,
                              0x1.6a22b4p-10f);
  const F more = first + (square - second), power = 1 + more;
  return {power, more - (power - 1), shifted};
}

template <class F>
LOCKSTEP_INLINE F exp(const F& argument) {
  const ScaledPower<F> parts =
      exp_parts(at_least(-105.0f, at_most(90.0f, argument)));  // zero, infinity
  return scaled(parts.power, parts.shifted);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::simd
