#pragma once

#include <lockstep/glsl/detail/vec_swizzles.hpp>
#include <lockstep/lanes/detail/plain.hpp>
#include <lockstep/lanes/lanes.hpp>
#include <lockstep/lanes/vec_concept.hpp>

/// \file
/// The arguments of GLSL's constructors and component-wise functions: vectors, lanes and uniform
/// scalars, mixed. Kernel variables derive from the first two and count as those.

namespace lockstep::inline LOCKSTEP_ABI::detail {

template <class T, int N, int W>
LOCKSTEP_INLINE const Vec<T, N, W>& as_vec(const Vec<T, N, W>& v) {
  return v;
}
template <class T, int W>
LOCKSTEP_INLINE const Lanes<T, W>& as_lanes(const Lanes<T, W>& v) {
  return v;
}

template <class V>
requires requires(const V& v) { as_vec(v); }
inline constexpr bool is_vec<V> = true;

template <class A>
concept AnyLanes = requires(const A& a) {
  as_lanes(a);
};
template <class A>
concept Uniform = Number<A> || std::same_as<A, bool>;

template <class A, int W>
inline constexpr bool has_width = true;
template <class A, int W>
requires(AnyLanes<A> || VecOfLanes<A>) inline constexpr bool has_width<A, W> = A::width == W;

/// A source of one component, of any type, for a Lanes<T, W>.
template <class A, class T, int W>
concept OneComponent = !VecOfLanes<A> && has_width<A, W> &&
                       (AnyLanes<A> || Uniform<A> || std::convertible_to<A, Lanes<T, W>>);

/// Number of components of an argument; 0 if it cannot be one.
template <class A, class T, int W>
constexpr int component_count() {
  if constexpr (VecOfLanes<A>)
    return has_width<A, W> ? A::components : 0;
  else
    return OneComponent<A, T, W> ? 1 : 0;
}

/// GLSL's rule for constructors with several arguments: each has components, together they are
/// enough, and no argument is unused.
template <int Needed, class T, int W, class... A>
constexpr bool fills_components() {
  const int counts[] = {component_count<A, T, W>()...};
  int before_last = 0;
  int all = 0;
  for (const int count : counts) {
    if (count == 0) return false;
    before_last = all;
    all += count;
  }
  return before_last < Needed && all >= Needed;
}

/// The lanes of one component, converted as GLSL's constructor of that type does.
template <class T, int W, class A>
LOCKSTEP_INLINE Lanes<T, W> to_lanes(const A& a) {
  if constexpr (AnyLanes<A>)
    return Lanes<T, W>(as_lanes(a));
  else if constexpr (std::floating_point<A> && Integer<Plain<T>>)
    return Lanes<T, W>(a);
  else if constexpr (Uniform<A>)
    return Lanes<T, W>(scalar::convert<Plain<T>>(a));
  else
    return static_cast<Lanes<T, W>>(a);
}

/// Component K of the arguments' components in order.
template <class T, int W, int K, class A, class... Rest>
LOCKSTEP_INLINE Lanes<T, W> nth_component(const A& a, const Rest&... rest) {
  constexpr int mine = component_count<A, T, W>();
  if constexpr (K >= mine)
    return nth_component<T, W, K - mine>(rest...);
  else if constexpr (VecOfLanes<A>)
    return to_lanes<T, W>(as_vec(a).template component<K>());
  else
    return to_lanes<T, W>(a);
}

/// A value that is not a vector but has components of those names: Ballot, or the result of an
/// unpack function.
template <class A, class T, int N, int W>
constexpr bool has_named_components() {
  if constexpr (VecOfLanes<A> || !requires(const A& a) { a.x, a.y; }) {
    return false;
  } else {
    using Each = std::remove_cvref_t<decltype(std::declval<const A&>().x)>;
    return (std::same_as<Each, Plain<T>> || std::same_as<Each, Lanes<Plain<T>, W>> ||
            std::derived_from<Each, Lanes<T, W>>)&&requires(const A& a) {
      a.z;
    }
    == (N > 2) && requires(const A& a) { a.w; }
    == (N > 3);
  }
}
template <int K, class A>
LOCKSTEP_INLINE const auto& named_component(const A& a) {
  if constexpr (K == 0)
    return a.x;
  else if constexpr (K == 1)
    return a.y;
  else if constexpr (K == 2)
    return a.z;
  else
    return a.w;
}

/// The first type that is a vector; no `type` if there is none.
template <class... A>
struct FirstVec {};
template <class A, class... Rest>
struct FirstVec<A, Rest...> : FirstVec<Rest...> {};
template <VecOfLanes A, class... Rest>
struct FirstVec<A, Rest...> {
  using type = A;
};

template <class A, class V>
inline constexpr bool fits_components = true;
template <VecOfLanes A, class V>
inline constexpr bool fits_components<A, V> = A::components == V::components;

/// Arguments of a component-wise function: vectors of one length, and values used for every
/// component.
template <class... A>
concept ComponentWise = requires {
  typename FirstVec<A...>::type;
}
&&(fits_components<A, typename FirstVec<A...>::type>&&...);

/// Component K of a vector; anything else is used for every component. 0.5 counts as float if T is
/// float.
template <int K, class T, class A>
LOCKSTEP_INLINE decltype(auto) component_of(const A& a) {
  if constexpr (VecOfLanes<A>)
    return as_vec(a).template component<K>();
  else if constexpr (std::floating_point<A> && Floating<Plain<T>>)
    return scalar::convert<Plain<T>>(a);
  else
    return (a);
}

/// Vec<R, N, W> for components of type Lanes<R, W>.
template <class L, int N>
using VecOf = Vec<typename L::value_type, N, L::width>;

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
