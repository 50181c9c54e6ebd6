#include "amber/type.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::amber {
namespace {

struct NamedNumber {
  std::string_view name;
  Number number;
};

constexpr std::array numbers{
    NamedNumber{"int8", {Encoding::signed_int, 8}},
    NamedNumber{"int16", {Encoding::signed_int, 16}},
    NamedNumber{"int32", {Encoding::signed_int, 32}},
    NamedNumber{"int64", {Encoding::signed_int, 64}},
    NamedNumber{"uint8", {Encoding::unsigned_int, 8}},
    NamedNumber{"uint16", {Encoding::unsigned_int, 16}},
    NamedNumber{"uint32", {Encoding::unsigned_int, 32}},
    NamedNumber{"uint64", {Encoding::unsigned_int, 64}},
    NamedNumber{"float16", {Encoding::floating, 16}},
    NamedNumber{"float", {Encoding::floating, 32}},
    NamedNumber{"double", {Encoding::floating, 64}},
};

struct NamedMode {
  std::string_view name;
  Mode mode;
};

constexpr std::array modes{
    NamedMode{"UNORM", Mode::unorm},     NamedMode{"SNORM", Mode::snorm},
    NamedMode{"USCALED", Mode::uscaled}, NamedMode{"SSCALED", Mode::sscaled},
    NamedMode{"UINT", Mode::uint},       NamedMode{"SINT", Mode::sint},
    NamedMode{"SRGB", Mode::srgb},       NamedMode{"SFLOAT", Mode::sfloat},
    NamedMode{"UFLOAT", Mode::ufloat},
};

// Formats whose channels are not whole bytes or of several kinds; all others follow a rule.
constexpr std::array irregular{
    "A1R5G5B5_UNORM_PACK16",
    "A2B10G10R10_SINT_PACK32",
    "A2B10G10R10_SNORM_PACK32",
    "A2B10G10R10_SSCALED_PACK32",
    "A2B10G10R10_UINT_PACK32",
    "A2B10G10R10_UNORM_PACK32",
    "A2B10G10R10_USCALED_PACK32",
    "A2R10G10B10_SINT_PACK32",
    "A2R10G10B10_SNORM_PACK32",
    "A2R10G10B10_SSCALED_PACK32",
    "A2R10G10B10_UINT_PACK32",
    "A2R10G10B10_UNORM_PACK32",
    "A2R10G10B10_USCALED_PACK32",
    "A8B8G8R8_SINT_PACK32",
    "A8B8G8R8_SNORM_PACK32",
    "A8B8G8R8_SRGB_PACK32",
    "A8B8G8R8_SSCALED_PACK32",
    "A8B8G8R8_UINT_PACK32",
    "A8B8G8R8_UNORM_PACK32",
    "A8B8G8R8_USCALED_PACK32",
    "B10G11R11_UFLOAT_PACK32",
    "B4G4R4A4_UNORM_PACK16",
    "B5G5R5A1_UNORM_PACK16",
    "B5G6R5_UNORM_PACK16",
    "D16_UNORM",
    "D16_UNORM_S8_UINT",
    "D24_UNORM_S8_UINT",
    "D32_SFLOAT",
    "D32_SFLOAT_S8_UINT",
    "R4G4B4A4_UNORM_PACK16",
    "R4G4_UNORM_PACK8",
    "R5G5B5A1_UNORM_PACK16",
    "R5G6B5_UNORM_PACK16",
    "S8_UINT",
    "X8_D24_UNORM_PACK32",
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<Mode> mode_at(std::string_view text) {
  const auto* found = std::ranges::find_if(
      modes, [text](const NamedMode& mode) { return text.starts_with(mode.name); });
  if (found == modes.end()) return std::nullopt;
  return found->mode;
}

std::string_view name_of(Mode mode) {
  return std::ranges::find(modes, mode, &NamedMode::mode)->name;
}

// Splits a name into letters with bits, modes and an optional _PACKn; a mode applies to what precedes it.
std::optional<ImageFormat> split_format(std::string_view name) {
  ImageFormat format{.name = std::string(name), .channels = {}, .bits = 0, .packed = false};
  std::size_t without_mode = 0;
  for (std::string_view rest = name; !rest.empty();) {
    if (rest.front() == '_') {
      rest.remove_prefix(1);
      if (rest.starts_with("PACK")) {
        format.packed = true;
        break;
      }
      const auto mode = mode_at(rest);
      if (!mode) continue;  // X8_D24
      for (; without_mode < format.channels.size(); ++without_mode)
        format.channels[without_mode].mode = *mode;
      rest.remove_prefix(name_of(*mode).size());
      continue;
    }
    const char letter = rest.front();
    std::uint32_t bits = 0;
    for (rest.remove_prefix(1); !rest.empty() && is_digit(rest.front()) && bits < 100;
         rest.remove_prefix(1))
      bits = 10 * bits + static_cast<std::uint32_t>(rest.front() - '0');
    if (std::string_view("RGBADSX").find(letter) == std::string_view::npos || bits == 0 ||
        bits > 64)
      return std::nullopt;
    format.channels.push_back({letter, Mode::unorm, bits, 0});
    format.bits += bits;
  }
  if (format.channels.empty() || without_mode != format.channels.size()) return std::nullopt;
  return format;
}

void place_channels(ImageFormat& format) {
  std::uint32_t at = 0;
  // The first channel of a packed format has the highest bits, otherwise the first bytes.
  if (format.packed) std::ranges::reverse(format.channels);
  for (Channel& channel : format.channels) channel.shift = std::exchange(at, at + channel.bits);
  if (format.packed) std::ranges::reverse(format.channels);
}

// Channels of one size and mode, in order.
bool is_regular(const ImageFormat& format) {
  std::string letters;
  const Channel& first = format.channels.front();
  for (const Channel& channel : format.channels) {
    letters += channel.name;
    if (channel.bits != first.bits || channel.mode != first.mode) return false;
  }
  const bool reversed = letters == "BGR" || letters == "BGRA";
  if (!reversed && !std::string_view("RGBA").starts_with(letters)) return false;
  std::string expected;
  for (const char letter : letters) {
    expected += letter;
    expected += std::to_string(first.bits);
  }
  expected += '_';
  expected += name_of(first.mode);
  if (format.name != expected) return false;
  const bool whole = first.mode == Mode::uint || first.mode == Mode::sint;
  switch (first.bits) {
    case 8:
      return first.mode != Mode::sfloat && first.mode != Mode::ufloat;
    case 16:
      return !reversed && first.mode != Mode::srgb && first.mode != Mode::ufloat;
    case 32:
    case 64:
      return !reversed && (whole || first.mode == Mode::sfloat);
    default:
      return false;
  }
}

std::optional<Number> parse_number(std::string_view name) {
  const auto* found = std::ranges::find(numbers, name, &NamedNumber::name);
  if (found == numbers.end()) return std::nullopt;
  return found->number;
}

std::optional<std::uint32_t> parse_extent(char c) {
  if (c < '2' || c > '4') return std::nullopt;
  return static_cast<std::uint32_t>(c - '0');
}

// vec3<float> and mat2x3<float>.
std::optional<Type> parse_shaped(std::string_view name) {
  const bool matrix = name.starts_with("mat");
  const std::size_t open = matrix ? 6 : 4;
  if (name.size() < open + 3 || name[open] != '<' || name.back() != '>') return std::nullopt;
  if (matrix ? name[4] != 'x' : !name.starts_with("vec")) return std::nullopt;
  const auto number = parse_number(name.substr(open + 1, name.size() - open - 2));
  const auto columns = matrix ? parse_extent(name[3]) : 1U;
  const auto rows = parse_extent(name[matrix ? 5 : 3]);
  if (!number || !columns || !rows) return std::nullopt;
  Type type;
  type.number = *number;
  type.rows = *rows;
  type.columns = *columns;
  return type;
}

}  // namespace

std::optional<ImageFormat> parse_format(std::string_view name) {
  auto format = split_format(name);
  if (!format) return std::nullopt;
  if (std::ranges::find(irregular, name) == irregular.end() && !is_regular(*format))
    return std::nullopt;
  place_channels(*format);
  return format;
}

std::optional<Type> parse_type(std::string_view name) {
  std::string_view element = name;
  const bool array = element.ends_with("[]");
  if (array) element.remove_suffix(2);
  std::optional<Type> type = parse_shaped(element);
  if (!type) {
    if (const auto number = parse_number(element)) {
      type.emplace().number = *number;
    } else if (auto format = array ? std::nullopt : parse_format(element)) {
      type.emplace().format = std::make_shared<const ImageFormat>(std::move(*format));
    } else {
      return std::nullopt;
    }
  }
  type->name = name;
  type->array = array;
  return type;
}

}  // namespace lockstep::amber
