#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include <lockstep/exec/size3.hpp>

namespace lockstep {

/// The levels of detail of an image. Each is half as large as the one before it, rounded down, but not
/// below 1; layers, faces and samples are not halved. Texels are stored level by level.
///
/// Requires      axes are 1, 2 or 3.
/// Active lanes  None.
/// Errors        None.
/// Cost          O(levels).
/// Spec          Vulkan "Image Mip Level Sizing"
/// Example       tests/dispatch/mip_levels.cpp
struct MipLevels {
  Size3 size{1, 1, 1};      ///< of level 0
  std::uint32_t axes = 2;   ///< extents that are halved: 1 of 1D images, 2 of 2D and cubes, 3 of 3D
  std::uint32_t count = 1;  ///< of levels

  /// The extent of a level, with its layers.
  Size3 extent(std::uint32_t level) const {
    const auto halved = [&](std::uint32_t whole, std::uint32_t axis) {
      if (axis >= axes) return whole;
      return level < 32 ? std::max(whole >> level, std::min(whole, 1u)) : std::min(whole, 1u);
    };
    return {halved(size.x, 0), halved(size.y, 1), halved(size.z, 2)};
  }
  /// The texels of the levels before this one.
  std::uint64_t before(std::uint32_t level) const {
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < level; ++k) {
      const Size3 e = extent(k);
      sum += std::uint64_t{e.x} * e.y * e.z;
    }
    return sum;
  }
  /// The number of texels of all levels.
  std::uint64_t texels() const { return before(count); }
  /// The number of levels that an image of this size can have.
  std::uint32_t most() const {
    std::uint32_t largest = size.x;
    if (axes > 1) largest = std::max(largest, size.y);
    if (axes > 2) largest = std::max(largest, size.z);
    return std::max(1u, static_cast<std::uint32_t>(std::bit_width(largest)));
  }
};

}  // namespace lockstep
