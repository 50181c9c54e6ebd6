#include "amber/reader.hpp"

namespace lockstep::amber {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\0'; }
bool stands_alone(char c) { return c == ',' || c == '(' || c == ')'; }

}  // namespace

void Reader::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

// Reads a backslash and the following end of line, if they are next.
bool Reader::skip_joined_line() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && is_blank(text_[end])) ++end;
  if (text_[at_] != '\\' || end >= text_.size() || text_[end] != '\n') return false;
  at_ = end + 1;
  ++line_;
  return true;
}

Token Reader::next() {
  do {
    skip_blanks();
  } while (at_ < text_.size() && skip_joined_line());
  if (at_ < text_.size() && text_[at_] == '#')
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  if (at_ >= text_.size()) return {Token::Kind::end_of_text, "", line_};
  if (text_[at_] == '\n') {
    ++at_;
    return {Token::Kind::end_of_line, "", line_++};
  }
  Token token{Token::Kind::word, "", line_};
  if (text_[at_] == '"') {
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n')
      token.text += text_[at_++];
    if (at_ < text_.size() && text_[at_] == '"') ++at_;
    return token;
  }
  do {
    token.text += text_[at_++];
  } while (at_ < text_.size() && !stands_alone(token.text.back()) && !is_blank(text_[at_]) &&
           text_[at_] != '\n' && !stands_alone(text_[at_]));
  return token;
}

Token Reader::peek() const {
  Reader copy = *this;
  return copy.next();
}

bool Reader::read_block(std::string& block) {
  block.clear();
  while (at_ < text_.size()) {
    const std::size_t newline = text_.find('\n', at_);
    const std::string_view rest = text_.substr(at_, newline - at_);
    const std::size_t first = rest.find_first_not_of(" \t\r\f");
    const std::string_view words = first == std::string_view::npos ? "" : rest.substr(first);
    const bool ends =
        words.starts_with("END") && (words.size() == 3 || is_blank(words[3]) || words[3] == '#');
    if (ends) {
      at_ += first + 3;
      return true;
    }
    block += rest;
    block += '\n';
    at_ = newline == std::string_view::npos ? text_.size() : newline + 1;
    ++line_;
  }
  return false;
}

}  // namespace lockstep::amber
