#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep {
namespace object_names {
/// number_of_name and name_of_number of names and numbers that are not empty and not 0.
std::uint32_t take(std::string_view name);
/// See take.
const char* find(std::uint32_t number);
}  // namespace object_names

/// A number that stands for a name that a C++ kernel gives to an array, where a pointer does not fit: from 1, the same
/// for the rest of the process. 0 for no name, and for those after the first most_object_names.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None.
/// Cost          None for no name; else a lock and a search among the names.
/// Spec          None.
/// Example       tests/exec/object_names.cpp
inline std::uint32_t number_of_name(std::string_view name) {
  return name.empty() ? 0 : object_names::take(name);
}
/// The name; "" for 0.
inline const char* name_of_number(std::uint32_t number) {
  return number == 0 ? "" : object_names::find(number);
}

inline constexpr std::uint32_t most_object_names = 4095;

}  // namespace lockstep
