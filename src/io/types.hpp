#pragma once

/// \file
/// The element types that a command line can name.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <lockstep/lanes/float16.hpp>

#include "io/npy.hpp"

namespace lockstep::io {

using npy::Dtype;

/// The type of that name, short (u32) or NumPy's (uint32); nothing if there is none.
std::optional<Dtype> find_type(std::string_view name);
/// The short name.
std::string_view name_of(Dtype type);
/// All short names, for messages.
std::string type_names();
/// Bytes of one element.
std::size_t bytes_of(Dtype type);
/// Whether numbers of one type are numbers of the other: integers, or floats, of the same size. Signs may differ.
bool are_alike(Dtype one, Dtype other);

/// Calls f with a std::type_identity of the C++ type; a bool counts as the byte it is.
template <class F>
decltype(auto) visit_type(Dtype type, F f) {
  switch (type) {
    case Dtype::int8:
      return f(std::type_identity<std::int8_t>{});
    case Dtype::int16:
      return f(std::type_identity<std::int16_t>{});
    case Dtype::int32:
      return f(std::type_identity<std::int32_t>{});
    case Dtype::int64:
      return f(std::type_identity<std::int64_t>{});
    case Dtype::uint16:
      return f(std::type_identity<std::uint16_t>{});
    case Dtype::uint32:
      return f(std::type_identity<std::uint32_t>{});
    case Dtype::uint64:
      return f(std::type_identity<std::uint64_t>{});
    case Dtype::float16:
      return f(std::type_identity<float16_t>{});
    case Dtype::float32:
      return f(std::type_identity<float>{});
    case Dtype::float64:
      return f(std::type_identity<double>{});
    case Dtype::boolean:
    case Dtype::uint8:
      break;
  }
  return f(std::type_identity<std::uint8_t>{});
}

/// Whether T is one of the three floating-point types.
template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T> || std::is_same_v<T, float16_t>;

/// The value as text: integers in decimal, floats with the fewest digits that identify them.
std::string to_text(Dtype type, const std::byte* element);

}  // namespace lockstep::io
