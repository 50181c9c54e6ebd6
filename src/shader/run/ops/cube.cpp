#include "shader/run/ops/cube.hpp"

#include <cmath>

namespace lockstep::spirv::cube {
namespace {

/// A face: which numbers of a direction are its major axis, s and t, and their signs.
struct Face {
  std::size_t major, s, t;
  int sign, s_sign, t_sign;
};
/// In the order of layers: +x, -x, +y, -y, +z, -z.
constexpr Face faces[] = {{0, 2, 1, 1, -1, -1}, {0, 2, 1, -1, 1, -1}, {1, 0, 2, 1, 1, 1},
                          {1, 0, 2, -1, 1, -1}, {2, 0, 1, 1, 1, -1},  {2, 0, 1, -1, -1, -1}};

}  // namespace

std::size_t face_index(std::size_t axis, bool negative) { return 2 * axis + (negative ? 1 : 0); }

std::pair<oracle::Interval, oracle::Interval> across(
    std::size_t face, const std::array<oracle::Interval, 3>& direction) {
  const Face& on = faces[face];
  const auto along = [&](std::size_t axis, int sign) {
    return sign < 0 ? -direction[axis] : direction[axis];
  };
  return {along(on.s, on.s_sign), along(on.t, on.t_sign)};
}

Place place_of(const std::array<double, 3>& direction) {
  const double x = std::abs(direction[0]), y = std::abs(direction[1]), z = std::abs(direction[2]);
  const std::size_t major = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
  const double length = std::abs(direction[major]);
  Place place;
  place.face = face_index(major, std::signbit(direction[major]));
  if (length == 0) return place;
  const Face& face = faces[place.face];
  place.s = face.s_sign * direction[face.s] / length;
  place.t = face.t_sign * direction[face.t] / length;
  return place;
}

Moved moved(const std::array<double, 3>& direction, const std::array<double, 3>& step) {
  const Place at = place_of(direction);
  const Face& face = faces[at.face];
  const double length = std::abs(direction[face.major]);
  if (length == 0) return {};
  const double along = face.sign * step[face.major];
  return {(face.s_sign * step[face.s] - at.s * along) / length,
          (face.t_sign * step[face.t] - at.t * along) / length};
}

void fold(std::array<std::int64_t, 3>& at, std::int64_t n) {
  const Face& face = faces[at[2] % 6];
  // In halves of a texel from the middle: a face's texels reach from 1 - n to n - 1, and its plane is n away.
  const std::int64_t s = 2 * at[0] + 1 - n, t = 2 * at[1] + 1 - n;
  const bool across_s = std::abs(s) > n, across_t = std::abs(t) > n;
  if (!across_s && !across_t) return;
  std::array<std::int64_t, 3> point{};
  point[face.s] = face.s_sign * s;
  point[face.t] = face.t_sign * t;
  point[face.major] = face.sign * (n - 1);  // the neighbour's texel next to the edge
  const std::size_t major = across_s ? face.s : face.t;
  const std::size_t next = face_index(major, point[major] < 0);
  const Face& other = faces[next];
  at[0] = (other.s_sign * point[other.s] + n - 1) / 2;
  at[1] = (other.t_sign * point[other.t] + n - 1) / 2;
  at[2] += static_cast<std::int64_t>(next) - at[2] % 6;
}

}  // namespace lockstep::spirv::cube
