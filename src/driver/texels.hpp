#pragma once

#include <cstddef>
#include <cstdint>

#include "driver/image.hpp"

namespace lockstep::driver {

/// The slices of a level that a copy is about: of 3D images those of its depth, of others layers.
struct SliceRange {
  SliceRange(const Image& image, const VkImageSubresourceLayers& of, std::int32_t z,
             std::uint32_t depth)
      : level(of.mipLevel),
        first(image.type() == VK_IMAGE_TYPE_3D ? static_cast<std::uint32_t>(z) : of.baseArrayLayer),
        count(image.type() == VK_IMAGE_TYPE_3D
                  ? depth
                  : layer_count(image, of.baseArrayLayer, of.layerCount)) {}
  std::uint32_t level, first, count;
};

/// Where a texel is. The layers of 1D images are the engine's rows.
inline std::byte* texel_at(const Image& image, const Plane& plane, std::uint32_t level,
                           std::uint32_t x, std::uint32_t y, std::uint32_t slice) {
  const Size3 e = image.extent(level);
  const std::size_t row = image.type() == VK_IMAGE_TYPE_1D ? slice : std::size_t{slice} * e.y + y;
  return image.level(plane, level).data() + (row * e.x + x) * plane.texel_size();
}

}  // namespace lockstep::driver
