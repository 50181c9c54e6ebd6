#pragma once

#include <lockstep/lanes/lanes.hpp>
#include <lockstep/lanes/vec_concept.hpp>

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

// Not named as_lanes: with the vectors' function of that name, both would be ambiguous where it is
// included after this file.
template <int W, class T>
LOCKSTEP_INLINE const Lanes<T, W>& lanes_of(const Lanes<T, W>& v) {
  return v;
}
template <int W, class T>
requires(Number<T> ||
         std::same_as<T, bool>) LOCKSTEP_INLINE Lanes<T, W> lanes_of(const T& uniform) {
  return Lanes<T, W>(uniform);
}

/// Applies a built-in to each component of a vector, or to the one value that is not a vector. A
/// uniform value may be given as a plain scalar.
template <int W, class V, class F>
LOCKSTEP_INLINE auto lift(const V& value, F&& f) {
  if constexpr (is_vec<V>)
    return value.map(f);
  else
    return f(lanes_of<W>(value));
}

}  // namespace detail

/// The values that built-ins take: Lanes<T, W>, a vector of them, or one scalar for all lanes.
template <class V, int W>
concept LaneValue = detail::is_vec<V> || requires(const V& v) {
  detail::lanes_of<W>(v);
};

/// As LaneValue, but only bools.
template <class V, int W>
concept BoolValue = std::convertible_to<const V&, Lanes<bool, W>>;

}  // namespace lockstep::inline LOCKSTEP_ABI
