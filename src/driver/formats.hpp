#pragma once

#include <optional>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/profile.hpp>
#include <lockstep/dispatch/texel.hpp>

#include "driver/vulkan.hpp"

namespace lockstep::driver {

/// The engine's format of the same texels; nothing if it has none.
std::optional<ImageFormat> image_format_of(VkFormat format);

/// A format of images: one of the engine, or the same numbers in another order or on another scale.
struct ColorFormat {
  ImageFormat texels{};
  bool bgra = false;  ///< the first and the third component change places
  bool srgb = false;  ///< all but the fourth component are on the scale of sRGB

  /// Whether the engine can read and write its texels as they are.
  bool is_engine() const { return !bgra && !srgb; }
  friend bool operator==(const ColorFormat&, const ColorFormat&) = default;
};
/// Nothing if there are no images of the format.
std::optional<ColorFormat> color_format_of(VkFormat format);

/// The numbers that a shader sees of a texel.
TexelBits decode_texel(ColorFormat format, const std::byte* from);
void encode_texel(ColorFormat format, std::byte* to, TexelBits texel);

/// What can be done with images and texel buffers of that format.
struct FormatSupport {
  VkFormatFeatureFlags2 images = 0;  ///< of either tiling: all images are linear
  VkFormatFeatureFlags2 buffers = 0;
};
FormatSupport support_of(VkFormat format, const Profile& profile);

}  // namespace lockstep::driver
