#pragma once

#include <lockstep/lanes/detail/simd/doubles.hpp>
#include <lockstep/lanes/detail/simd/large_angles.hpp>

/// \file
/// sin, cos and tan. An angle below 2^17 is reduced in double by subtracting a multiple n of pi or pi / 2 in two parts.
/// The first has 32 bits, n at most 18 with its half, so that their product is exact; and so is the difference. The
/// rest may be as small as 2^-30 next to a multiple: its relative error remains below 2^-35. n is rounded from a float
/// product, so that the rest can exceed half a step, by less than 1.2 %; the polynomials' bounds hold up to there.

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

inline constexpr float large_angle = 0x1p17f;
inline constexpr double pi_part1 = 0x1.921fb544p1, pi_part2 = 0x1.0b4611a626331p-33;

/// angle - n step, for the exact product n first; step = first + second.
template <class D>
LOCKSTEP_INLINE D reduced(const D& angle, const D& n, double first, double second) {
  return minus_exact_product(angle, n, first) - n * second;
}

/// sin(r) for |r| <= 1.006 pi / 2, off by 2^-27.2 of it.
template <class D>
LOCKSTEP_INLINE D sin_of_rest(const D& r) {
  const D square = r * r;
  return r * (1 + square * polynomial(square, -0x1.55554b4d467b4p-3, 0x1.110ebe2deef33p-7,
                                      -0x1.9f6bd7e6eb70cp-13, 0x1.5d80238cad854p-19));
}

/// As `fast`, but f(x, its magnitude) in the lanes whose angle is large, and NaN where it is infinite or NaN.
template <class Function, class F>
[[gnu::noinline]] F with_large_angles(Function f, const F& x, const F& fast) {
  F result = fast;
  for (int i = 0; i < size_of<F>; ++i) {
    const float size = x[i] < 0 ? -x[i] : x[i];
    if (size < large_angle) continue;
    if (size < __builtin_inff())
      result[i] = static_cast<float>(x[i] < 0 ? f(size, -1.0) : f(size, 1.0));
    else
      result[i] = x[i] != x[i] ? x[i] + x[i] : __builtin_nanf("");
  }
  return result;
}
template <class F>
LOCKSTEP_INLINE bool any_large_angle(const F& x) {
  return any(bits_of(magnitude(x)) >= same_bits<std::uint32_t>(large_angle));
}

/// (-1)^m sin(x - n pi), where m are the lowest bits of `shifted`.
template <class F>
LOCKSTEP_INLINE F sin_near(const F& x, const F& n, const F& shifted) {
  const auto half = [](const auto& angle, const auto& multiple) __attribute__((always_inline)) {
    return sin_of_rest(reduced(angle, multiple, pi_part1, pi_part2));
  };
  return negated_by(in_double(half, x, n), bits_of(shifted) << 31);
}

template <class F>
LOCKSTEP_INLINE F sin(const F& x) {
  const F shifted = x * 0x1.45f306p-2f + rounding<F>;
  const F fast = sin_near(x, shifted - rounding<F>, shifted);
  if (!any_large_angle(x)) [[likely]]
    return fast;
  return with_large_angles(
      [](float size, double sign) {
        const ReducedAngle angle = reduced_large_angle(size, 0, 0);
        return sign * sin_of_rest(angle.odd ? -angle.rest : angle.rest);
      },
      x, fast);
}

/// cos(x) = -(-1)^m sin(x - (m + 1/2) pi).
template <class F>
LOCKSTEP_INLINE F cos(const F& x) {
  const F shifted = (x * 0x1.45f306p-2f - 0.5f) + rounding<F>;
  const F fast = -sin_near(x, (shifted - rounding<F>)+0.5f, shifted);
  if (!any_large_angle(x)) [[likely]]
    return fast;
  return with_large_angles(
      [](float size, double) {
        const ReducedAngle angle = reduced_large_angle(size, 0, std::uint64_t{1} << 62);
        return sin_of_rest(angle.odd ? -angle.rest : angle.rest);
      },
      x, fast);
}

/// Sine and cosine for |r| <= pi / 4, off by 2^-28 and 2^-33.9 of them.
template <class D>
LOCKSTEP_INLINE D short_sin(const D& r, const D& square) {
  return r * (1 + square * polynomial(square, -0x1.55554522f9a7ep-3, 0x1.110739b4dfe06p-7,
                                      -0x1.994375a976d3ep-13));
}
template <class D>
LOCKSTEP_INLINE D short_cos(const D& square) {
  return 1 + square * polynomial(square, -0x1.ffffffcb781b4p-2, 0x1.55553c74dc69ap-5,
                                 -0x1.6c07eff0287e1p-10, 0x1.991646b52fc21p-16);
}

template <class F>
LOCKSTEP_INLINE F tan(const F& x) {
  const auto half = [](const auto& angle) __attribute__((always_inline)) {
    using D = std::remove_cvref_t<decltype(angle)>;
    const D shifted = angle * 0x1.45f306dc9c883p-1 + rounding<D>;
    const D n = shifted - rounding<D>;
    const D r = reduced(angle, n, pi_part1 / 2, pi_part2 / 2);
    const D square = r * r;
    const D sine = short_sin(r, square), cosine = short_cos(square);
    // tan(r + pi / 2) = -cos(r) / sin(r): the two change places.
    const Bits<D> odd = bits_of(shifted) & 1;
    const Bits<D> exchanged = (bits_of(sine) ^ bits_of(cosine)) & (0 - odd);
    const D above = same_bits<D>(bits_of(sine) ^ exchanged),
            below = same_bits<D>(bits_of(cosine) ^ exchanged);
    return negated_by(above, odd << 63) / below;
  };
  const F fast = in_double(half, x);
  if (!any_large_angle(x)) [[likely]]
    return fast;
  return with_large_angles(
      [](float size, double sign) {
        const ReducedAngle angle = reduced_large_angle(size, 1, 0);
        const double square = angle.rest * angle.rest;
        const double sine = short_sin(angle.rest, square), cosine = short_cos(square);
        return sign * (angle.odd ? -cosine / sine : sine / cosine);
      },
      x, fast);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::simd
