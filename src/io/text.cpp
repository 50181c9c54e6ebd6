#include "io/text.hpp"

#include <fmt/format.h>

#include "io/error.hpp"

namespace lockstep::io {

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

void refuse(std::string_view text, std::string_view why) {
  throw InputError(fmt::format("'{}': {}", text, why));
}

}  // namespace lockstep::io
