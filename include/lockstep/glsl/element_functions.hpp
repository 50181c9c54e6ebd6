#pragma once

#include <lockstep/glsl/detail/function_list.hpp>
#include <lockstep/glsl/functions.hpp>
#include <lockstep/lanes/detail/element.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// \defgroup element_functions GLSL's functions on elements of arrays: min(data[i], 3u)
///
/// Each reads its elements, and is then the function on their values, where that is declared.
///
/// Requires      At least one argument is an element of an array, a part of one, or a part of a variable.
/// Active lanes  As Element for the read, then as for the function on lanes or vectors.
/// Errors        As Element.
/// Cost          As Element and the function.
/// Spec          GLSL: an element is an expression
/// Example       tests/glsl/element_functions.cpp
/// @{
#define LOCKSTEP_OF_ELEMENTS(name, ...)                                                           \
  template <class... A>                                                                           \
  requires((detail::ElementArgument<A> || ...) __VA_ARGS__) LOCKSTEP_INLINE auto name(A&&... a) { \
    return name(detail::argument(static_cast<A&&>(a))...);                                        \
  }
#define LOCKSTEP_OF_PLAIN_ELEMENTS(name) \
  LOCKSTEP_OF_ELEMENTS(name, &&!detail::PlacedElementArguments<A...>)
LOCKSTEP_FUNCTIONS(LOCKSTEP_OF_PLAIN_ELEMENTS)
LOCKSTEP_FUNCTIONS_OF_VALUES(LOCKSTEP_OF_ELEMENTS)
#undef LOCKSTEP_OF_PLAIN_ELEMENTS
#undef LOCKSTEP_OF_ELEMENTS
/// @}

}  // namespace lockstep::inline LOCKSTEP_ABI
