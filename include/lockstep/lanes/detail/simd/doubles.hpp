#pragma once

#include <lockstep/lanes/detail/simd/vectors.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail::simd {

/// Half as many doubles as F has floats.
template <class F>
using Doubles = Vector<double, size_of<F> / 2>;

/// The lower or upper half of the floats, exactly.
template <bool upper, class F>
LOCKSTEP_INLINE Doubles<F> widened(const F& v) {
  constexpr int half = size_of<F> / 2;
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return __builtin_convertvector(__builtin_shufflevector(v, v, (upper ? half : 0) + I...),
                                   Doubles<F>);
  }
  (std::make_integer_sequence<int, half>{});
}

/// Both halves, rounded to floats.
template <class F>
LOCKSTEP_INLINE F narrowed(const Doubles<F>& low, const Doubles<F>& high) {
  using Half = Vector<float, size_of<F> / 2>;
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return __builtin_shufflevector(__builtin_convertvector(low, Half),
                                   __builtin_convertvector(high, Half), I...);
  }
  (std::make_integer_sequence<int, size_of<F>>{});
}

/// f of the floats as doubles. A result in double is off by far less than the last bit of a float, so that rounding it
/// gives the nearest float for nearly all arguments.
template <class Function, class F, class... More>
LOCKSTEP_INLINE F in_double(Function f, const F& v, const More&... more) {
  return narrowed<F>(f(widened<false>(v), widened<false>(more)...),
                     f(widened<true>(v), widened<true>(more)...));
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail::simd
