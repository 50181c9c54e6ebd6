#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/exec/error.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

/// Texel formats, by GLSL's names.
enum class ImageFormat {
  rgba32f,
  rgba16f,
  rg32f,
  rg16f,
  r11f_g11f_b10f,
  r32f,
  r16f,
  rgba16,
  rgb10_a2,
  rgba8,
  rg16,
  rg8,
  r16,
  r8,
  rgba16_snorm,
  rgba8_snorm,
  rg16_snorm,
  rg8_snorm,
  r16_snorm,
  r8_snorm,
  rgba32i,
  rgba16i,
  rgba8i,
  rg32i,
  rg16i,
  rg8i,
  r32i,
  r16i,
  r8i,
  r64i,
  rgba32ui,
  rgba16ui,
  rgb10_a2ui,
  rgba8ui,
  rg32ui,
  rg16ui,
  rg8ui,
  r32ui,
  r16ui,
  r8ui,
  r64ui,
};

/// The meaning of a component's bits: a float, a fraction of the largest number, or a number.
enum class TexelCoding : std::uint8_t { floating, unorm, snorm, sint, uint };

/// The type of a texel's components in a shader.
enum class TexelNumber : std::uint8_t { float32, int32, uint32, int64, uint64 };

/// Properties of a format. Where components are not whole bytes, the texel is one number with red
/// in its lowest bits.
struct ImageFormatInfo {
  std::string_view name;
  TexelCoding coding = TexelCoding::floating;
  std::uint32_t bits[4] = {};  ///< of each component; 0 for missing ones
  std::uint32_t components = 0;
  std::uint32_t bytes = 0;

  constexpr ImageFormatInfo(std::string_view format, TexelCoding c, std::uint32_t r,
                            std::uint32_t g = 0, std::uint32_t b = 0, std::uint32_t a = 0)
      : name(format), coding(c), bits{r, g, b, a} {
    for (const std::uint32_t n : bits) {
      components += n != 0 ? 1 : 0;
      bytes += n;
    }
    bytes /= 8;
  }
  /// Whether the texel is stored as one number.
  constexpr bool packed() const { return bits[0] % 8 != 0; }
  /// The type of its components in shaders.
  constexpr TexelNumber number() const {
    if (coding == TexelCoding::sint) return bits[0] == 64 ? TexelNumber::int64 : TexelNumber::int32;
    if (coding == TexelCoding::uint)
      return bits[0] == 64 ? TexelNumber::uint64 : TexelNumber::uint32;
    return TexelNumber::float32;
  }
  /// Whether atomics can update a texel: it is one number of the same size as in shaders.
  constexpr bool takes_atomics() const { return components == 1 && bits[0] >= 32; }
};

/// All formats, in the order of ImageFormat.
inline constexpr ImageFormatInfo image_formats[] = {
    {"rgba32f", TexelCoding::floating, 32, 32, 32, 32},
    {"rgba16f", TexelCoding::floating, 16, 16, 16, 16},
    {"rg32f", TexelCoding::floating, 32, 32},
    {"rg16f", TexelCoding::floating, 16, 16},
    {"r11f_g11f_b10f", TexelCoding::floating, 11, 11, 10},
    {"r32f", TexelCoding::floating, 32},
    {"r16f", TexelCoding::floating, 16},
    {"rgba16", TexelCoding::unorm, 16, 16, 16, 16},
    {"rgb10_a2", TexelCoding::unorm, 10, 10, 10, 2},
    {"rgba8", TexelCoding::unorm, 8, 8, 8, 8},
    {"rg16", TexelCoding::unorm, 16, 16},
    {"rg8", TexelCoding::unorm, 8, 8},
    {"r16", TexelCoding::unorm, 16},
    {"r8", TexelCoding::unorm, 8},
    {"rgba16_snorm", TexelCoding::snorm, 16, 16, 16, 16},
    {"rgba8_snorm", TexelCoding::snorm, 8, 8, 8, 8},
    {"rg16_snorm", TexelCoding::snorm, 16, 16},
    {"rg8_snorm", TexelCoding::snorm, 8, 8},
    {"r16_snorm", TexelCoding::snorm, 16},
    {"r8_snorm", TexelCoding::snorm, 8},
    {"rgba32i", TexelCoding::sint, 32, 32, 32, 32},
    {"rgba16i", TexelCoding::sint, 16, 16, 16, 16},
    {"rgba8i", TexelCoding::sint, 8, 8, 8, 8},
    {"rg32i", TexelCoding::sint, 32, 32},
    {"rg16i", TexelCoding::sint, 16, 16},
    {"rg8i", TexelCoding::sint, 8, 8},
    {"r32i", TexelCoding::sint, 32},
    {"r16i", TexelCoding::sint, 16},
    {"r8i", TexelCoding::sint, 8},
    {"r64i", TexelCoding::sint, 64},
    {"rgba32ui", TexelCoding::uint, 32, 32, 32, 32},
    {"rgba16ui", TexelCoding::uint, 16, 16, 16, 16},
    {"rgb10_a2ui", TexelCoding::uint, 10, 10, 10, 2},
    {"rgba8ui", TexelCoding::uint, 8, 8, 8, 8},
    {"rg32ui", TexelCoding::uint, 32, 32},
    {"rg16ui", TexelCoding::uint, 16, 16},
    {"rg8ui", TexelCoding::uint, 8, 8},
    {"r32ui", TexelCoding::uint, 32},
    {"r16ui", TexelCoding::uint, 16},
    {"r8ui", TexelCoding::uint, 8},
    {"r64ui", TexelCoding::uint, 64},
};
/// What is known of a format.
constexpr const ImageFormatInfo& info_of(ImageFormat format) {
  return image_formats[static_cast<int>(format)];
}

/// How coordinates address an image. The layers of an array count as its depth.
enum class ImageKind { two_d, three_d, two_d_array };

/// Bytes of one texel.
constexpr std::uint32_t texel_bytes(ImageFormat format) { return info_of(format).bytes; }
/// The format's name, as in GLSL's layout qualifiers.
std::string_view to_string(ImageFormat format);
/// The kind's name, as in GLSL's types without the prefix of the number type: "image2DArray".
std::string_view to_string(ImageKind kind);

/// A host image to pass to device.dispatch: its texels row by row, slice by slice, without gaps.
///
/// Requires      Extents of at least 1, fewer than 2^32 texels. An image that views host bytes
///               requires exactly as many as its texels take, aligned like their components, and
///               must not outlive them.
/// Active lanes  None.
/// Errors        Throws Error if bytes or extents do not fit.
/// Cost          One allocation, none for a view.
/// Spec          VkImage and VkImageView
/// Example       tests/glsl/image.cpp
class Image {
 public:
  /// All texels are zero.
  Image(ImageFormat format, ImageKind kind, Size3 size);
  /// The texels are the host's bytes.
  Image(ImageFormat format, ImageKind kind, Size3 size, std::span<std::byte> bytes);
  Image(Image&&) = default;
  Image& operator=(Image&&) = default;

  /// The format of its texels.
  ImageFormat format() const { return format_; }
  /// How coordinates address it.
  ImageKind kind() const { return kind_; }
  Size3 size() const { return size_; }
  /// The number of texels, of all slices.
  std::uint32_t texels() const { return size_.x * size_.y * size_.z; }
  /// The memory of the texels.
  std::span<std::byte> bytes() { return bytes_; }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  ImageFormat format_;
  ImageKind kind_;
  Size3 size_;
  std::vector<std::byte> own_;
  std::span<std::byte> bytes_;
};

/// The bytes of a host array, for an image to view.
template <class T>
std::span<std::byte> bytes_of(std::vector<T>& array) {
  return std::as_writable_bytes(std::span(array));
}

/// A two-dimensional image: Image2D pixels(ImageFormat::r32f, width, height).
struct Image2D : Image {
  Image2D(ImageFormat format, std::uint32_t width, std::uint32_t height)
      : Image(format, ImageKind::two_d, {width, height, 1}) {}
  Image2D(ImageFormat format, std::uint32_t width, std::uint32_t height, std::span<std::byte> bytes)
      : Image(format, ImageKind::two_d, {width, height, 1}, bytes) {}
};
/// A three-dimensional image.
struct Image3D : Image {
  Image3D(ImageFormat format, Size3 size) : Image(format, ImageKind::three_d, size) {}
  Image3D(ImageFormat format, Size3 size, std::span<std::byte> bytes)
      : Image(format, ImageKind::three_d, size, bytes) {}
};
/// An array of two-dimensional layers.
struct Image2DArray : Image {
  Image2DArray(ImageFormat format, std::uint32_t width, std::uint32_t height, std::uint32_t layers)
      : Image(format, ImageKind::two_d_array, {width, height, layers}) {}
  Image2DArray(ImageFormat format, std::uint32_t width, std::uint32_t height, std::uint32_t layers,
               std::span<std::byte> bytes)
      : Image(format, ImageKind::two_d_array, {width, height, layers}, bytes) {}
};

namespace fail {

/// An image is bound to a member of another type: say, an r32f image to a uimage2D.
[[noreturn]] void image_type(std::uint32_t binding, std::string_view declared, ImageFormat format,
                             ImageKind kind);
/// An atomic is used on an image whose texels are not one number of 32 or 64 bits.
[[noreturn]] void image_atomic(std::string_view name, std::uint32_t binding, ImageFormat format);

}  // namespace fail
}  // namespace lockstep
