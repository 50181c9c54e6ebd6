#include "shader/front/hlsl_patch.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "shader/front/hlsl_text.hpp"
#include "shader/front/without_comments.hpp"

namespace lockstep::spirv {
namespace {

/// Text that takes another's place.
struct Replacement {
  std::size_t at, length;
  std::string text;
};

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
    HlslCursor cursor(code, end);
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
    HlslCursor cursor(code, end);
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
