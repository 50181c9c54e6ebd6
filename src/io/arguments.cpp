#include "io/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "io/error.hpp"
#include "io/numbers.hpp"

namespace lockstep::io {
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

std::string to_string(const Slot& slot) {
  if (!slot.memory.empty())
    return slot.set == 0 ? slot.memory : fmt::format("{}:{}", slot.set, slot.memory);
  return slot.set == 0 ? fmt::format("{}", slot.binding)
                       : fmt::format("{}:{}", slot.set, slot.binding);
}

std::optional<Slot> parse_slot(std::string_view text) {
  if (is_identifier(text)) return Slot{0, 0, std::string(text)};
  const std::size_t colon = text.find(':');
  const bool has_set = colon != std::string_view::npos;
  const auto set = has_set ? parse_u32(text.substr(0, colon)) : 0U;
  const std::string_view rest = has_set ? text.substr(colon + 1) : text;
  if (has_set && set && is_identifier(rest)) return Slot{*set, 0, std::string(rest)};
  const auto binding = parse_u32(rest);
  if (!set || !binding) return std::nullopt;
  return Slot{*set, *binding};
}

SlotArgument parse_slot_argument(std::string_view option, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals + 1 == text.size())
    throw InputError(fmt::format("{} '{}': write [SET:]BINDING={}", option, text,
                                 option == "--buffer"    ? "SPEC"
                                 : option == "--image"   ? "FORMAT:WxH:SPEC"
                                 : option == "--sampler" ? "WORDS"
                                                         : "FILE.npy"));
  const std::string_view whole = text.substr(0, equals);
  const std::size_t dot = option == "--buffer" ? whole.find('.') : std::string_view::npos;
  const std::string_view where = whole.substr(0, dot);
  const std::size_t bracket = where.find('[');
  const bool has_element = bracket != std::string_view::npos && where.ends_with(']');
  SlotArgument argument{{}, std::nullopt, std::string(text.substr(equals + 1))};
  if (dot != std::string_view::npos) argument.member = whole.substr(dot + 1);
  if (has_element)
    argument.element = parse_u32(where.substr(bracket + 1, where.size() - bracket - 2));
  const auto slot = parse_slot(has_element ? where.substr(0, bracket) : where);
  if (!slot || (has_element && !argument.element) || whole.ends_with('.'))
    throw InputError(
        fmt::format("{} '{}': '{}' is not a binding; write BINDING or SET:BINDING as integers",
                    option, text, whole));
  argument.slot = *slot;
  return argument;
}

RegisterShifts parse_shifts(std::string_view text) {
  RegisterShifts shifts;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view part = rest.substr(0, comma);
    const auto number =
        part.size() > 2 && part[1] == '=' ? parse_u32(part.substr(2)) : std::nullopt;
    std::uint32_t* const shift = part.empty()     ? nullptr
                                 : part[0] == 'b' ? &shifts.b
                                 : part[0] == 't' ? &shifts.t
                                 : part[0] == 's' ? &shifts.s
                                 : part[0] == 'u' ? &shifts.u
                                                  : nullptr;
    if (!number || shift == nullptr)
      throw InputError(
          fmt::format("--shift '{}': write b=N, t=N, s=N and u=N, separated by commas", text));
    *shift = *number;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return shifts;
}

namespace {

Size3 parse_sizes(std::string_view option, std::string_view text, std::string_view what) {
  std::array<std::uint32_t, 3> sizes{1, 1, 1};
  std::string_view rest = text;
  for (std::size_t k = 0;; ++k) {
    const std::size_t comma = rest.find(',');
    const auto size = parse_u32(rest.substr(0, comma));
    if (k == 3 || !size || *size == 0)
      throw InputError(fmt::format(
          "{} '{}': write X, X,Y or X,Y,Z, the {} in each dimension from 1", option, text, what));
    sizes[k] = *size;
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return {sizes[0], sizes[1], sizes[2]};
}

}  // namespace

Size3 parse_groups(std::string_view text) { return parse_sizes("--groups", text, "workgroups"); }
Size3 parse_invocations(std::string_view text) {
  return parse_sizes("--invocations", text, "invocations");
}

Size3 groups_for(Size3 invocations, Size3 local_size) {
  const auto groups = [](std::uint32_t all, std::uint32_t of_one) {
    return all / of_one + (all % of_one == 0 ? 0 : 1);
  };
  return {groups(invocations.x, local_size.x), groups(invocations.y, local_size.y),
          groups(invocations.z, local_size.z)};
}

namespace {

/// NAME or NAME(NAME, ...).
bool is_macro(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos) return is_identifier(text);
  if (!is_identifier(text.substr(0, open)) || !text.ends_with(')')) return false;
  std::string_view parameters = text.substr(open + 1, text.size() - open - 2);
  const auto trimmed = [](std::string_view part) {
    const std::size_t first = part.find_first_not_of(' ');
    if (first == std::string_view::npos) return std::string_view();
    return part.substr(first, part.find_last_not_of(' ') - first + 1);
  };
  if (trimmed(parameters).empty()) return true;
  for (;;) {
    const std::size_t comma = parameters.find(',');
    if (!is_identifier(trimmed(parameters.substr(0, comma)))) return false;
    if (comma == std::string_view::npos) return true;
    parameters.remove_prefix(comma + 1);
  }
}

}  // namespace

std::pair<std::string, std::string> parse_define(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  if (!is_macro(name) || text.find('\n') != std::string_view::npos)
    throw InputError(
        fmt::format("-D '{}': write NAME, NAME=VALUE or NAME(PARAMETERS)=VALUE", text));
  return {std::string(name),
          equals == std::string_view::npos ? "1" : std::string(text.substr(equals + 1))};
}

}  // namespace lockstep::io
