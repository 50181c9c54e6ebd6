#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "oracle/interval.hpp"

/// \file
/// The faces of a cube map: Vulkan's "Cube Map Face Selection and Transformations".

namespace lockstep::spirv::cube {

/// Where a direction meets the cube: the number of the face, and s and t from -1 to 1.
struct Place {
  std::size_t face = 0;
  double s = 0, t = 0;
};
/// A direction without a length meets the middle of a face.
Place place_of(const std::array<double, 3>& direction);

/// The face in that direction along an axis.
std::size_t face_index(std::size_t axis, bool negative);
/// The numbers of a direction along a face's s and t, before the division by its length.
std::pair<oracle::Interval, oracle::Interval> across(
    std::size_t face, const std::array<oracle::Interval, 3>& direction);

/// How far a step moves s and t on the face that the direction meets.
struct Moved {
  double s = 0, t = 0;
};
Moved moved(const std::array<double, 3>& direction, const std::array<double, 3>& step);

/// Follows a texel that is one beyond an edge of its face to the neighbouring face: its numbers along s and t, and
/// its layer. Each face has n x n texels, and six layers each are a cube.
void fold(std::array<std::int64_t, 3>& at, std::int64_t n);

}  // namespace lockstep::spirv::cube
