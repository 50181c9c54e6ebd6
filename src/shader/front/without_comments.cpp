#include "shader/front/without_comments.hpp"

namespace lockstep::spirv {

std::string without_comments(const std::string& text) {
  std::string out = text;
  enum class In { code, line, block } in = In::code;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const char next = i + 1 < out.size() ? text[i + 1] : '\0';
    if (in == In::code && text[i] == '/' && (next == '/' || next == '*')) {
      in = next == '/' ? In::line : In::block;
      out[i] = out[i + 1] = ' ';
      ++i;
    } else if (in == In::line && text[i] == '\n') {
      in = In::code;
    } else if (in == In::block && text[i] == '*' && next == '/') {
      in = In::code;
      out[i] = out[i + 1] = ' ';
      ++i;
    } else if (in != In::code && text[i] != '\n') {
      out[i] = ' ';
    }
  }
  return out;
}

}  // namespace lockstep::spirv
