#pragma once

#include <lockstep/glsl/vec.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

namespace detail {

/// One bool per component of a vector of T.
template <class T, int N, int W>
using BoolsOf = Vec<typename Lanes<T, W>::Bool::value_type, N, W>;

template <class B>
concept BoolNumber = std::same_as < Plain<B>,
bool > ;

}  // namespace detail

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
  requires(types) LOCKSTEP_INLINE detail::BoolsOf<T, N, W> name(const Vec<T, N, W>& x,             \
                                                                const Vec<T, N, W>& y) {           \
    return map_components(                                                                         \
        [](const auto& a, const auto& b) __attribute__((always_inline)) { return a op b; }, x, y); \
  }
/// Component-wise x < y.
LOCKSTEP_RELATION(lessThan, <, detail::Number<detail::Plain<T>>)
/// Component-wise x <= y.
LOCKSTEP_RELATION(lessThanEqual, <=, detail::Number<detail::Plain<T>>)
/// Component-wise x > y.
LOCKSTEP_RELATION(greaterThan, >, detail::Number<detail::Plain<T>>)
/// Component-wise x >= y.
LOCKSTEP_RELATION(greaterThanEqual, >=, detail::Number<detail::Plain<T>>)
/// Component-wise x == y.
LOCKSTEP_RELATION(equal, ==, true)
/// Component-wise x != y.
LOCKSTEP_RELATION(notEqual, !=, true)
#undef LOCKSTEP_RELATION

/// Whether some component is true.
template <detail::BoolNumber B, int N, int W>
LOCKSTEP_INLINE Lanes<B, W> any(const Vec<B, N, W>& x) {
  return detail::fold_components(
      [](const auto& a, const auto& b) __attribute__((always_inline)) { return a | b; }, x);
}
/// Whether every component is true.
template <detail::BoolNumber B, int N, int W>
LOCKSTEP_INLINE Lanes<B, W> all(const Vec<B, N, W>& x) {
  return detail::fold_components(
      [](const auto& a, const auto& b) __attribute__((always_inline)) { return a & b; }, x);
}
/// Component-wise negation: GLSL's not, a reserved word in C++.
template <detail::BoolNumber B, int N, int W>
LOCKSTEP_INLINE Vec<B, N, W> not_(const Vec<B, N, W>& x) {
  return x.map([](const auto& a) __attribute__((always_inline)) { return !a; });
}
/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
