#pragma once

#include <lockstep/glsl/vec.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// \defgroup relational Vector relational functions (GLSL 4.60, 8.7)
///
/// Requires      Two vectors of one type. The operators == and != on vectors give one bool per lane
///               instead.
/// Active lanes  All lanes are computed, including inactive ones.
/// Errors        None.
/// Cost          N comparisons of Lanes; any, all and not_ a few scalar instructions.
/// Spec          GLSL names as below, not_ for not · SPIR-V OpFOrdLessThan, OpSLessThan, ...,
///               OpAny, OpAll, OpLogicalNot
/// Example       tests/glsl/relational.cpp
/// @{

#define LOCKSTEP_RELATION(name, op, types)                                                         \
  template <class T, int N, int W>                                                                 \
  requires(types) LOCKSTEP_INLINE Vec<bool, N, W> name(const Vec<T, N, W>& x,                      \
                                                       const Vec<T, N, W>& y) {                    \
    return map_components(                                                                         \
        [](const auto& a, const auto& b) __attribute__((always_inline)) { return a op b; }, x, y); \
  }
/// Component-wise x < y.
LOCKSTEP_RELATION(lessThan, <, detail::Number<T>)
/// Component-wise x <= y.
LOCKSTEP_RELATION(lessThanEqual, <=, detail::Number<T>)
/// Component-wise x > y.
LOCKSTEP_RELATION(greaterThan, >, detail::Number<T>)
/// Component-wise x >= y.
LOCKSTEP_RELATION(greaterThanEqual, >=, detail::Number<T>)
/// Component-wise x == y.
LOCKSTEP_RELATION(equal, ==, true)
/// Component-wise x != y.
LOCKSTEP_RELATION(notEqual, !=, true)
#undef LOCKSTEP_RELATION

/// Whether some component is true.
template <int N, int W>
LOCKSTEP_INLINE Lanes<bool, W> any(const Vec<bool, N, W>& x) {
  return detail::fold_components(
      [](const auto& a, const auto& b) __attribute__((always_inline)) { return a | b; }, x);
}
/// Whether every component is true.
template <int N, int W>
LOCKSTEP_INLINE Lanes<bool, W> all(const Vec<bool, N, W>& x) {
  return detail::fold_components(
      [](const auto& a, const auto& b) __attribute__((always_inline)) { return a & b; }, x);
}
/// Component-wise negation: GLSL's not, a reserved word in C++.
template <int N, int W>
LOCKSTEP_INLINE Vec<bool, N, W> not_(const Vec<bool, N, W>& x) {
  return x.map([](const auto& a) __attribute__((always_inline)) { return !a; });
}
/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
