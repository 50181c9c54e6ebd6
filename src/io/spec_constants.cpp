#include "io/spec_constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>

#include "io/error.hpp"
#include "io/numbers.hpp"

namespace lockstep::io {
namespace {

std::string described(const DeclaredConstant& constant) {
  if (constant.name.empty()) return fmt::format("{} ({})", constant.id, glsl_name(constant.type));
  return fmt::format("{} ({} {})", constant.id, glsl_name(constant.type), constant.name);
}

std::string all_of(const std::vector<DeclaredConstant>& declared) {
  std::string all;
  for (const DeclaredConstant& constant : declared)
    all += (all.empty() ? "" : ", ") + described(constant);
  return all.empty() ? "none" : all;
}

/// What a value of the type may be, for messages.
std::string values_of(NumberType type) {
  switch (type) {
    case NumberType::boolean:
      return "true or false";
    case NumberType::float16:
    case NumberType::float32:
    case NumberType::float64:
      return "a number in its range";
    default:
      break;
  }
  return visit_type(dtype_of(type), []<class T>(std::type_identity<T>) -> std::string {
    if constexpr (is_float<T>)
      return "a number";
    else
      return fmt::format("an integer from {} to {}", +std::numeric_limits<T>::min(),
                         +std::numeric_limits<T>::max());
  });
}

std::optional<SpecConstant> value_of(NumberType type, std::string_view text) {
  if (type == NumberType::boolean) {
    if (text == "true" || text == "1") return SpecConstant::from_bits(1);
    if (text == "false" || text == "0") return SpecConstant::from_bits(0);
    return std::nullopt;
  }
  const auto bytes = parse_element(dtype_of(type), text);
  if (!bytes) return std::nullopt;
  return SpecConstant::from_bytes(*bytes);
}

}  // namespace

Dtype dtype_of(NumberType type) {
  using enum Dtype;
  constexpr std::array types{uint8,  uint32, int8,   int16,   int32,   int64,  uint8,
                             uint16, uint32, uint64, float16, float32, float64};
  return types[static_cast<std::size_t>(type)];
}

std::map<std::uint32_t, SpecConstant> specialization(
    const std::vector<std::string>& options, const std::vector<DeclaredConstant>& declared) {
  std::map<std::uint32_t, SpecConstant> values;
  for (const std::string_view text : options) {
    const std::size_t equals = text.find('=');
    const std::string_view which = text.substr(0, equals);
    if (which.empty() || equals == std::string_view::npos || equals + 1 == text.size())
      throw InputError(fmt::format(
          "--spec '{}': write ID=VALUE or NAME=VALUE, a constant and a number, true or false",
          text));
    const auto id = parse_unsigned(which);
    const auto found = std::ranges::find_if(
        declared, [&](const auto& c) { return id ? c.id == *id : c.name == which; });
    if (found == declared.end())
      throw InputError(
          fmt::format("--spec {}: the shader has no specialization constant {}; it has {}", text,
                      which, all_of(declared)));
    const auto value = value_of(found->type, text.substr(equals + 1));
    if (!value)
      throw InputError(fmt::format("--spec {}: constant {} takes {}", text, described(*found),
                                   values_of(found->type)));
    if (!values.emplace(found->id, *value).second)
      throw InputError(fmt::format("--spec {}: constant {} is given twice; remove one", text,
                                   described(*found)));
  }
  return values;
}

}  // namespace lockstep::io
