#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

/// \file
/// Arrays that the host binds to a shader.

namespace lockstep::host {

template <class Array>
using ElementOfHost = typename decltype(std::span(std::declval<Array&>()))::element_type;

/// Whether an array only refers to its elements, like a std::span.
template <class Array>
inline constexpr bool is_view = std::is_trivially_destructible_v<Array>&&
    std::same_as<ElementOfHost<Array>, ElementOfHost<const Array>>;

/// Whether a parameter Array&& stands for elements that last longer than the call.
template <class Array>
inline constexpr bool is_lasting =
    std::is_lvalue_reference_v<Array> || is_view<std::remove_cvref_t<Array>>;

/// The elements that an array has when it is bound to a buffer.
struct HostArray {
  std::span<std::byte> bytes;
  bool is_const;
  int float_bits;  ///< of each element; 0 if they are not floats
};

template <class Array>
HostArray host_array(Array& array) {
  using T = ElementOfHost<Array>;
  const auto elements = std::span(array);
  return {{reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(elements.data())),
           elements.size_bytes()},
          std::is_const_v<T>,
          std::is_floating_point_v<T> ? 8 * static_cast<int>(sizeof(T)) : 0};
}

}  // namespace lockstep::host
