#pragma once

#include <string>
#include <string_view>

namespace lockstep::explain {

/// The text as XML has it between tags and in attributes.
inline std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

}  // namespace lockstep::explain
