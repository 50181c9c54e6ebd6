#pragma once

#include <lockstep/lanes/detail/simd/doubles.hpp>

/// \file
/// sin, cos and tan of angles from 2^8 on, as accurate as of small ones: up to 2^17 in double, a register at a time, others
/// one by one.

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

inline constexpr float large_angle = 0x1p8f, huge_angle = 0x1p17f;

/// The bits of 2^exponent / pi from the one of weight 1 on. Requires -3 <= exponent <= 105.
LOCKSTEP_INLINE void inverse_of_pi(int exponent, std::uint64_t& high, std::uint64_t& low) {
  constexpr std::uint64_t bits[] = {0, 0x517cc1b727220a94, 0xfe13abe8fa9a6ee0, 0x6db14acc9e21c820,
                                    0xff28b1d5ef5de2b0};
  const int first = exponent + 63, word = first / 64, skipped = first % 64;
  // A shift by 64 would be undefined.
  high = bits[word] << skipped | bits[word + 1] >> 1 >> (63 - skipped);
  low = bits[word + 1] << skipped | bits[word + 2] >> 1 >> (63 - skipped);
}

/// A huge angle as 2^(1 - doubled) half turns, plus `offset` of them in units of 2^-63: the rest after rounding to an
/// integer, in radians, and whether that is odd. Multiples of two half turns change nothing and are not computed; the
/// rest is off by 2^-61, at least 2^-32 of itself.
struct ReducedAngle {
  double rest;
  bool odd;
};
/// Requires a finite x of at least 2^17, without its sign.
inline ReducedAngle reduced_huge_angle(float x, int doubled, std::uint64_t offset) {
  const auto encoding = same_bits<std::uint32_t>(x);
  const std::uint64_t significand = (encoding & 0x007fffffu) | 0x00800000u;
  std::uint64_t high, low;
  inverse_of_pi(static_cast<int>(encoding >> 23) - 150 + doubled, high, low);
  const std::uint64_t turns = significand * high + (significand * (low >> 32) >> 32) + offset;
  const std::uint64_t n = (turns + (std::uint64_t{1} << 62)) >> 63;
  const auto rest = static_cast<std::int64_t>(turns - (n << 63));
  constexpr double pi = 0x1.921fb54442d18p1;
  return {static_cast<double>(rest) * (doubled != 0 ? 0x1p-64 : 0x1p-63) * pi, n != 0};
}

/// angle - n steps, where a step is pi / `divisor`. The first part of pi has 32 bits, n at most 18 with its half, so that
/// their product is exact; and so is the difference. n comes from a float product, so that the rest may exceed half a
/// step, by less than 1.2 %; the polynomials' bounds hold up to there.
template <class D>
LOCKSTEP_INLINE D rest_of_large_angle(const D& angle, const D& n, double divisor) {
  return minus_exact_product(angle, n, 0x1.921fb544p1 / divisor) -
         n * (0x1.0b4611a626331p-33 / divisor);
}
/// sin(r) for |r| <= 1.006 pi / 2, off by 2^-27.2 of it.
template <class D>
LOCKSTEP_INLINE D sin_in_double(const D& r) {
  const D square = r * r;
  return r * (1 + square * polynomial(square, -0x1.55554b4d467b4p-3, 0x1.110ebe2deef33p-7,
                                      -0x1.9f6bd7e6eb70cp-13, 0x1.5d80238cad854p-19));
}
/// tan(r) for |r| <= 1.012 pi / 4, as sine and cosine, off by 2^-28 and 2^-33.9 of them.
template <class D>
LOCKSTEP_INLINE D tan_in_double(const D& r) {
  const D square = r * r;
  const D sine = r * (1 + square * polynomial(square, -0x1.55554522f9a7ep-3, 0x1.110739b4dfe06p-7,
                                              -0x1.994375a976d3ep-13));
  const D cosine = 1 + square * polynomial(square, -0x1.ffffffcb781b4p-2, 0x1.55553c74dc69ap-5,
                                           -0x1.6c07eff0287e1p-10, 0x1.991646b52fc21p-16);
  return sine / cosine;
}

// Each has the function of a huge angle without its sign, which is -1 or 1, and that of large angles.

struct LargeSine {
  static double of_huge(float size, double sign) {
    const ReducedAngle angle = reduced_huge_angle(size, 0, 0);
    return sign * sin_in_double(angle.odd ? -angle.rest : angle.rest);
  }
  template <class F>
  LOCKSTEP_INLINE static F of_large(const F& x) {
    const F shifted = x * 0x1.45f306p-2f + rounding<F>;
    return negated_by(in_double(LOCKSTEP_INLINED(rest), x, shifted - rounding<F>), bits_of(shifted)
                                                                                       << 31);
  }
  template <class D>
  LOCKSTEP_INLINE static D rest(const D& angle, const D& n) {
    return sin_in_double(rest_of_large_angle(angle, n, 1));
  }
};

struct LargeCosine {
  static double of_huge(float size, double) {
    const ReducedAngle angle = reduced_huge_angle(size, 0, std::uint64_t{1} << 62);
    return sin_in_double(angle.odd ? -angle.rest : angle.rest);
  }
  template <class F>
  LOCKSTEP_INLINE static F of_large(const F& x) {
    const F shifted = (x * 0x1.45f306p-2f - 0.5f) + rounding<F>;
    const F n = (shifted - rounding<F>)+0.5f;
    return -negated_by(in_double(LOCKSTEP_INLINED(LargeSine::rest), x, n), bits_of(shifted) << 31);
  }
};

struct LargeTangent {
  static double of_huge(float size, double sign) {
    const ReducedAngle angle = reduced_huge_angle(size, 1, 0);
    const double tangent = tan_in_double(angle.rest);
    return sign * (angle.odd ? -1 / tangent : tangent);
  }
  template <class F>
  LOCKSTEP_INLINE static F of_large(const F& x) {
    const F shifted = x * 0x1.45f306p-1f + rounding<F>;
    const Bits<F> odd = bits_of(shifted) & 1;
    const auto half =
        [](const auto& angle, const auto& n, const auto& is_odd) __attribute__((always_inline)) {
      const auto tangent = tan_in_double(rest_of_large_angle(angle, n, 2));
      return choose(is_odd != 0, -1 / tangent, tangent);
    };
    return in_double(half, x, shifted - rounding<F>, __builtin_convertvector(odd, F));
  }
};

/// As `result`, but of the angles that are large, and NaN where they are infinite.
template <class Large, class F>
[[gnu::noinline]] F with_large_angles(const F& x, const F& result) {
  const F size = magnitude(x);
  F all = choose(size < large_angle, result, Large::of_large(x));
  for (int i = 0; i < size_of<F>; ++i) {
    if (size[i] < huge_angle) continue;
    if (size[i] < __builtin_inff())
      all[i] = static_cast<float>(Large::of_huge(size[i], x[i] < 0 ? -1.0 : 1.0));
    else
      all[i] = x[i] != x[i] ? x[i] + x[i] : __builtin_nanf("");
  }
  return all;
}
template <class F>
LOCKSTEP_INLINE bool any_large_angle(const F& x) {
  return any(bits_of(magnitude(x)) >= same_bits<std::uint32_t>(large_angle));
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::simd
