#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <lockstep/exec/error.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

/// How an image stores its texels, by GLSL's names.
enum class ImageFormat { r16f, r32f, r32ui, r32i, rgba8, rgba16f, rgba32f };

/// What the coordinates of an image mean. The layers of an array count as its depth.
enum class ImageKind { two_d, three_d, two_d_array };

/// Bytes of one texel.
constexpr std::uint32_t texel_bytes(ImageFormat format) {
  switch (format) {
    case ImageFormat::r16f:
      return 2;
    case ImageFormat::rgba16f:
      return 8;
    case ImageFormat::rgba32f:
      return 16;
    default:
      return 4;
  }
}
/// The format's name as GLSL's layout qualifiers spell it.
std::string_view to_string(ImageFormat format);
/// The kind as GLSL's types spell it, without the letter of its numbers: "image2DArray".
std::string_view to_string(ImageKind kind);

/// An image of the host, to hand to device.dispatch: its texels row by row, slice by slice, without gaps.
///
/// Requires      Extents of at least 1, fewer than 2^32 texels. An image that views bytes of the
///               host's wants exactly as many as its texels take, aligned as their components, and
///               lives no longer than they.
/// Active lanes  None.
/// Errors        Throws Error for bytes or extents that do not fit.
/// Cost          One allocation, none for a view.
/// Spec          VkImage and VkImageView
/// Example       tests/glsl/image.cpp
class Image {
 public:
  /// All texels zero.
  Image(ImageFormat format, ImageKind kind, Size3 size);
  /// The texels are the host's bytes.
  Image(ImageFormat format, ImageKind kind, Size3 size, std::span<std::byte> bytes);
  Image(Image&&) = default;
  Image& operator=(Image&&) = default;

  ImageFormat format() const { return format_; }
  ImageKind kind() const { return kind_; }
  Size3 size() const { return size_; }
  std::uint32_t texels() const { return size_.x * size_.y * size_.z; }
  /// The texels' memory.
  std::span<std::byte> bytes() { return bytes_; }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  ImageFormat format_;
  ImageKind kind_;
  Size3 size_;
  std::vector<std::byte> own_;
  std::span<std::byte> bytes_;
};

/// The bytes of an array of the host's, for an image to view.
template <class T>
std::span<std::byte> bytes_of(std::vector<T>& array) {
  return std::as_writable_bytes(std::span(array));
}

/// An image of two dimensions: Image2D pixels(ImageFormat::r32f, width, height).
struct Image2D : Image {
  Image2D(ImageFormat format, std::uint32_t width, std::uint32_t height)
      : Image(format, ImageKind::two_d, {width, height, 1}) {}
  Image2D(ImageFormat format, std::uint32_t width, std::uint32_t height, std::span<std::byte> bytes)
      : Image(format, ImageKind::two_d, {width, height, 1}, bytes) {}
};
/// An image of three dimensions.
struct Image3D : Image {
  Image3D(ImageFormat format, Size3 size) : Image(format, ImageKind::three_d, size) {}
  Image3D(ImageFormat format, Size3 size, std::span<std::byte> bytes)
      : Image(format, ImageKind::three_d, size, bytes) {}
};
/// Layers of two dimensions each.
struct Image2DArray : Image {
  Image2DArray(ImageFormat format, std::uint32_t width, std::uint32_t height, std::uint32_t layers)
      : Image(format, ImageKind::two_d_array, {width, height, layers}) {}
  Image2DArray(ImageFormat format, std::uint32_t width, std::uint32_t height, std::uint32_t layers,
               std::span<std::byte> bytes)
      : Image(format, ImageKind::two_d_array, {width, height, layers}, bytes) {}
};

namespace fail {

/// An image bound to a member of another type: say, an r32f image to a uimage2D.
[[noreturn]] void image_type(std::uint32_t binding, std::string_view declared, ImageFormat format,
                             ImageKind kind);
/// An atomic on an image whose texels are not one 32-bit number.
[[noreturn]] void image_atomic(std::string_view name, std::uint32_t binding, ImageFormat format);

}  // namespace fail
}  // namespace lockstep
