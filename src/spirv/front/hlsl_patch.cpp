#include "spirv/front/hlsl_patch.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "spirv/front/without_comments.hpp"

namespace lockstep::spirv {
namespace {

/// Text that takes another's place.
struct Replacement {
  std::size_t at, length;
  std::string text;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Reads code without comments.
class Cursor {
 public:
  Cursor(std::string_view code, std::size_t at) : code_(code), at_(at) {}

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

 private:
  void skip_spaces() {
    while (at_ < code_.size() && std::isspace(static_cast<unsigned char>(code_[at_])) != 0) ++at_;
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

std::optional<std::uint32_t> shift_of(char register_class, const RegisterShifts& shifts) {
  switch (register_class) {
    case 'b':
      return shifts.b;
    case 't':
      return shifts.t;
    case 's':
      return shifts.s;
    case 'u':
      return shifts.u;
    default:
      return std::nullopt;
  }
}

/// `register(t3` with the register's binding as its number.
void shift_registers(std::string_view code, const RegisterShifts& shifts,
                     std::vector<Replacement>& replacements) {
  for_each_word(code, "register", [&](std::size_t end) {
    Cursor cursor(code, end);
    if (!cursor.take("(")) return;
    const std::string_view name = cursor.take_word();
    if (name.size() < 2) return;
    const auto letter = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
    const auto shift = shift_of(letter, shifts);
    std::uint32_t number = 0;
    const char* const last = name.data() + name.size();
    const auto read = std::from_chars(name.data() + 1, last, number);
    if (!shift || read.ec != std::errc() || read.ptr != last) return;
    replacements.push_back(
        {cursor.at() - name.size() + 1, name.size() - 1, std::to_string(number + *shift)});
  });
}

/// `[[vk::push_constant]] S pc;` with ConstantBuffer<S> for S.
void make_push_constants(std::string_view code, std::vector<Replacement>& replacements) {
  for_each_word(code, "push_constant", [&](std::size_t end) {
    Cursor cursor(code, end);
    if (!cursor.take("]") || !cursor.take("]")) return;
    const std::string_view type = cursor.take_word();
    const std::size_t type_end = cursor.at();
    const std::string_view name = cursor.take_word();
    if (type.empty() || type == "cbuffer" || type == "tbuffer" || name.empty()) return;
    if (!cursor.take(";")) return;
    replacements.push_back({type_end - type.size(), type.size(),
                            std::string("ConstantBuffer<").append(type).append(">")});
  });
}

}  // namespace

std::string patch_hlsl(const std::string& text, const RegisterShifts& shifts) {
  const std::string code = without_comments(text);
  std::vector<Replacement> replacements;
  shift_registers(code, shifts, replacements);
  make_push_constants(code, replacements);
  std::ranges::sort(replacements, {}, &Replacement::at);
  std::string patched;
  std::size_t from = 0;
  for (const Replacement& next : replacements) {
    patched.append(text, from, next.at - from).append(next.text);
    from = next.at + next.length;
  }
  return patched.append(text, from);
}

}  // namespace lockstep::spirv
