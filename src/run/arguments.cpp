#include "run/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "run/error.hpp"
#include "run/numbers.hpp"

namespace lockstep::run {
namespace {

std::optional<std::uint32_t> parse_u32(std::string_view text) {
  const auto value = parse_unsigned(text);
  if (!value || *value > 0xffffffff) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

bool is_identifier(std::string_view text) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) &&
         std::ranges::all_of(text, fits);
}

}  // namespace

std::string to_string(Slot slot) {
  return slot.set == 0 ? fmt::format("{}", slot.binding)
                       : fmt::format("{}:{}", slot.set, slot.binding);
}

SlotArgument parse_slot_argument(std::string_view option, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals + 1 == text.size())
    throw InputError(fmt::format("{} '{}': write [SET:]BINDING={}", option, text,
                                 option == "--buffer" ? "SPEC" : "FILE.npy"));
  const std::string_view where = text.substr(0, equals);
  const std::size_t colon = where.find(':');
  const bool has_set = colon != std::string_view::npos;
  const auto set = has_set ? parse_u32(where.substr(0, colon)) : 0U;
  const auto binding = parse_u32(has_set ? where.substr(colon + 1) : where);
  if (!set || !binding)
    throw InputError(
        fmt::format("{} '{}': '{}' is not a binding; write BINDING or SET:BINDING as integers",
                    option, text, where));
  return {{*set, *binding}, std::string(text.substr(equals + 1))};
}

Size3 parse_groups(std::string_view text) {
  std::array<std::uint32_t, 3> sizes{1, 1, 1};
  std::string_view rest = text;
  for (std::size_t k = 0;; ++k) {
    const std::size_t comma = rest.find(',');
    const auto size = parse_u32(rest.substr(0, comma));
    if (k == 3 || !size || *size == 0)
      throw InputError(fmt::format(
          "--groups '{}': write X, X,Y or X,Y,Z, the workgroups in each dimension from 1", text));
    sizes[k] = *size;
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return {sizes[0], sizes[1], sizes[2]};
}

namespace {

std::optional<SpecConstant> parse_value(std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  if (const auto bits = parse_integer(text)) {
    if (text.starts_with('-')) return static_cast<std::int64_t>(*bits);
    return *bits;
  }
  if (const auto real = parse_double(text)) return *real;
  return std::nullopt;
}

}  // namespace

std::pair<std::uint32_t, SpecConstant> parse_spec_constant(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  const auto id = parse_u32(text.substr(0, equals));
  const auto number = parse_value(value);
  if (!id || !number)
    throw InputError(fmt::format(
        "--spec '{}': write ID=VALUE, a constant_id and a number, true or false", text));
  return {*id, *number};
}

std::pair<std::string, std::string> parse_define(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  if (!is_identifier(name) || text.find('\n') != std::string_view::npos)
    throw InputError(fmt::format("-D '{}': write NAME or NAME=VALUE", text));
  return {std::string(name),
          equals == std::string_view::npos ? "1" : std::string(text.substr(equals + 1))};
}

}  // namespace lockstep::run
