#pragma once

#include <lockstep/lanes/detail/simd/large_angles.hpp>

/// \file
/// sin, cos and tan in floats. An angle below 2^8 is reduced by subtracting n quarter turns, pi / 2 in three parts. The
/// first two have 16 bits, n has 8, so that their products are exact. The rest may be as small as 2^-24 next to a
/// multiple, and the sum of its two floats is off by 2^-49.

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

inline constexpr float half_pi_part1 = 0x1.921ep0f, half_pi_part2 = 0x1.b544p-16f,
                       half_pi_part3 = 0x1.0b4612p-34f;

/// The rest of an angle after subtracting n quarter turns: r - excess, where r is the nearest float.
template <class F>
struct RestOfAngle {
  F r, excess;
  Bits<F> n;  ///< in the lowest bits
};
template <class F>
LOCKSTEP_INLINE RestOfAngle<F> rest_of_angle(const F& x) {
  const F shifted = x * 0x1.45f306p-1f + rounding<F>;
  const F n = shifted - rounding<F>;
  const F first = minus_exact_product(x, n, half_pi_part1);
  const F r = minus_exact_product(first, n, half_pi_part2);
  // Zero for n = 0, of positive sign, which keeps the sign of x = -0 in the sums below.
  return {r, n * half_pi_part3 - minus_exact_product(first - r, n, half_pi_part2),
          bits_of(shifted)};
}

/// The sine of `quarters` quarter turns and the rest. The polynomials are off by 2^-28 and 2^-33.
template <class F>
LOCKSTEP_INLINE F sin_of_quarters(const Bits<F>& quarters, const RestOfAngle<F>& rest) {
  const F square = rest.r * rest.r, half = square * 0.5f, about_cosine = 1 - half;
  const F cubes = square * polynomial(square, 0x1.555546p-3f, -0x1.11073ap-7f, 0x1.994376p-13f);
  const F sine = rest.r - (rest.r * cubes + rest.excess * about_cosine);
  const F fourths =
      square * square * polynomial(square, 0x1.55554ap-5f, -0x1.6c0c32p-10f, 0x1.99eb50p-16f);
  const F cosine = about_cosine + (((1 - about_cosine) - half) + (fourths + rest.r * rest.excess));
  const auto odd = same_bits<SignedBits<F>>(quarters << 31) < 0;
  return negated_by(choose(odd, cosine, sine), quarters << 30);
}

template <class F>
LOCKSTEP_INLINE F sin(const F& x) {
  const RestOfAngle<F> rest = rest_of_angle(x);
  const F result = sin_of_quarters(rest.n, rest);
  if (any_large_angle(x)) [[unlikely]]
    return with_large_angles<LargeSine>(x, result);
  return result;
}

template <class F>
LOCKSTEP_INLINE F cos(const F& x) {
  const RestOfAngle<F> rest = rest_of_angle(x);
  const F result = sin_of_quarters(rest.n + 1, rest);
  if (any_large_angle(x)) [[unlikely]]
    return with_large_angles<LargeCosine>(x, result);
  return result;
}

/// tan(r), or -1 / tan(r) where n is odd. The polynomial is off by 2^-29.5.
template <class F>
LOCKSTEP_INLINE F tan(const F& x) {
  const RestOfAngle<F> rest = rest_of_angle(x);
  const F square = rest.r * rest.r;
  const F series =
      square * polynomial(square, 0x1.555560p-2f, 0x1.110d8cp-3f, 0x1.badc24p-5f, 0x1.5cad16p-6f,
                          0x1.63207ap-7f, 0x1.6dd7d2p-14f, 0x1.1ee124p-8f);
  // 1 + 1.6 r^2 stands for the derivative.
  const F more = rest.r * series - rest.excess * (1 + square * 1.6f);
  const F tangent = rest.r + more;
  const F lost = (rest.r - tangent) + more;
  const F inverse = -1 / tangent;
  const auto odd = same_bits<SignedBits<F>>(rest.n << 31) < 0;
  const F result = choose(odd, inverse + inverse * inverse * lost, tangent);
  if (any_large_angle(x)) [[unlikely]]
    return with_large_angles<LargeTangent>(x, result);
  return result;
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::simd
