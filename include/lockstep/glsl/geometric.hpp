#pragma once

#include <lockstep/glsl/functions/exponential.hpp>
#include <lockstep/glsl/vec.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

namespace detail {

// A kernel variable counts as the value that it derives from.
template <class T, int N, int W>
Vec<T, N, W> generic_type(const Vec<T, N, W>&);
template <class T, int W>
Lanes<T, W> generic_type(const Lanes<T, W>&);

template <class A>
using Generic = decltype(generic_type(std::declval<const A&>()));

/// GLSL's genFType and genDType, and their float16_t counterpart: floating-point lanes or vectors.
template <class A>
concept GenericFloat = Floating<Plain<typename Generic<A>::value_type>>;

template <class A>
using GenericLanes = Lanes<typename Generic<A>::value_type, Generic<A>::width>;

/// The type of constants.
template <class A>
using GenericPlain = Plain<typename Generic<A>::value_type>;

}  // namespace detail

/// \defgroup geometric Geometric functions (GLSL 4.60, 8.5)
///
/// Requires      Vectors or lanes of float, double or float16_t, all arguments of one type; cross
///               takes vectors of 3. eta is lanes or one uniform scalar.
/// Active lanes  All lanes are computed, including inactive ones.
/// Errors        None: normalize of a zero vector divides by zero, which GLSL leaves undefined.
/// Cost          A handful of operations on Lanes; sums run from component x to w.
/// Spec          GLSL names as below · SPIR-V OpDot, GLSL.std.450 Length, Distance, Cross,
///               Normalize, FaceForward, Reflect, Refract
/// Example       tests/glsl/geometric.cpp
/// @{

/// x.x * y.x + x.y * y.y + ...
template <detail::GenericFloat A>
LOCKSTEP_INLINE detail::GenericLanes<A> dot(const A& x, const detail::Generic<A>& y) {
  if constexpr (VecOfLanes<A>) {
    return detail::fold_components(
        [](const auto& a, const auto& b) __attribute__((always_inline)) { return a + b; }, x * y);
  } else {
    return x * y;
  }
}
/// Square root of dot(x, x).
template <detail::GenericFloat A>
LOCKSTEP_INLINE detail::GenericLanes<A> length(const A& x) {
  return sqrt(dot(x, x));
}
/// length(p0 - p1).
template <detail::GenericFloat A>
LOCKSTEP_INLINE detail::GenericLanes<A> distance(const A& p0, const detail::Generic<A>& p1) {
  return length(p0 - p1);
}
/// The vector perpendicular to both, right-handed.
template <class T, int W>
requires detail::Floating<detail::Plain<T>> LOCKSTEP_INLINE Vec<T, 3, W> cross(
    const Vec<T, 3, W>& x, const Vec<T, 3, W>& y) {
  return {x.y * y.z - y.y * x.z, x.z * y.x - y.z * x.x, x.x * y.y - y.x * x.y};
}
/// x / length(x).
template <detail::GenericFloat A>
LOCKSTEP_INLINE detail::Generic<A> normalize(const A& x) {
  return x / length(x);
}
/// n where dot(nref, i) < 0, -n elsewhere.
template <detail::GenericFloat A>
LOCKSTEP_INLINE detail::Generic<A> faceforward(const A& n, const detail::Generic<A>& i,
                                               const detail::Generic<A>& nref) {
  using V = detail::Generic<A>;
  return select(dot(nref, i) < detail::GenericLanes<A>(detail::GenericPlain<A>(0)), V(n), -n);
}
/// The direction i reflected at the surface with normal n, which must have length 1.
template <detail::GenericFloat A>
LOCKSTEP_INLINE detail::Generic<A> reflect(const A& i, const detail::Generic<A>& n) {
  using T = detail::GenericPlain<A>;
  return i - n * (dot(n, i) * T(2));
}
/// The direction i refracted at the surface with normal n and the ratio of refraction indices eta;
/// zero on total reflection. i and n must have length 1.
template <detail::GenericFloat A>
LOCKSTEP_INLINE detail::Generic<A> refract(const A& i, const detail::Generic<A>& n,
                                           const detail::GenericLanes<A>& eta) {
  using V = detail::Generic<A>;
  using L = detail::GenericLanes<A>;
  using T = detail::GenericPlain<A>;
  const L cosine = dot(n, i);
  const L k = L(T(1)) - eta * eta * (L(T(1)) - cosine * cosine);
  return select(k < L(T(0)), V(T(0)), i * eta - n * (eta * cosine + sqrt(k)));
}
/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
