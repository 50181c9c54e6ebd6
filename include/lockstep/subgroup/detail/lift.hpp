#pragma once

#include <lockstep/lanes/lanes.hpp>
#include <lockstep/lanes/vec_concept.hpp>

namespace lockstep::inline LOCKSTEP_ABI {
namespace detail {

// Not as_lanes: the vectors' function of that name would make both ambiguous where they are included
// behind this file.
template <int W, class T>
LOCKSTEP_INLINE const Lanes<T, W>& lanes_of(const Lanes<T, W>& v) {
  return v;
}
template <int W, class T>
requires(Number<T> ||
         std::same_as<T, bool>) LOCKSTEP_INLINE Lanes<T, W> lanes_of(const T& uniform) {
  return Lanes<T, W>(uniform);
}

/// Applies a built-in to each component of a vector, or to the one value that is no vector. The
/// same value in every lane may be given as a plain scalar.
template <int W, class V, class F>
LOCKSTEP_INLINE auto lift(const V& value, F&& f) {
  if constexpr (is_vec<V>)
    return value.map(f);
  else
    return f(lanes_of<W>(value));
}

}  // namespace detail

/// What the built-ins take as a value: Lanes<T, W>, a vector of them, or one scalar for all lanes.
template <class V, int W>
concept LaneValue = detail::is_vec<V> || requires(const V& v) {
  detail::lanes_of<W>(v);
};

/// As LaneValue, of bools only.
template <class V, int W>
concept BoolValue = std::convertible_to<const V&, Lanes<bool, W>>;

}  // namespace lockstep::inline LOCKSTEP_ABI
