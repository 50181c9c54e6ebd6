#pragma once

#include <lockstep/lanes/detail/math.hpp>
#include <lockstep/lanes/detail/simd/doubles.hpp>
#include <lockstep/lanes/detail/simd/logarithm.hpp>

/// \file
/// The inverse hyperbolic functions by their formulas with logarithms, in double: it has digits enough to lose half of
/// them where a logarithm's argument is next to 1. Below 2^-13 a function is its argument.

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

template <class D>
LOCKSTEP_INLINE D square_root_in_double(const D& v) {
  using Math = MathOps<double, size_of<D>>;
  return same_bits<D>(Math::sqrt(same_bits<typename Math::Each>(v)));
}

template <class F>
LOCKSTEP_INLINE F asinh(const F& x) {
  const auto half = [](const auto& v) __attribute__((always_inline)) {
    return log_in_double(v + square_root_in_double(v * v + 1));
  };
  const F size = magnitude(x);
  const auto moderate = (bits_of(size) - 0x39000000u) < 0x46800000u;  // from 2^-13, finite
  return choose(moderate, with_sign_of(in_double(half, size), x), x);
}

template <class F>
LOCKSTEP_INLINE F acosh(const F& x) {
  const auto half = [](const auto& v) __attribute__((always_inline)) {
    return log_in_double(v + square_root_in_double(v * v - 1));
  };
  const F result = choose(x < __builtin_inff(), in_double(half, x), x);
  return choose(x >= 1, result, not_a_number<F>());
}

template <class F>
LOCKSTEP_INLINE F atanh(const F& x) {
  const auto half = [](const auto& v) __attribute__((always_inline)) {
    return log_in_double((1 + v) / (1 - v)) * 0.5;
  };
  const F size = magnitude(x);
  const F outside = choose(size == 1, all<F>(__builtin_inff()), not_a_number<F>());
  const F result = choose(size < 1, in_double(half, size), outside);
  return with_sign_of(choose(size < 0x1p-13f, size, result), x);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::simd
