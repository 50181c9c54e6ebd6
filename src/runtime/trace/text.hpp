#pragma once

/// \file
/// Text in columns. A character of several bytes takes one column.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::trace {

inline std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & '\xc0') != '\x80'; }));
}

inline std::string clipped(std::string_view text, std::size_t columns, bool unicode) {
  if (width_of(text) <= columns) return std::string(text);
  const std::string_view dots = unicode ? "…" : "...";
  const std::size_t kept = columns > width_of(dots) ? columns - width_of(dots) : 0;
  std::size_t bytes = 0;
  for (std::size_t seen = 0; bytes < text.size(); ++bytes) {
    if ((text[bytes] & '\xc0') != '\x80' && seen++ == kept) break;
  }
  return std::string(text.substr(0, bytes)) + std::string(dots);
}

inline std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return text;
}

inline std::string percent(double part) { return fmt::format("{:.0f} %", 100 * part); }

inline std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

inline std::string padded(std::string text, std::size_t columns) {
  const std::size_t width = width_of(text);
  if (width < columns) text.append(columns - width, ' ');
  return text;
}

}  // namespace lockstep::trace
