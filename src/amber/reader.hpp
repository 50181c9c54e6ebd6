#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::amber {

/// A word of a script, or the end of a line or of the text.
struct Token {
  enum class Kind : std::uint8_t { word, end_of_line, end_of_text };

  Kind kind = Kind::end_of_text;
  std::string text;
  std::uint32_t line = 1;

  bool is_word() const { return kind == Kind::word; }
  bool is(std::string_view word) const { return is_word() && text == word; }
};

/// Splits a script into words. Comments run from a word that starts with # to the end of the line; a
/// backslash as the last word of a line joins the next one to it.
///
/// Requires      The text outlives the reader.
/// Active lanes  None.
/// Errors        None: every text consists of words.
/// Cost          O(text).
/// Spec          AmberScript
/// Example       tests/amber/reader.cpp
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Token next();
  Token peek() const;
  /// The line of the next token.
  std::uint32_t line() const { return line_; }

  /// Reads the lines up to one whose first word is END, inclusive. Returns whether there is one.
  bool read_block(std::string& block);

 private:
  void skip_blanks();
  bool skip_joined_line();

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace lockstep::amber
