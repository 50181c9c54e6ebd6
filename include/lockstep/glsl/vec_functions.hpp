#pragma once

#include <lockstep/glsl/detail/function_list.hpp>
#include <lockstep/glsl/functions.hpp>
#include <lockstep/glsl/functions/common_float16.hpp>
#include <lockstep/glsl/functions/packing_float16.hpp>
#include <lockstep/glsl/vec.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

namespace detail {

/// The result of f for each component, if that is not a vector's component itself.
template <class R, int N>
struct PerComponent {
  R of[N];
};

template <class V, class F, int... K, class... A>
LOCKSTEP_INLINE auto each_component(std::integer_sequence<int, K...>, F f, const A&... a) {
  using T = typename V::value_type;
  const auto at = [&](auto k) __attribute__((always_inline)) {
    return f(component_of<k, T>(a)...);
  };
  using R = decltype(at(std::integral_constant<int, 0>{}));
  return PerComponent<R, sizeof...(K)>{{at(std::integral_constant<int, K>{})...}};
}

}  // namespace detail

/// \defgroup vec_functions GLSL's functions of glsl/functions.hpp on vectors
///
/// Requires      At least one vector; all vectors have the same number of components. Any other
///               argument may be lanes or a scalar, which is used for every component.
/// Active lanes  As for the function on lanes.
/// Errors        As for the function on lanes.
/// Cost          N times the function on lanes.
/// Spec          GLSL names as below · SPIR-V as for the function on lanes
/// Example       tests/glsl/vec_functions.cpp
/// @{

#define LOCKSTEP_LIFT(name)                                                                \
  template <class... A>                                                                    \
  requires detail::ComponentWise<A...> LOCKSTEP_INLINE auto name(const A&... a) {          \
    return map_components(                                                                 \
        [](const auto&... c) __attribute__((always_inline)) { return name(c...); }, a...); \
  }
LOCKSTEP_FUNCTIONS(LOCKSTEP_LIFT)
#undef LOCKSTEP_LIFT

// Functions with two results return a struct of two vectors, its members named as on lanes.
#define LOCKSTEP_LIFT_PAIR(name, Result, first, second)                                      \
  template <class First, class Second>                                                       \
  struct Result {                                                                            \
    First first;                                                                             \
    Second second;                                                                           \
  };                                                                                         \
  template <class... A>                                                                      \
  requires detail::ComponentWise<A...> LOCKSTEP_INLINE auto name(const A&... a) {            \
    using V = typename detail::FirstVec<A...>::type;                                         \
    constexpr int N = V::components;                                                         \
    constexpr int W = V::width;                                                              \
    const auto pair = detail::each_component<V>(                                             \
        std::make_integer_sequence<int, N>{},                                                \
        [](const auto&... c) __attribute__((always_inline)) { return name(c...); }, a...);   \
    const auto one = detail::generate_vec<N, W>([&](auto k) __attribute__((always_inline)) { \
      return pair.of[k].first;                                                               \
    });                                                                                      \
    const auto two = detail::generate_vec<N, W>([&](auto k) __attribute__((always_inline)) { \
      return pair.of[k].second;                                                              \
    });                                                                                      \
    using First = std::remove_const_t<decltype(one)>;                                        \
    using Second = std::remove_const_t<decltype(two)>;                                       \
    return Result<First, Second>{one, two};                                                  \
  }
LOCKSTEP_LIFT_PAIR(modf, VecModfResult, fraction, whole)
LOCKSTEP_LIFT_PAIR(frexp, VecFrexpResult, significand, exponent)
LOCKSTEP_LIFT_PAIR(uaddCarry, VecAddCarryResult, sum, carry)
LOCKSTEP_LIFT_PAIR(usubBorrow, VecSubBorrowResult, difference, borrow)
LOCKSTEP_LIFT_PAIR(umulExtended, VecUmulExtendedResult, msb, lsb)
LOCKSTEP_LIFT_PAIR(imulExtended, VecImulExtendedResult, msb, lsb)
#undef LOCKSTEP_LIFT_PAIR

// Packing takes a vector as one value. Unpacking returns components, from which a Vec is made.
#define LOCKSTEP_PACK_2(name, number)                                        \
  template <class T, int W>                                                  \
  requires std::same_as<detail::Plain<T>, number> LOCKSTEP_INLINE auto name( \
      const Vec<T, 2, W>& v) {                                               \
    return name(v.x, v.y);                                                   \
  }
#define LOCKSTEP_PACK_4(name)               \
  template <class T, int W>                 \
  requires std::same_as < detail::Plain<T>, \
  float > LOCKSTEP_INLINE auto name(const Vec<T, 4, W>& v) { return name(v.x, v.y, v.z, v.w); }
LOCKSTEP_PACK_2(packUnorm2x16, float)
LOCKSTEP_PACK_2(packSnorm2x16, float)
LOCKSTEP_PACK_2(packHalf2x16, float)
LOCKSTEP_PACK_2(packDouble2x32, std::uint32_t)
LOCKSTEP_PACK_4(packUnorm4x8)
LOCKSTEP_PACK_4(packSnorm4x8)
#undef LOCKSTEP_PACK_2
#undef LOCKSTEP_PACK_4

/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
