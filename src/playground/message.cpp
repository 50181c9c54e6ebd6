#include "playground/message.hpp"

#include <algorithm>

#include <fmt/ranges.h>

namespace lockstep::playground {

void check_fields(const Json& message, std::span<const std::string_view> known) {
  if (!message.is_object()) throw UsageError("the message is not a JSON object");
  for (const auto& [name, value] : message.items()) {
    if (std::ranges::find(known, name) == known.end())
      throw UsageError(fmt::format("the message has an unknown field '{}'; it may have {}", name,
                                   fmt::join(known, ", ")));
  }
}

int size_field(const Json& message, const char* name) {
  const int size = field(message, name, 0);
  if (size < 0 || size > 128)
    throw UsageError(fmt::format("'{}' is {}: write 1 to 128", name, size));
  return size;
}

}  // namespace lockstep::playground
