#include <lockstep/dispatch/sampler.hpp>

#include <optional>

#include "driver/entry_points.hpp"
#include "driver/image.hpp"

namespace lockstep::driver {
namespace {

// The engine's enumerators are in Vulkan's order.
static_assert(static_cast<int>(Filter::linear) == VK_FILTER_LINEAR &&
              static_cast<int>(AddressMode::mirror_clamp_to_edge) ==
                  VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE &&
              static_cast<int>(CompareOp::always) == VK_COMPARE_OP_ALWAYS);

BorderColor border_of(VkBorderColor color) {
  switch (color) {
    case VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE:
    case VK_BORDER_COLOR_INT_OPAQUE_WHITE:
      return BorderColor::opaque_white;
    case VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK:
    case VK_BORDER_COLOR_INT_OPAQUE_BLACK:
      return BorderColor::opaque_black;
    default:
      return BorderColor::transparent_black;
  }
}

}  // namespace

VkResult vkCreateSampler(VkDevice, const VkSamplerCreateInfo* info, const VkAllocationCallbacks*,
                         VkSampler* sampler) {
  const Sampler made{.mag_filter = static_cast<Filter>(info->magFilter),
                     .min_filter = static_cast<Filter>(info->minFilter),
                     .mipmap_mode = static_cast<Filter>(info->mipmapMode),
                     .address_mode_u = static_cast<AddressMode>(info->addressModeU),
                     .address_mode_v = static_cast<AddressMode>(info->addressModeV),
                     .address_mode_w = static_cast<AddressMode>(info->addressModeW),
                     .border_color = border_of(info->borderColor),
                     .lod_bias = info->mipLodBias,
                     .min_lod = info->minLod,
                     .max_lod = info->maxLod,
                     .unnormalized_coordinates = info->unnormalizedCoordinates == VK_TRUE,
                     .compares = info->compareEnable == VK_TRUE,
                     .compare_op = static_cast<CompareOp>(info->compareOp)};
  return guarded([&] {
    *sampler = handle_of(new Sampler(made));
    return VK_SUCCESS;
  });
}

void vkDestroySampler(VkDevice, VkSampler sampler, const VkAllocationCallbacks*) {
  delete object_of(sampler);
}

}  // namespace lockstep::driver
