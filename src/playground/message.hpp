#pragma once

#include <span>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "shader_job/usage_error.hpp"

namespace lockstep::playground {

using Json = nlohmann::ordered_json;
using shader_job::UsageError;

/// A member of a message, or what stands for it where it is left out. UsageError for another type.
template <class T>
T field(const Json& message, const char* name, T otherwise) {
  if (!message.contains(name)) return otherwise;
  const Json& value = message.at(name);
  try {
    if (!std::is_same_v<T, int> || value.is_number_integer()) return value.get<T>();
  } catch (const nlohmann::json::exception&) {
  }
  throw UsageError(fmt::format("the message's '{}' has another type", name));
}

/// UsageError for what is no object, and for a member that is not known.
void check_fields(const Json& message, std::span<const std::string_view> known);

/// A subgroup size: UsageError unless it is 1 to 128, or 0 for none.
int size_field(const Json& message, const char* name);

}  // namespace lockstep::playground
