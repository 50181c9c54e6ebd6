#pragma once

#include <lockstep/lanes/detail/simd/doubles.hpp>
#include <lockstep/lanes/detail/simd/exponential.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

/// cosh(r) and sinh(r) for |r| <= ln 2 / 2, off by 2^-34.3 and 2^-37.5 of them, and cosh and sinh of n ln 2, so that
/// those of n ln 2 + r follow from the addition theorem.
template <class D>
struct HyperbolicParts {
  D cosh, sinh, whole_cosh, whole_sinh;
};
/// Requires |x| <= 100.
template <class D>
LOCKSTEP_INLINE HyperbolicParts<D> hyperbolic_parts(const D& x) {
  const D shifted = x * 0x1.71547652b82fep0 + rounding<D>;
  const D r = x - (shifted - rounding<D>)*0x1.62e42fefa39efp-1;
  const D square = r * r;
  const D cosh = 1 + square * polynomial(square, 0x1.0000004343277p-1, 0x1.55547fd86663ap-5,
                                         0x1.6d96e83a2159fp-10);
  const D sinh = r * (1 + square * polynomial(square, 0x1.5555557388ce8p-3, 0x1.1110b1b004fc7p-7,
                                              0x1.a170294e62cdep-13));
  const Bits<D> n = bits_of(shifted);
  const D up = power_of_two<D>(n - 1), down = power_of_two<D>(all<Bits<D>>(0) - n - 1);
  return {cosh, sinh, up + down, up - down};
}

template <class F>
LOCKSTEP_INLINE F sinh(const F& x) {
  const auto half = [](const auto& v) __attribute__((always_inline)) {
    const auto p = hyperbolic_parts(v);
    return p.whole_sinh * p.cosh + p.whole_cosh * p.sinh;
  };
  const F result = with_sign_of(in_double(half, below(100.0f, magnitude(x))), x);
  return choose(x == x, result, x + x);
}

template <class F>
LOCKSTEP_INLINE F cosh(const F& x) {
  const auto half = [](const auto& v) __attribute__((always_inline)) {
    const auto p = hyperbolic_parts(v);
    return p.whole_cosh * p.cosh + p.whole_sinh * p.sinh;
  };
  return choose(x == x, in_double(half, below(100.0f, magnitude(x))), x + x);
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
