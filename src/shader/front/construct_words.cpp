#include "shader/front/construct_words.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <string_view>

#include "shader/front/without_comments.hpp"

namespace lockstep::spirv {
namespace {

using Kind = ConstructWord::Kind;

struct Keyword {
  std::string_view word;
  Kind kind;
};
constexpr Keyword keywords[] = {{"if", Kind::selection}, {"for", Kind::loop},
                                {"while", Kind::loop},   {"do", Kind::loop},
                                {"loop", Kind::loop},    {"switch", Kind::switch_statement}};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view without_space_before(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// Finds the words line by line.
class Finder {
 public:
  std::vector<ConstructWord> find(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++line_) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = text.substr(at, end - at);
      at = end + 1;
      const std::string_view start = without_space_before(line);
      if (in_directive_ || start.starts_with('#')) {
        if (!in_directive_) take_directive(without_space_before(start.substr(1)));
        in_directive_ = line.ends_with('\\') || line.ends_with("\\\r");
      } else if (off_ == 0 && !elsewhere_) {
        take_code(line);
      }
    }
    return std::move(words_);
  }

 private:
  void take_directive(std::string_view directive) {
    const std::size_t letters = static_cast<std::size_t>(
        std::ranges::find_if_not(directive, is_letter) - directive.begin());
    const std::string_view name = directive.substr(0, letters);
    const std::string_view rest = without_space_before(directive.substr(letters));
    if (off_ > 0) {
      if (name.starts_with("if")) ++off_;
      if (name == "endif" || (off_ == 1 && name.starts_with("el"))) --off_;
    } else if (name == "if" && rest.starts_with('0') &&
               without_space_before(rest.substr(1)).empty()) {
      off_ = 1;
    } else if (name == "line") {
      std::uint32_t next = 0;
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), next);
      elsewhere_ = rest.find('"') != std::string_view::npos;
      if (error == std::errc()) line_ = next - 1;
    }
  }

  void take_code(std::string_view line) {
    for (std::size_t at = 0; at < line.size();) {
      std::size_t end = at + 1;
      if (line[at] == '"') {
        end = std::min(line.find('"', end), line.size() - 1) + 1;
      } else if (is_letter(line[at])) {
        while (end < line.size() && is_letter(line[end])) ++end;
        take_word(line.substr(at, end - at));
      } else if (line[at] == '?') {
        words_.push_back({Kind::conditional, line_, line_});
      } else {
        take_sign(line[at]);
      }
      at = end;
    }
  }

  void take_word(std::string_view word) {
    const auto found = std::ranges::find(keywords, word, &Keyword::word);
    if (found == std::end(keywords)) return;
    words_.push_back({found->kind, line_, line_});
    if (word == "do") do_.push_back(braces_);
    if (word == "while" && !do_.empty() && do_.back() == braces_) {
      do_.pop_back();
      words_.back().kind = Kind::loop_end;
    }
    if (word != "do" && word != "loop") conditions_.push_back({words_.size() - 1, depth_});
  }

  /// Parentheses tell where a condition ends; one without ends before its block.
  void take_sign(char c) {
    if (c == '(') ++depth_;
    if (c == ')') --depth_;
    if (c == '{') ++braces_;
    if (c == '}') --braces_;
    if (conditions_.empty() || depth_ > conditions_.back().depth || (c != ')' && c != '{')) return;
    words_[conditions_.back().word].last = line_;
    conditions_.pop_back();
  }

  /// A condition that has not ended.
  struct Condition {
    std::size_t word;
    int depth;  ///< of parentheses around it
  };

  std::vector<ConstructWord> words_;
  std::vector<Condition> conditions_;
  std::uint32_t line_ = 1;
  std::vector<int> do_;  ///< braces around those whose end has not come
  int depth_ = 0;        ///< of parentheses
  int braces_ = 0;
  int off_ = 0;  ///< directives around code that is not compiled
  bool in_directive_ = false;
  bool elsewhere_ = false;
};

}  // namespace

std::vector<ConstructWord> construct_words(const std::string& text) {
  return Finder().find(without_comments(text));
}

}  // namespace lockstep::spirv
