#pragma once

#include <lockstep/lanes/detail/simd/doubles.hpp>
#include <lockstep/lanes/detail/simd/logarithm.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

/// 2 to the power of y log2 of x, in double. The logarithm is off by 2^-35.8 of it, so that the exponent is off by
/// 2^-28.6, the power by 2^-28.9 more.
template <class D>
LOCKSTEP_INLINE D power_in_double(const D& f, const D& k, const D& y) {
  const D log =
      k + f * polynomial(f, 0x1.71547652a1e8dp+0, -0x1.715476565d85ap-1, 0x1.ec709ebb99513p-2,
                         -0x1.71547097750a3p-2, 0x1.277651fa9c7b9p-2, -0x1.ec72b59473e83p-3,
                         0x1.a63f44bb0de1cp-3, -0x1.7141721dcf4e4p-3, 0x1.452915f1ab994p-3,
                         -0x1.252f24b8f8f2ap-3, 0x1.2871e4203f39cp-3, -0x1.24894b1cd0576p-3,
                         0x1.3ce96fa41a797p-4);
  const D x = at_least(-151.0, at_most(129.0, y * log));
  const D shifted = x + rounding<D>;
  const D r = x - (shifted - rounding<D>);
  const D power =
      1 + r * polynomial(r, 0x1.62e430b05438ep-1, 0x1.ebfbdc3660506p-3, 0x1.c6aee6dd48b4fp-5,
                         0x1.3b2d4faf0b63dp-7, 0x1.5f3f33f4749ebp-10, 0x1.41fb2156a2f89p-13);
  return same_bits<D>(bits_of(power) + (bits_of(shifted) << 52));
}

/// C's pow where x is not positive, or x or y not finite; `result` is that of |x| elsewhere.
template <class F>
[[gnu::noinline]] F power_of_any(const F& x, const F& y, const F& result) {
  const F size = magnitude(x), y_size = magnitude(y), one = all<F>(1), none{},
          infinity = all<F>(__builtin_inff());
  const auto unlimited = (size == 0) | (size == infinity) | (y_size == infinity);
  const auto grows = (size > 1) == (y > 0);
  const F limit = choose(size == 1, one, choose(grows, infinity, none));
  // From 2^23 on, all floats are integers; from 2^24 on, even ones.
  const F half = y_size * 0.5f;
  const auto whole = (y_size >= 0x1p23f) | ((y_size + 0x1p23f) - 0x1p23f == y_size);
  const auto even = (half >= 0x1p23f) | ((half + 0x1p23f) - 0x1p23f == half);
  const auto odd = whole & ~even;
  const F power =
      negated_by(choose(unlimited, limit, result), bits_of(x) & same_bits<Bits<F>>(odd));
  const auto undefined = (x < 0) & (size < infinity) & (y_size < infinity) & ~whole;
  const auto nan = undefined | (x != x) | (y != y);
  return choose((y == 0) | (x == 1), one, choose(nan, not_a_number<F>(), power));
}

template <class F>
LOCKSTEP_INLINE F pow(const F& x, const F& y) {
  const Split<F> parts = split_any(magnitude(x));
  const auto half =
      [](const auto& f, const auto& k, const auto& exponent) __attribute__((always_inline)) {
    return power_in_double(f, k, exponent);
  };
  const F result = in_double(half, parts.f, parts.k, y);
  const auto special = ((bits_of(x) - 1) >= 0x7f7fffffu) | (bits_of(magnitude(y)) >= 0x7f800000u);
  if (any(special)) [[unlikely]]
    return power_of_any(x, y, result);
  return result;
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::simd
