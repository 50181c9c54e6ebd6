#include "io/addresses.hpp"

#include <fmt/format.h>

#include <string>

#include "io/error.hpp"
#include "io/numbers.hpp"
#include "io/types.hpp"

namespace lockstep::io {
namespace {

std::optional<BufferByte> parse_byte(std::string_view text) {
  BufferByte byte;
  const std::size_t plus = text.find('+');
  if (plus != std::string_view::npos) {
    const auto offset = parse_unsigned(text.substr(plus + 1));
    if (!offset) return std::nullopt;
    byte.offset = *offset;
    text = text.substr(0, plus);
  }
  const std::size_t bracket = text.find('[');
  if (bracket != std::string_view::npos) {
    if (!text.ends_with(']')) return std::nullopt;
    const auto element = parse_unsigned(text.substr(bracket + 1, text.size() - bracket - 2));
    if (!element || *element > 0xffffffff) return std::nullopt;
    byte.element = static_cast<std::uint32_t>(*element);
    text = text.substr(0, bracket);
  }
  const auto slot = parse_slot(text);
  if (!slot) return std::nullopt;
  byte.slot = *slot;
  return byte;
}

constexpr std::string_view form = "[SET:]BINDING+OFFSET or NAME+OFFSET";

}  // namespace

BufferByte parse_target(std::string_view text) {
  const auto of = parse_byte(text);
  if (!of) throw InputError(fmt::format("'addr:{}': write addr: and {}", text, form));
  return *of;
}

namespace {

/// TYPE and VALUE of TYPE:VALUE.
std::pair<std::string_view, std::string_view> split(std::string_view part) {
  const std::size_t colon = part.find(':');
  if (colon == std::string_view::npos) return {part, {}};
  return {part.substr(0, colon), part.substr(colon + 1)};
}

void append(Values& values, const std::vector<std::byte>& number) {
  const std::size_t size = number.size();
  values.bytes.resize((values.bytes.size() + size - 1) / size * size);
  values.bytes.insert(values.bytes.end(), number.begin(), number.end());
}

void append(Values& values, std::string_view part) {
  const auto [type, value] = split(part);
  if (type == "addr") {
    const BufferByte of = parse_target(value);
    append(values, std::vector<std::byte>(sizeof(std::uint64_t)));
    values.addresses.push_back({values.bytes.size() - sizeof(std::uint64_t), of});
    return;
  }
  const auto dtype = find_type(type);
  if (!dtype)
    throw InputError(
        fmt::format("'{}': '{}' is not a type; use addr, {}", part, type, type_names()));
  const auto number = parse_element(*dtype, value);
  if (!number)
    throw InputError(fmt::format("'{}': '{}' is not a value of type {}; use a number in its range",
                                 part, value, type));
  append(values, *number);
  values.numbers.push_back({values.bytes.size() - number->size(), *dtype, std::string(part)});
}

}  // namespace

WrittenAddress parse_address(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    throw InputError(fmt::format("--address '{}': write WHERE=TARGET", text));
  const auto at = parse_byte(text.substr(0, equals)), of = parse_byte(text.substr(equals + 1));
  if (!at || !of)
    throw InputError(fmt::format("--address '{}': '{}' is not a place; write {}", text,
                                 at ? text.substr(equals + 1) : text.substr(0, equals), form));
  return {*at, *of};
}

bool is_values(std::string_view text) {
  const std::string_view type = split(text.substr(0, text.find(' '))).first;
  return type.size() < text.size() && (type == "addr" || find_type(type));
}

Values parse_values(std::string_view text) {
  Values values;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    if (space != 0) append(values, text.substr(0, space));
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  return values;
}

}  // namespace lockstep::io
