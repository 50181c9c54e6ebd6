#pragma once

#include <type_traits>

#include <lockstep/config.hpp>

/// \file
/// Elements of arrays, and parts of elements and of variables: values once they are read, and nothing that a
/// kernel could name.

/// For the conversion of a named element to its value. Named, it would be read again at each use, after
/// writes in between.
#define LOCKSTEP_NAMED_ELEMENT                                                                     \
  __attribute__((unavailable(                                                                      \
      "an element cannot be named by auto, because each use would read it again: write its type, " \
      "as in const Uint x = data[i];, or auto x = var(data[i]);")))

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// An element or part, whose value is a MemoryValue.
template <class A>
concept ElementArgument = requires {
  typename std::remove_cvref_t<A>::MemoryValue;
};

/// The value of an element or part.
template <ElementArgument A>
using ValueOfElement = typename std::remove_cvref_t<A>::MemoryValue;

/// What a function takes for its argument: the value of an element, and everything else unchanged.
template <class A>
requires(!ElementArgument<A>) LOCKSTEP_INLINE const A& argument(const A& value) { return value; }
template <ElementArgument A>
LOCKSTEP_INLINE ValueOfElement<A> argument(A&& element) {
  return static_cast<A&&>(element);
}

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
