#pragma once

#include <optional>
#include <string>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/texel.hpp>

#include "driver/packed_texels.hpp"
#include "driver/settings.hpp"
#include "driver/vulkan.hpp"

namespace lockstep::driver {

/// How texels lie: as one of the engine's formats, as the same numbers in another order or on another scale, or packed.
struct TexelFormat {
  ImageFormat texels{};      ///< of packed texels rgba32f, which has what a shader sees
  bool bgra = false;         ///< the first and the third component change places
  bool srgb = false;         ///< all but the fourth component are on the scale of sRGB
  PackedTexels packed = {};  ///< of another size than `texels`

  /// Whether the engine can read and write its texels as they are.
  bool is_engine() const { return !bgra && !srgb && packed.bytes == 0; }
  /// Whether the engine can once the first and the third byte have changed places.
  bool is_blue_first() const { return bgra && !srgb; }
  std::uint32_t bytes() const { return packed.bytes != 0 ? packed.bytes : texel_bytes(texels); }
  friend bool operator==(const TexelFormat&, const TexelFormat&) = default;
};

/// What an image of a format consists of. Depth and stencil lie apart, all texels of depth first.
struct FormatPlanes {
  TexelFormat first;                   ///< of colour or depth; of stencil if that is all
  std::optional<ImageFormat> stencil;  ///< of the second plane
  VkImageAspectFlags aspects;
};
/// Nothing if there are no images of the format.
std::optional<FormatPlanes> planes_of(VkFormat format);
/// The layout of a texel buffer's texels, or nothing if the format is not supported for texel buffers.
std::optional<TexelFormat> texel_buffer_format_of(VkFormat format);

/// The format as Vulkan spells it: VK_FORMAT_R8_UNORM.
std::string name_of(VkFormat format);

/// The numbers that a shader sees of a texel.
TexelBits decode_texel(const TexelFormat& format, const std::byte* from);
void encode_texel(const TexelFormat& format, std::byte* to, TexelBits texel);

/// What can be done with images and texel buffers of that format.
struct FormatSupport {
  VkFormatFeatureFlags2 images = 0;  ///< of either tiling: all images are linear
  VkFormatFeatureFlags2 buffers = 0;
};
FormatSupport support_of(VkFormat format, const Settings& settings);

}  // namespace lockstep::driver
