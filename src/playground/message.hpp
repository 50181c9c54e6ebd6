#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "shader_case/usage_error.hpp"

namespace lockstep::playground {

using Json = nlohmann::ordered_json;
using shader_case::UsageError;

/// What a member of this type must be, in words.
template <class T>
constexpr std::string_view type_in_words() {
  if (std::is_same_v<T, int>) return "a whole number";
  if (std::is_same_v<T, bool>) return "true or false";
  return std::is_same_v<T, std::string> ? "a string" : "an array";
}

/// A member of a message, or `otherwise` where it is left out. UsageError for another type, and for a number that is
/// not an int: converting would change it.
template <class T>
T field(const Json& message, const char* name, T otherwise) {
  if (!message.contains(name)) return otherwise;
  const Json& value = message.at(name);
  using Int = std::numeric_limits<int>;
  const bool is_int = value.is_number_unsigned()
                          ? value.get<std::uint64_t>() <= std::uint64_t{Int::max()}
                          : value.is_number_integer() && value >= Int::min();
  try {
    if (!std::is_same_v<T, int> || is_int) return value.get<T>();
  } catch (const nlohmann::json::exception&) {
  }
  throw UsageError(
      fmt::format("the message's '{}' has another type: it must be {}", name, type_in_words<T>()));
}

/// UsageError unless the message is an object with known members alone.
void check_fields(const Json& message, std::span<const std::string_view> known);

/// A subgroup size: UsageError unless it is 1 to 128, or 0 for none.
int size_field(const Json& message, const char* name);

}  // namespace lockstep::playground
