#pragma once

#include <lockstep/subgroup/detail/lift.hpp>

/// \file
/// The value types of other vocabularies, where they allow fewer than GLSL.

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// The element type of lanes, of a vector's components, or of a uniform scalar.
template <class V>
struct ElementOf {
  using type = V;
};
template <class V>
requires requires { typename V::value_type; }
struct ElementOf<V> {
  using type = typename V::value_type;
};
template <class V>
using element_of = typename ElementOf<V>::type;

template <class V, int W>
concept NumberValue = LaneValue<V, W> && !std::same_as<element_of<V>, bool>;
template <class V, int W>
concept IntegerValue = NumberValue<V, W> && std::integral<element_of<V>>;

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
