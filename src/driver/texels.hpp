#pragma once

#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "driver/image.hpp"

namespace lockstep::driver {

/// The slices of a level that a command copies: planes of a 3D image, otherwise the samples of each layer.
struct SliceRange {
  SliceRange(const Image& image, const VkImageSubresourceLayers& of, std::int32_t z,
             std::uint32_t depth)
      : level(of.mipLevel),
        first(image.type() == VK_IMAGE_TYPE_3D ? static_cast<std::uint32_t>(z)
                                               : of.baseArrayLayer * image.samples()),
        count(image.type() == VK_IMAGE_TYPE_3D
                  ? depth
                  : layer_count(image, of.baseArrayLayer, of.layerCount) * image.samples()) {}
  std::uint32_t level, first, count;
};

/// Throws Error for texels outside the image, or without memory. Offsets and sizes of axes that it lacks do not count.
inline void require_inside(const Image& image, const SliceRange& slices, VkOffset3D offset,
                           VkExtent3D size) {
  if (image.bytes().empty()) throw Error("an image is used without memory: bind memory to it");
  const bool has_level = slices.level < image.level_count();
  const Size3 e = has_level ? image.extent(slices.level) : Size3{0, 0, 0};
  const bool is_1d = image.type() == VK_IMAGE_TYPE_1D;
  const auto fits = [](std::int64_t first, std::uint64_t count, std::uint32_t most) {
    return first >= 0 && static_cast<std::uint64_t>(first) + count <= most;
  };
  if (!has_level || !fits(offset.x, size.width, e.x) ||
      (!is_1d && !fits(offset.y, size.height, e.y)) ||
      !fits(slices.first, slices.count, is_1d ? e.y : e.z))
    throw Error(fmt::format(
        "a command uses texels outside an image: {} x {} texels from ({}, {}), slices {} to {}, "
        "of level {} with {} x {} x {} texels",
        size.width, size.height, offset.x, offset.y, slices.first,
        std::uint64_t{slices.first} + slices.count, slices.level, e.x, e.y, e.z));
}

/// Throws Error unless both have as many samples. `what` is the command; null stands for a single sample.
inline void require_equal_samples(const char* what, const Image& from, const Image* to) {
  const std::uint32_t other = to != nullptr ? to->samples() : 1;
  if (from.samples() != other)
    throw Error(fmt::format("{} with {} and {} samples: use vkCmdResolveImage", what,
                            from.samples(), other));
}

/// Where a texel is. The layers of 1D images are the engine's rows.
inline std::byte* texel_at(const Image& image, const Plane& plane, std::uint32_t level,
                           std::uint32_t x, std::uint32_t y, std::uint32_t slice) {
  const Size3 e = image.extent(level);
  const std::size_t row = image.type() == VK_IMAGE_TYPE_1D ? slice : std::size_t{slice} * e.y + y;
  return image.level(plane, level).data() + (row * e.x + x) * plane.texel_size();
}

}  // namespace lockstep::driver
