#pragma once

#include <optional>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/profile.hpp>

#include "icd/vulkan.hpp"

namespace lockstep::icd {

/// The engine's format of the same texels; nothing if it has none.
std::optional<ImageFormat> image_format_of(VkFormat format);

/// What can be done with images and texel buffers of that format.
struct FormatSupport {
  VkFormatFeatureFlags2 images = 0;  ///< of either tiling: all images are linear
  VkFormatFeatureFlags2 buffers = 0;
};
FormatSupport support_of(VkFormat format, const Profile& profile);

}  // namespace lockstep::icd
