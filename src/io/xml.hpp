#pragma once

#include <string>
#include <string_view>

namespace lockstep::io {

/// The text as XML and HTML have it between tags and in attributes, without the characters that XML cannot have.
inline std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      default:
        if (c == '\t' || static_cast<unsigned char>(c) >= ' ') out += c;
    }
  }
  return out;
}

}  // namespace lockstep::io
