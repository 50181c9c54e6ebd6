#include "io/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/dispatch/texel.hpp>

#include "io/buffer_spec.hpp"
#include "io/error.hpp"
#include "io/files.hpp"
#include "io/numbers.hpp"
#include "io/png.hpp"
#include "io/text.hpp"

namespace lockstep::io {
namespace {

ImageFormat parse_format(std::string_view text, std::string_view name) {
  const auto* found = std::ranges::find(image_formats, name, &ImageFormatInfo::name);
  if (found != std::end(image_formats))
    return static_cast<ImageFormat>(found - std::begin(image_formats));
  refuse(text, fmt::format("'{}' is not an image format; use one of GLSL's, such as rgba8 or r32f",
                           name));
}

std::optional<Size3> parse_size(std::string_view text) {
  std::array<std::uint32_t, 3> sizes{1, 1, 1};
  const auto parts = parts_of(text, 'x');
  if (parts.size() > sizes.size()) return std::nullopt;
  std::uint64_t texels = 1;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto size = parse_unsigned(parts[k]);
    if (!size || *size == 0 || *size > 0xffffffff / texels) return std::nullopt;
    texels *= *size;
    sizes[k] = static_cast<std::uint32_t>(*size);
  }
  return Size3{sizes[0], sizes[1], sizes[2]};
}

/// WxH[xD][,levels=N][,samples=N].
ImageShape parse_shape(std::string_view text, std::string_view part, ImageFormat format,
                       std::uint32_t axes) {
  const auto words = parts_of(part, ',');
  auto size = parse_size(words[0]);
  if (!size)
    refuse(text,
           fmt::format("'{}' is not a size; write W, WxH or WxHxD with fewer than 2^32 texels",
                       words[0]));
  // Without a third extent the samples are those of one layer.
  constexpr std::uint32_t most_samples = 64;
  const bool is_flat = parts_of(words[0], 'x').size() < 3;
  ImageShape shape{format, {.size = *size, .axes = axes}};
  for (const std::string_view word : std::span(words).subspan(1)) {
    const std::size_t equals = word.find('=');
    const auto name = word.substr(0, equals);
    const bool known = equals != std::string_view::npos && (name == "levels" || name == "samples");
    const std::uint64_t most = name == "levels" ? shape.levels.most()
                               : is_flat        ? most_samples
                                                : size->z;
    if (!known)
      refuse(text, fmt::format("'{}' is not a property; write levels=N or samples=N", word));
    const auto number = parse_unsigned(word.substr(equals + 1));
    if (!number || *number == 0 || *number > most)
      refuse(text, fmt::format("'{}' is not a number from 1 to {}", word, most));
    (name == "levels" ? shape.levels.count : shape.samples) = static_cast<std::uint32_t>(*number);
  }
  if (is_flat) shape.levels.size.z = size->z = shape.samples;
  if (size->z % shape.samples != 0)
    refuse(text, fmt::format("the depth is {}, the slices of all layers: a multiple of the {} "
                             "samples",
                             size->z, shape.samples));
  if (shape.levels.texels() >= std::uint64_t{1} << 32)
    refuse(text, "its levels have 2^32 texels or more; use a smaller image");
  return shape;
}

/// The type of an image's components, or of whole texels.
Dtype component_type(ImageFormat format) {
  const ImageFormatInfo& info = info_of(format);
  const std::uint32_t bits = info.packed() ? 8 * info.bytes : info.bits[0];
  using enum Dtype;
  if (!info.packed() && info.coding == TexelCoding::floating) return bits == 16 ? float16 : float32;
  if (!info.packed() && (info.coding == TexelCoding::sint || info.coding == TexelCoding::snorm))
    return bits == 8 ? int8 : bits == 16 ? int16 : bits == 32 ? int32 : int64;
  return bits == 8 ? uint8 : bits == 16 ? uint16 : bits == 32 ? uint32 : uint64;
}

npy::Array array_of(const ImageShape& shape, std::vector<std::byte> bytes) {
  const ImageFormatInfo& info = info_of(shape.format);
  const std::size_t numbers = info.packed() ? 1 : info.components;
  std::vector<std::size_t> extents{shape.size().z, shape.size().y, shape.size().x, numbers};
  if (shape.levels.count > 1) extents = {static_cast<std::size_t>(shape.levels.texels()), numbers};
  return {component_type(shape.format), std::move(extents), std::move(bytes)};
}

std::uint64_t bytes_of(const ImageShape& shape) {
  return shape.levels.texels() * texel_bytes(shape.format);
}

// ---- PNG ----

/// Level by level and slice by slice, one below the other at the left of a picture: the width and height of the picture.
std::pair<std::uint64_t, std::uint64_t> picture_of(const ImageShape& shape) {
  std::uint64_t rows = 0;
  for (std::uint32_t level = 0; level < shape.levels.count; ++level) {
    const Size3 extent = shape.levels.extent(level);
    rows += std::uint64_t{extent.y} * extent.z;
  }
  return {shape.size().x, rows};
}

/// Calls f(texel, pixel) for the numbers of each texel and of its pixel in the picture.
template <class F>
void for_each_pixel(const ImageShape& shape, F&& f) {
  std::size_t texel = 0, row = 0;
  for (std::uint32_t level = 0; level < shape.levels.count; ++level) {
    const Size3 extent = shape.levels.extent(level);
    for (std::size_t k = 0; k < std::size_t{extent.y} * extent.z; ++k, ++row) {
      for (std::size_t x = 0; x < extent.x; ++x) f(texel++, row * shape.size().x + x);
    }
  }
}

constexpr std::uint64_t most_texels = 1u << 28;

/// A component of a texel from one of a PNG of 16 bits.
std::uint64_t component_of(const ImageFormatInfo& info, std::uint16_t value) {
  constexpr float most = 65535;
  if (info.number() == TexelNumber::float32)
    return std::bit_cast<std::uint32_t>(static_cast<float>(value) / most);
  return value >> 8;  // integers are those of a PNG of 8 bits
}

/// The image in a file: of the shape, or of the file's size.
NewImage read_png(std::string_view text, ImageFormat format, const std::string& path,
                  const std::optional<ImageShape>& wanted = {}) {
  Picture picture;
  try {
    picture = decode_png(read_bytes(path), most_texels);
  } catch (const PngError& error) {
    refuse(text, fmt::format("{} {}", path, error.what()));
  }
  const ImageShape shape =
      wanted.value_or(ImageShape{format, {.size = {picture.width, picture.height, 1}}});
  const auto [width, height] = picture_of(shape);
  if (picture.width != width || picture.height != height)
    refuse(text, fmt::format("{} has {} x {} pixels, but the image has {} x {}: its levels and "
                             "slices one below the other",
                             path, picture.width, picture.height, width, height));
  const ImageFormatInfo& info = info_of(format);
  std::vector<std::byte> bytes(bytes_of(shape));
  for_each_pixel(shape, [&](std::size_t number, std::size_t pixel) {
    TexelBits texel{};
    for (std::size_t c = 0; c < 4; ++c)
      texel[c] =
          component_of(info, static_cast<std::uint16_t>(picture.pixels[4 * pixel + c] * 257));
    encode_texel(format, bytes.data() + number * info.bytes, texel);
  });
  return {shape, array_of(shape, std::move(bytes))};
}

std::uint8_t pixel_component(const ImageFormatInfo& info, std::uint64_t bits) {
  constexpr float most = 255;
  switch (info.number()) {
    case TexelNumber::float32: {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      return static_cast<std::uint8_t>(std::lround(most * (value > 0 ? std::min(value, 1.0f) : 0)));
    }
    case TexelNumber::int32:
    case TexelNumber::int64:
      return static_cast<std::uint8_t>(
          std::clamp(static_cast<std::int64_t>(info.number() == TexelNumber::int32
                                                   ? static_cast<std::int32_t>(bits)
                                                   : static_cast<std::int64_t>(bits)),
                     std::int64_t{0}, std::int64_t{255}));
    default:
      return static_cast<std::uint8_t>(std::min<std::uint64_t>(bits, 255));
  }
}

/// A property of samplers.
struct SamplerWord {
  std::string_view name;
  void (*apply)(Sampler&);
};
#define LOCKSTEP_FILTER(word)                                              \
  SamplerWord {                                                            \
#word, [](Sampler & s) { s.mag_filter = s.min_filter = Filter::word; } \
  }
#define LOCKSTEP_ADDRESS(word)                                                                   \
  SamplerWord {                                                                                  \
#word, [](Sampler &                                                                          \
              s) { s.address_mode_u = s.address_mode_v = s.address_mode_w = AddressMode::word; } \
  }
#define LOCKSTEP_BORDER(word)                                      \
  SamplerWord {                                                    \
#word, [](Sampler & s) { s.border_color = BorderColor::word; } \
  }
#define LOCKSTEP_COMPARE(word)                \
  SamplerWord {                               \
#word, [](Sampler& s) {                     \
    s.compares = true;                        \
    s.compare_op = CompareOp::word;           \
  } \
  }
constexpr SamplerWord sampler_words[] = {
    LOCKSTEP_FILTER(nearest),
    LOCKSTEP_FILTER(linear),
    LOCKSTEP_ADDRESS(repeat),
    LOCKSTEP_ADDRESS(mirrored_repeat),
    LOCKSTEP_ADDRESS(clamp_to_edge),
    LOCKSTEP_ADDRESS(clamp_to_border),
    LOCKSTEP_ADDRESS(mirror_clamp_to_edge),
    LOCKSTEP_BORDER(transparent_black),
    LOCKSTEP_BORDER(opaque_black),
    LOCKSTEP_BORDER(opaque_white),
    LOCKSTEP_COMPARE(never),
    LOCKSTEP_COMPARE(less),
    LOCKSTEP_COMPARE(equal),
    LOCKSTEP_COMPARE(less_or_equal),
    LOCKSTEP_COMPARE(greater),
    LOCKSTEP_COMPARE(not_equal),
    LOCKSTEP_COMPARE(greater_or_equal),
    LOCKSTEP_COMPARE(always),
    SamplerWord{"mipmap_nearest", [](Sampler& s) { s.mipmap_mode = Filter::nearest; }},
    SamplerWord{"mipmap_linear", [](Sampler& s) { s.mipmap_mode = Filter::linear; }},
    SamplerWord{"unnormalized", [](Sampler& s) { s.unnormalized_coordinates = true; }},
};
#undef LOCKSTEP_FILTER
#undef LOCKSTEP_ADDRESS
#undef LOCKSTEP_BORDER
#undef LOCKSTEP_COMPARE

}  // namespace

NewImage make_image(std::string_view text, std::uint32_t axes) {
  constexpr std::string_view image_form =
      "write FORMAT:WxH[xD][,levels=N][,samples=N]:SPEC or FORMAT:file.png";
  const std::size_t first = text.find(':');
  if (first == std::string_view::npos) refuse(text, image_form);
  const ImageFormat format = parse_format(text, text.substr(0, first));
  const std::string_view rest = text.substr(first + 1);
  const std::size_t second = rest.find(':');
  // A file's name may have a colon, too.
  const bool has_size = second != std::string_view::npos &&
                        parse_size(parts_of(rest.substr(0, second), ',')[0]).has_value();
  if (is_png(rest) && !has_size) return read_png(text, format, std::string(rest));
  if (second == std::string_view::npos) refuse(text, image_form);
  const ImageShape shape = parse_shape(text, rest.substr(0, second), format, axes);
  const std::string_view spec = rest.substr(second + 1);
  if (is_png(spec)) return read_png(text, format, std::string(spec), shape);
  const std::uint64_t bytes = bytes_of(shape);
  if (spec == "zeros") return {shape, array_of(shape, std::vector<std::byte>(bytes))};
  npy::Array array = make_array(parse_buffer_spec(spec));
  const auto& [x, y, z] = shape.size();
  if (array.bytes.size() != bytes)
    refuse(text, fmt::format("has {} bytes, but {} x {} x {} texels{} in {} have {}",
                             array.bytes.size(), x, y, z,
                             shape.levels.count == 1
                                 ? ""
                                 : fmt::format(" and {} more levels", shape.levels.count - 1),
                             to_string(format), bytes));
  return {shape, array_of(shape, std::move(array.bytes))};
}

std::optional<LevelOf> parse_level(std::string_view text) {
  constexpr std::string_view prefix = "level:";
  if (!text.starts_with(prefix)) return std::nullopt;
  const std::string_view rest = text.substr(prefix.size());
  const std::size_t colon = rest.find(':');
  const auto level = parse_unsigned(rest.substr(0, colon));
  if (colon == std::string_view::npos || !level || *level > 31)
    refuse(text, "write level:N:BINDING, the level's number and the image that has it");
  return LevelOf{static_cast<std::uint32_t>(*level),
                 parse_slot_argument("level", fmt::format("{}=image", rest.substr(colon + 1)))};
}

NewImage level_of(const NewImage& image, std::uint32_t level) {
  const MipLevels& levels = image.shape.levels;
  if (level >= levels.count)
    throw InputError(fmt::format("there is no level {}; the image has {}", level, levels.count));
  NewImage made{image.shape, {}};
  made.shape.levels = {levels.extent(level), levels.axes, 1};
  const std::uint32_t texel = texel_bytes(image.shape.format);
  const auto begin =
      image.array.bytes.begin() + static_cast<std::ptrdiff_t>(levels.before(level) * texel);
  made.array =
      array_of(made.shape, {begin, begin + static_cast<std::ptrdiff_t>(bytes_of(made.shape))});
  return made;
}

bool is_png(std::string_view path) { return path.ends_with(".png"); }

void write_png(const std::string& path, const ImageShape& shape, const npy::Array& array) {
  const ImageFormatInfo& info = info_of(shape.format);
  const auto [width, height] = picture_of(shape);
  if (width * height > most_texels)
    throw InputError(fmt::format("{}: a picture has 2^28 pixels at most; write a .npy file", path));
  Picture picture{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
  picture.pixels.resize(4 * width * height);
  for_each_pixel(shape, [&](std::size_t number, std::size_t pixel) {
    const TexelBits texel = decode_texel(shape.format, array.bytes.data() + number * info.bytes);
    for (std::size_t c = 0; c < 4; ++c) {
      const bool missing = c >= info.components;
      picture.pixels[4 * pixel + c] =
          missing ? (c == 3 ? 255 : 0) : pixel_component(info, texel[c]);
    }
  });
  std::string file;
  try {
    file = encode_png(picture);
  } catch (const PngError& error) {
    throw InputError(fmt::format("{}: cannot be written: {}", path, error.what()));
  }
  write_text(path, file);
}

Sampler parse_sampler(std::string_view text) {
  Sampler sampler;
  for (const std::string_view part : parts_of(text, ',')) {
    const auto* found = std::ranges::find(sampler_words, part, &SamplerWord::name);
    if (found == std::end(sampler_words)) {
      std::string known;
      for (const SamplerWord& word : sampler_words)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", word.name);
      refuse(text, fmt::format("'{}' is not a property of samplers; use {}", part, known));
    }
    found->apply(sampler);
  }
  return sampler;
}

}  // namespace lockstep::io
