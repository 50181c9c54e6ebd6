#pragma once

#include <lockstep/lanes/detail/simd/exponential.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

/// e^x / 2 = high + low, and e^-x / 2, for 0 <= x < 89.6.
template <class F>
struct HalfPowers {
  F high, low, inverse;
};
template <class F>
LOCKSTEP_INLINE HalfPowers<F> half_powers(const F& x) {
  const ScaledPower<F> parts = exp_parts(x);
  // Twice the power, times 2^(n - 2): no factor overflows where the result does not.
  const F factor = power_of_two<F>(bits_of(parts.shifted) - 2);
  const F high = (parts.power + parts.power) * factor;
  return {high, (parts.lost + parts.lost) * factor, 0.25f / high};
}

/// Below 1 a polynomial that is off by 2^-34.1.
template <class F>
LOCKSTEP_INLINE F sinh(const F& x) {
  const F size = at_most(89.5f, magnitude(x));  // infinity
  const HalfPowers<F> half = half_powers(size);
  const F large = half.high + (half.low - half.inverse);
  const F square = size * size;
  const F small = size + size * (square * polynomial(square, 0x1.555556p-3f, 0x1.111136p-7f,
                                                     0x1.9ffe90p-13f, 0x1.7a160cp-19f));
  return with_sign_of(choose(size < 1, small, large), x);
}

template <class F>
LOCKSTEP_INLINE F cosh(const F& x) {
  const HalfPowers<F> half = half_powers(at_most(89.5f, magnitude(x)));
  return half.high + (half.low + half.inverse);
}

/// x - x^3 / 3 ... below 0.6, off by 2^-27.8; from there on 1 - 2 / (e^2x + 1).
template <class F>
LOCKSTEP_INLINE F tanh(const F& x) {
  const F size = at_most(10.0f, magnitude(x));  // 1
  const F square = size * size;
  const F small =
      size + size * (square * polynomial(square, -0x1.555532p-2f, 0x1.11071ep-3f, -0x1.b83b1cp-5f,
                                         0x1.521e1ap-6f, -0x1.75ba24p-8f));
  const ScaledPower<F> parts = exp_parts(size + size);
  const F large = 1 - 2 / (parts.power * power_of_two<F>(bits_of(parts.shifted)) + 1);
  return with_sign_of(choose(size < 0.6f, small, large), x);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::simd
