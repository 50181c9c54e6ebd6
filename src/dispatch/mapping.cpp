#include <lockstep/dispatch/mapping.hpp>

#include <algorithm>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep {
namespace {

/// The index of the invocation at place `at` of consecutive 2x2 blocks.
std::uint32_t in_quads(Size3 size, std::uint32_t at) {
  const std::uint32_t quad = at / 4, wide = size.x / 2, high = size.y / 2;
  const std::uint32_t x = 2 * (quad % wide) + at % 2;
  const std::uint32_t y = 2 * (quad / wide % high) + at / 2 % 2;
  const std::uint32_t z = quad / (wide * high);
  return (z * size.y + y) * size.x + x;
}

void check_quads(Size3 size, int subgroup_size) {
  if (size.x % 2 == 0 && size.y % 2 == 0 && subgroup_size % 4 == 0) return;
  throw Error(fmt::format(
      "a local size of ({}, {}, {}) at subgroup size {} has no quads of 2x2 invocations: make x "
      "and y even and the subgroup size a multiple of 4, or use another mapping",
      size.x, size.y, size.z, subgroup_size));
}

}  // namespace

std::vector<std::uint32_t> invocations(const Mapping& mapping, Size3 local_size,
                                       int subgroup_size) {
  const std::uint32_t count = local_size.x * local_size.y * local_size.z;
  const auto size = static_cast<std::uint32_t>(subgroup_size);
  std::vector<std::uint32_t> lanes((std::size_t{count} + size - 1) / size * size, no_invocation);
  const auto begin = lanes.begin(), end = begin + count;
  std::iota(begin, end, 0u);
  switch (mapping.kind) {
    case Mapping::Kind::linear:
      break;
    case Mapping::Kind::reversed:
      std::reverse(begin, end);
      break;
    case Mapping::Kind::shuffled: {
      // By hand: std::shuffle differs between standard libraries.
      std::mt19937_64 random(mapping.seed);
      for (std::size_t k = lanes.size(); k > 1; --k) std::swap(lanes[k - 1], lanes[random() % k]);
      break;
    }
    case Mapping::Kind::quads:
      check_quads(local_size, subgroup_size);
      std::transform(begin, end, begin, [&](std::uint32_t at) { return in_quads(local_size, at); });
  }
  return lanes;
}

}  // namespace lockstep
