#pragma once

#include <lockstep/lanes/detail/simd/vectors.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

/// x = (1 + f) 2^k with 1 + f from sqrt(1/2) to sqrt(2), where f is exact.
template <class V>
struct Split {
  V k, f;
};
/// Of positive normal floats.
template <class F>
LOCKSTEP_INLINE Split<F> split(const F& x) {
  constexpr std::uint32_t root = 0x3f3504f3u, one = 0x3f800000u;  // sqrt(1/2)
  const Bits<F> shifted = bits_of(x) + (one - root);
  const auto k = same_bits<SignedBits<F>>(shifted >> 23) - 127;
  const F m = same_bits<F>((shifted & 0x007fffffu) + root);
  return {__builtin_convertvector(k, F), m - 1};
}

/// log2 of 1 + f, plus k. The polynomial is off by 2^-27.9.
template <class F>
LOCKSTEP_INLINE F log2_of(const Split<F>& x) {
  // The coefficient of f is 1.44: its 1.5 is exact, and summed last.
  const F square =
      x.f * x.f *
      polynomial(x.f, -0x1.715470p-1f, 0x1.ec7096p-2f, -0x1.715a76p-2f, 0x1.277e36p-2f,
                 -0x1.eabc84p-3f, 0x1.a305a8p-3f, -0x1.874c00p-3f, 0x1.7d494ep-3f, -0x1.c25a22p-4f);
  const F rest = x.f * 0.5f + (x.f * -0x1.d57136p-5f + square);
  return x.k + (x.f + rest);
}

/// The natural logarithm of 1 + f, plus k ln 2. The polynomial is off by 2^-27.9.
template <class F>
LOCKSTEP_INLINE F log_of(const Split<F>& x) {
  const F square =
      x.f * x.f *
      polynomial(x.f, -0x1.fffff8p-2f, 0x1.555550p-2f, -0x1.000426p-2f, 0x1.99a3f4p-3f,
                 -0x1.542772p-3f, 0x1.22719cp-3f, -0x1.0f3748p-3f, 0x1.08484ap-3f, -0x1.38304ep-4f);
  // ln 2 in two parts; k times the first is exact.
  return x.k * 0x1.62e4p-1f + (x.f + (square + x.k * 0x1.7f7d1cp-20f));
}

/// Any float, small ones multiplied by 2^23 to be normal.
template <class F>
LOCKSTEP_INLINE Split<F> split_any(const F& x) {
  const auto small = x < 0x1p-126f;
  const Split<F> parts = split(choose(small, x * 0x1p23f, x));
  return {parts.k - choose(small, all<F>(23), F{}), parts.f};
}

/// f(parts) where x is a positive finite number; elsewhere what a logarithm gives.
template <class Function, class F>
[[gnu::noinline]] F logarithm_of_any(Function f, const F& x) {
  const F infinity = all<F>(__builtin_inff());
  const F outside = choose(x == 0, -infinity, choose(x == infinity, infinity, not_a_number<F>()));
  return choose((bits_of(x) - 1) < 0x7f7fffffu, f(split_any(x)), outside);
}
template <class Function, class F>
LOCKSTEP_INLINE F logarithm(Function f, const F& x) {
  // Zeros, negative numbers, subnormal numbers, infinities and NaN are rare together.
  if (any((bits_of(x) - 0x00800000u) >= 0x7f000000u)) [[unlikely]]
    return logarithm_of_any(f, x);
  return f(split(x));
}

template <class F>
LOCKSTEP_INLINE F log2(const F& x) {
  return logarithm([](const Split<F>& parts) { return log2_of(parts); }, x);
}
template <class F>
LOCKSTEP_INLINE F log(const F& x) {
  return logarithm([](const Split<F>& parts) { return log_of(parts); }, x);
}

/// The natural logarithm of positive finite doubles, off by 2^-27.9 of it.
template <class D>
LOCKSTEP_INLINE D log_in_double(const D& x) {
  constexpr std::uint64_t root = 0x3fe6a09e667f3bcdu, one = 0x3ff0000000000000u,
                          fraction = 0x000fffffffffffffu;
  const Bits<D> shifted = bits_of(x) + (one - root);
  const D f = same_bits<D>((shifted & fraction) + root) - 1;
  // The exponent as the lowest bits of 2^52: AVX2 converts no 64-bit integers.
  const D k = same_bits<D>((shifted >> 52) | 0x4330000000000000u) - (0x1p52 + 1023);
  const D log = f * polynomial(f, 0x1.ffffffffa4487p-1, -0x1.fffff823f2cbdp-2, 0x1.55555069f914cp-2,
                               -0x1.000428c691e68p-2, 0x1.99a3eb77cad0fp-3, -0x1.54270d776526dp-3,
                               0x1.2271a97435dd3p-3, -0x1.0f39f05087416p-3, 0x1.08499dd94e97bp-3,
                               -0x1.382907784b0a5p-4);
  return log + k * 0x1.62e42fefa39efp-1;
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::simd
