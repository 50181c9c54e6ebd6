#pragma once

#include <lockstep/config.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail {

// The number that T stands for: T itself, or T::Plain of a number that knows more than its value.
template <class T>
struct PlainOf {
  using type = T;
};
template <class T>
requires requires { typename T::Plain; }
struct PlainOf<T> {
  using type = typename T::Plain;
};
template <class T>
using Plain = typename PlainOf<T>::type;

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
