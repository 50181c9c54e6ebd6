#pragma once

#include <lockstep/lanes/detail/math.hpp>
#include <lockstep/lanes/detail/simd/vectors.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

/// pi / 2 as the sum of two floats.
inline constexpr float half_pi_high = 0x1.921fb6p0f, half_pi_low = -0x1.777a5cp-25f;

template <class F>
LOCKSTEP_INLINE F square_root(const F& v) {
  using Math = MathOps<float, size_of<F>>;
  return same_bits<F>(Math::sqrt(same_bits<typename Math::Each>(v)));
}

/// The arc sine of |x| <= 1/2, or of root = sqrt((1 - |x|) / 2) from which that of other x follows: root + rest.
template <class F>
struct ArcSine {
  SignedBits<F> small;  ///< |x| < 1/2
  F root, rest;
};
/// The polynomial is off by 2^-27.6.
template <class F>
LOCKSTEP_INLINE ArcSine<F> arc_sine(const F& size) {
  const SignedBits<F> small = size < 0.5f;
  const F square = choose(small, size * size, (1 - size) * 0.5f);
  const F root = choose(small, size, square_root(square));
  const F rest = root * (square * polynomial(square, 0x1.5555c8p-3f, 0x1.3301cap-4f, 0x1.748106p-5f,
                                             0x1.8c0b5ap-6f, 0x1.59873ep-5f));
  return {small, root, rest};
}

/// (high + low) + (value + rest), where |high| >= |value| or high is zero.
template <class F>
LOCKSTEP_INLINE F sum(const F& high, const F& low, const F& value, const F& rest) {
  const F total = high + value;
  const F lost = (high - total) + value;
  return total + (lost + (low + rest));
}

template <class F>
LOCKSTEP_INLINE F asin(const F& x) {
  const ArcSine<F> s = arc_sine(magnitude(x));
  const F large = sum(all<F>(half_pi_high), all<F>(half_pi_low), -2 * s.root, -2 * s.rest);
  // A NaN's sign becomes that of x, too.
  return with_sign_of(choose(s.small, s.root + s.rest, large), x);
}

template <class F>
LOCKSTEP_INLINE F acos(const F& x) {
  const F size = magnitude(x);
  const ArcSine<F> s = arc_sine(size);
  // pi / 2 - asin(x), also of half the angle for negative x.
  const Bits<F> flipped = bits_of(x) & same_bits<Bits<F>>(s.small);
  const F rest =
      half_pi_high - (negated_by(s.root, flipped) + (negated_by(s.rest, flipped) - half_pi_low));
  const F half = choose(x < 0, rest, s.root + s.rest);
  return choose(size <= 1, choose(s.small, rest, half + half), not_a_number<F>());
}

/// A fraction for angles: low / high, or from 1/2 on (low - high) / (low + high), whose arc tangent is less by pi / 4. The
/// first difference is exact.
template <class F>
struct Fraction {
  SignedBits<F> less;
  F above, below;
};
template <class F>
LOCKSTEP_INLINE Fraction<F> fraction_of(const F& low, const F& high) {
  const SignedBits<F> less = low + low > high;
  return {less, choose(less, low - high, low), choose(less, low + high, high)};
}

/// What rounding took from ratio = above / below, to a few bits: the division's remainder by `below`. The products of
/// the halves of significands are exact.
template <class F>
LOCKSTEP_INLINE F rest_of_ratio(const F& above, const F& below, const F& ratio) {
  const F ratio_high = same_bits<F>(bits_of(ratio) & 0xfffff000u), ratio_low = ratio - ratio_high;
  const F below_high = same_bits<F>(bits_of(below) & 0xfffff000u), below_low = below - below_high;
  const F remainder =
      ((above - ratio_high * below_high) - ratio_high * below_low) - ratio_low * below;
  // The difference of encodings is a reciprocal to 12 %, Newton's step makes it one to 2 %.
  const F rough = same_bits<F>(0x7ef311c7u - bits_of(below));
  // Below this, products could be subnormal; and the ratio, which is the angle then, needs no rest.
  return choose(magnitude(above) > 0x1p-100f, remainder * (rough * (2 - below * rough)), F{});
}

/// An angle of `eighths` times pi / 4 plus the arc tangent of a fraction whose ratio and its rest are given, which the
/// sign bit of `backwards` negates.
template <class F>
LOCKSTEP_INLINE F angle_of(const F& eighths, const Bits<F>& backwards, const SignedBits<F>& less,
                           const F& ratio, const F& ratio_rest) {
  const F turns = eighths + choose(less, negated_by(all<F>(1), backwards), F{});
  // The polynomial is off by 2^-27.5.
  const F square = ratio * ratio;
  const F rest = ratio * (square * polynomial(square, -0x1.555512p-2f, 0x1.997b4ap-3f,
                                              -0x1.224d46p-3f, 0x1.a020fap-4f, -0x1.a45e9ep-5f));
  // pi / 4 in two parts; up to four times the first is exact.
  return sum(turns * 0x1.921fb0p-1f, turns * 0x1.5110b4p-23f, negated_by(ratio, backwards),
             negated_by(rest + ratio_rest, backwards));
}

template <class F>
LOCKSTEP_INLINE F atan(const F& x) {
  const F size = magnitude(x), one = all<F>(1), none{};
  const auto large = size > 1;  // atan(x) = pi / 2 - atan(1 / x)
  const Fraction<F> fraction = fraction_of(choose(large, one, size), choose(large, size, one));
  const F angle = angle_of(choose(large, all<F>(2), none), same_bits<Bits<F>>(large), fraction.less,
                           fraction.above / fraction.below, none);
  return with_sign_of(angle, x);
}

/// The angle of (x, y). Requires that the larger magnitude is from 2^-60 to below 2^125.
template <class F>
LOCKSTEP_INLINE F angle_of_point(const F& y, const F& x) {
  const F rise = magnitude(y), run = magnitude(x), none{};
  const auto steep = rise > run;
  const auto left = same_bits<SignedBits<F>>(x) < 0;
  const F eighths = choose(steep, all<F>(2), choose(left, all<F>(4), none));
  const Fraction<F> fraction = fraction_of(choose(steep, run, rise), choose(steep, rise, run));
  const F ratio = fraction.above / fraction.below;
  const F angle = angle_of(eighths, same_bits<Bits<F>>(steep) ^ bits_of(x), fraction.less, ratio,
                           rest_of_ratio(fraction.above, fraction.below, ratio));
  return with_sign_of(angle, y);
}

/// The same of any point: scaled, or another one on the same ray.
template <class F>
[[gnu::noinline]] F angle_of_any_point(const F& y, const F& x) {
  const F rise = magnitude(y), run = magnitude(x), one = all<F>(1), none{},
          infinity = all<F>(__builtin_inff());
  const F larger = choose(rise > run, rise, run);
  const F scale =
      choose(larger >= 0x1p125f, all<F>(0x1p-4f), choose(larger < 0x1p-60f, all<F>(0x1p100f), one));
  const auto infinite = (rise == infinity) | (run == infinity);
  const F scaled_rise = choose(infinite, choose(rise == infinity, one, none), rise * scale);
  const F scaled_run =
      choose(infinite, choose(run == infinity, one, none), choose(larger == 0, one, run * scale));
  const F angle = angle_of_point(with_sign_of(scaled_rise, y), with_sign_of(scaled_run, x));
  return choose((x != x) | (y != y), not_a_number<F>(), angle);
}

template <class F>
LOCKSTEP_INLINE F atan2(const F& y, const F& x) {
  const auto rise = same_bits<SignedBits<F>>(magnitude(y)),
             run = same_bits<SignedBits<F>>(magnitude(x));
  const Bits<F> larger = same_bits<Bits<F>>(rise > run ? rise : run);
  // Both small, or one large, infinite or NaN.
  if (any(larger - 0x21800000u >= 0x5c800000u)) [[unlikely]]
    return angle_of_any_point(y, x);
  return angle_of_point(y, x);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::simd
