#pragma once

#include <utility>

#include <lockstep/glsl/detail/vec_arguments.hpp>
#include <lockstep/glsl/detail/vec_swizzles.hpp>
#include <lockstep/lanes/detail/element.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

namespace detail {

/// f(f(f(x, y), z), w), for as many components as there are.
template <class F, class T, int N, int W>
LOCKSTEP_INLINE Lanes<T, W> fold_components(F f, const Vec<T, N, W>& v) {
  if constexpr (N == 2)
    return f(v.x, v.y);
  else if constexpr (N == 3)
    return f(f(v.x, v.y), v.z);
  else
    return f(f(f(v.x, v.y), v.z), v.w);
}

/// The vector of N components g(k), which are Lanes<R, W> or uniform.
template <int N, int W, class G>
LOCKSTEP_INLINE auto generate_vec(const G& g) {
  using Each = std::remove_cvref_t<decltype(g(std::integral_constant<int, 0>{}))>;
  if constexpr (AnyLanes<Each>)
    return VecOf<Each, N>::generate(g);
  else
    return Vec<Each, N, W>::generate(g);
}

}  // namespace detail

/// f applied component-wise: component k is f(component k of each vector). Arguments that are
/// not vectors are used for every component. It lifts all of GLSL's functions from lanes to
/// vectors.
///
/// Requires      At least one vector; all vectors have the same number of components.
/// Active lanes  As for f.
/// Errors        None.
/// Cost          N times f.
/// Spec          GLSL "the function operates component-wise"
/// Example       tests/glsl/vec.cpp
template <class F, class... A>
requires detail::ComponentWise<A...> LOCKSTEP_INLINE auto map_components(F f, const A&... a) {
  using V = typename detail::FirstVec<A...>::type;
  using T = typename V::value_type;
  return detail::generate_vec<V::components, V::width>([&](auto k) __attribute__((always_inline)) {
    return f(detail::component_of<k, T>(a)...);
  });
}

/// A GLSL vector of N components, each a Lanes<T, W>: every lane has a vector of its own.
///
/// Components are the members x, y, z, w, or v[k]. Each selection of two to four of them is a member
/// named as in GLSL, `v.xyz`, `v.wwxx`, also with the letters r, g, b, a; `v.xyz()` is the same.
/// Operators work component-wise, and lanes or a uniform scalar are used for every component; == and
/// != give one bool per lane.
///
/// Requires      2 <= N <= 4; T as for Lanes, bool included; 1 <= W <= 128.
/// Active lanes  As for every Lanes: all lanes are computed, and there is no assignment, because
///               assignment must respect the active mask.
/// Errors        None; a component or swizzle that the vector lacks does not compile.
/// Cost          N times the operation on Lanes, in registers.
/// Spec          GLSL vec dvec f16vec ivec uvec i8vec ... bvec · SPIR-V OpTypeVector
/// Example       tests/glsl/vec.cpp
template <class T, int N, int W>
struct Vec : detail::Swizzles<Vec<T, N, W>, T, N, W>, detail::VecComponents<Lanes<T, W>, N> {
  static_assert(2 <= N && N <= 4, "a vector has 2, 3 or 4 components");

 private:
  struct Generate {};

 public:
  using value_type = T;
  using lane_type = Lanes<T, W>;
  using Bool = typename lane_type::Bool;
  static constexpr int components = N;
  static constexpr int width = W;

  Vec() = delete;  // a value is needed: vec3 v(0.0f), or a variable: auto v = var(vec3(0.0f))
  Vec(const Vec&) = default;
  /// Deleted: assignment must respect the active mask. Make a variable with var(value) and assign to
  /// that.
  Vec& operator=(const Vec&) = delete;

  /// As GLSL's constructors: one scalar for all components; components from scalars and vectors in
  /// order; or the first components of a larger vector. Each is converted to T.
  template <class... A>
  requires(detail::fills_components<N, T, W, A...>()) LOCKSTEP_INLINE explicit(sizeof...(A) == 1)
      Vec(const A&... parts)
      : Vec(
            Generate{}, [&](auto k) __attribute__((always_inline)) {
              return detail::nth_component<T, W, k>(parts...);
            }) {}
  template <class A>
  requires detail::OneComponent<A, T, W> LOCKSTEP_INLINE explicit Vec(const A& all)
      : Vec(
            Generate{}, [lanes = detail::to_lanes<T, W>(all)](auto)
                            __attribute__((always_inline)) { return lanes; }) {}
  /// The same with elements of arrays or parts of them, which are read first.
  template <class... A>
  requires((detail::ElementArgument<A> || ...) &&
           std::constructible_from<Vec, decltype(detail::argument(std::declval<A>()))...>)
      LOCKSTEP_INLINE explicit(sizeof...(A) == 1) Vec(A&&... parts)
      : Vec(detail::argument(static_cast<A&&>(parts))...) {}
  /// A value with N components of those names and this type: a Ballot, or the result of an unpack
  /// function.
  template <class A>
  requires(detail::has_named_components<A, T, N, W>()) LOCKSTEP_INLINE Vec(const A& named)
      : Vec(
            Generate{}, [&](auto k) __attribute__((always_inline)) {
              return lane_type(detail::named_component<k>(named));
            }) {}
  /// Component k is make(k), where k is a std::integral_constant<int, ...>.
  template <class G>
  LOCKSTEP_INLINE static Vec generate(const G& make) {
    return Vec(Generate{}, make);
  }

  /// Component k. Requires 0 <= k < N.
  LOCKSTEP_INLINE const lane_type& operator[](int k) const {
    if (k == 0) return this->template component<0>();
    if (k == 1 || N == 2) return this->template component<1>();
    if (k == 2 || N == 3) return this->template component<(N > 2 ? 2 : 1)>();
    return this->template component<N - 1>();
  }

  /// The vector whose components are f(component): Lanes, or scalars for every lane.
  template <class F>
  LOCKSTEP_INLINE auto map(F f) const {
    return map_components(f, *this);
  }

#define LOCKSTEP_VEC_OPERATOR_OF(op, A, B)                                                         \
  LOCKSTEP_INLINE friend Vec operator op(const A& a,                                               \
                                         const B& b) requires requires(const lane_type& c) {       \
    c op c;                                                                                        \
  }                                                                                                \
  {                                                                                                \
    return map_components(                                                                         \
        [](const auto& c, const auto& d) __attribute__((always_inline)) { return c op d; }, a, b); \
  }
#define LOCKSTEP_VEC_OPERATOR(op)              \
  LOCKSTEP_VEC_OPERATOR_OF(op, Vec, Vec)       \
  LOCKSTEP_VEC_OPERATOR_OF(op, Vec, lane_type) \
  LOCKSTEP_VEC_OPERATOR_OF(op, lane_type, Vec)
  LOCKSTEP_VEC_OPERATOR(+)
  LOCKSTEP_VEC_OPERATOR(-)
  LOCKSTEP_VEC_OPERATOR(*)
  LOCKSTEP_VEC_OPERATOR(/)
  LOCKSTEP_VEC_OPERATOR(%)
  LOCKSTEP_VEC_OPERATOR(&)
  LOCKSTEP_VEC_OPERATOR(|)
  LOCKSTEP_VEC_OPERATOR(^)
  LOCKSTEP_VEC_OPERATOR(<<)
  LOCKSTEP_VEC_OPERATOR(>>)
#undef LOCKSTEP_VEC_OPERATOR
#undef LOCKSTEP_VEC_OPERATOR_OF

  /// Division by a uniform integer: shifts when it is a power of two.
  template <detail::UniformInteger<detail::Plain<T>> U>
  LOCKSTEP_INLINE friend Vec operator/(const Vec& a, U uniform) {
    const auto b = static_cast<detail::Plain<T>>(uniform);
    return a.map([b](const lane_type& c) __attribute__((always_inline)) { return c / b; });
  }
  /// Remainder by a uniform integer: bit masks when it is a power of two.
  template <detail::UniformInteger<detail::Plain<T>> U>
  LOCKSTEP_INLINE friend Vec operator%(const Vec& a, U uniform) {
    const auto b = static_cast<detail::Plain<T>>(uniform);
    return a.map([b](const lane_type& c) __attribute__((always_inline)) { return c % b; });
  }
  LOCKSTEP_INLINE friend Vec operator-(const Vec& a) requires detail::Number<detail::Plain<T>> {
    return a.map([](const lane_type& c) __attribute__((always_inline)) { return -c; });
  }
  LOCKSTEP_INLINE friend Vec operator~(const Vec& a) requires detail::Integer<detail::Plain<T>> {
    return a.map([](const lane_type& c) __attribute__((always_inline)) { return ~c; });
  }

  /// Whether all components are equal, lane by lane.
  LOCKSTEP_INLINE friend Bool operator==(const Vec& a, const Vec& b) {
    return detail::fold_components(
        [](const Bool& c, const Bool& d) __attribute__((always_inline)) { return c & d; },
        map_components(
            [](const auto& c, const auto& d) __attribute__((always_inline)) { return c == d; }, a,
            b));
  }
  /// Whether some component differs, lane by lane.
  LOCKSTEP_INLINE friend Bool operator!=(const Vec& a, const Vec& b) { return !(a == b); }

  /// a in the lanes of `mask`, b in the others.
  LOCKSTEP_INLINE friend Vec select(Mask<W> mask, const Vec& a, const Vec& b) {
    return map_components(
        [&](const auto& c, const auto& d)
            __attribute__((always_inline)) { return select(mask, c, d); },
        a, b);
  }
  /// a in the lanes where `condition` is true, b in the others: GLSL's ?: without branches.
  LOCKSTEP_INLINE friend Vec select(const Bool& condition, const Vec& a, const Vec& b) {
    return map_components(
        [&](const auto& c, const auto& d)
            __attribute__((always_inline)) { return select(condition, c, d); },
        a, b);
  }
  /// The same, with a condition for each component.
  LOCKSTEP_INLINE friend Vec select(const Vec<typename Bool::value_type, N, W>& condition,
                                    const Vec& a, const Vec& b) {
    return map_components(
        [](const auto& chosen, const auto& c, const auto& d)
            __attribute__((always_inline)) { return select(chosen, c, d); },
        condition, a, b);
  }

 private:
  template <class G>
  LOCKSTEP_INLINE Vec(Generate, const G& make) : Vec(make, std::make_integer_sequence<int, N>{}) {}
  template <class G, int... K>
  LOCKSTEP_INLINE Vec(const G& make, std::integer_sequence<int, K...>)
      : detail::VecComponents<lane_type, N>{make(std::integral_constant<int, K>{})...} {}
};

/// A vector of a kernel on machine S: vec3, uvec2, bvec4, ...
template <class S, class T, int N>
using VecOn = Vec<typename S::Numbers::template Scalar<T>, N, S::width>;

}  // namespace lockstep::inline LOCKSTEP_ABI
