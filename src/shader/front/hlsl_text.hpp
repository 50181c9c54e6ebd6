#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

/// \file
/// Reading HLSL without parsing it. The text has no comments (without_comments.hpp).

namespace lockstep::spirv {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A place in the text.
class HlslCursor {
 public:
  HlslCursor(std::string_view code, std::size_t at) : code_(code), at_(at) {}

  std::size_t at() const { return at_; }

  /// Passes spaces, and the text if it follows.
  bool take(std::string_view text) {
    skip_spaces();
    if (code_.substr(at_, text.size()) != text) return false;
    at_ += text.size();
    return true;
  }
  /// A name or number after spaces; empty without one.
  std::string_view take_word() {
    skip_spaces();
    const std::size_t start = at_;
    while (at_ < code_.size() && is_word(code_[at_])) ++at_;
    return code_.substr(start, at_ - start);
  }
  /// Passes everything up to the text, and the text; false if it does not follow.
  bool take_up_to(std::string_view text) {
    const std::size_t found = code_.find(text, at_);
    if (found == std::string_view::npos) return false;
    at_ = found + text.size();
    return true;
  }

 private:
  /// And lines of the preprocessor.
  void skip_spaces() {
    for (; at_ < code_.size(); ++at_) {
      if (code_[at_] == '#') at_ = std::min(code_.find('\n', at_), code_.size() - 1);
      if (std::isspace(static_cast<unsigned char>(code_[at_])) == 0) return;
    }
  }

  std::string_view code_;
  std::size_t at_;
};

/// Calls f(where the word ends) for each place of the word.
template <class F>
void for_each_word(std::string_view code, std::string_view word, F f) {
  for (std::size_t at = code.find(word); at != std::string_view::npos;
       at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !is_word(code[at - 1]);
    if (starts && (end == code.size() || !is_word(code[end]))) f(end);
  }
}

}  // namespace lockstep::spirv
