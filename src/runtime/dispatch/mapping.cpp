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

/// The invocations, in their order, over this many subgroups.
std::vector<std::uint32_t> spread(const std::vector<std::uint32_t>& order, const Mapping& mapping,
                                  std::uint32_t subgroups, std::uint32_t size) {
  std::vector<std::uint32_t> lanes(std::size_t{subgroups} * size, no_invocation);
  if (mapping.filling == Mapping::Filling::even) {
    for (std::size_t k = 0, s = 0; s < subgroups; ++s) {
      const std::size_t end = order.size() * (s + 1) / subgroups;
      for (std::size_t lane = s * size; k < end;) lanes[lane++] = order[k++];
    }
    return lanes;
  }
  // Every subgroup has an invocation; the others have any of the lanes that are left.
  std::mt19937_64 random(mapping.filling_seed);
  std::vector<std::size_t> taken, free;
  for (std::size_t s = 0; s < subgroups; ++s) {
    const std::size_t own = s * size + random() % size;
    taken.push_back(own);
    for (std::size_t lane = s * size; lane < (s + 1) * size; ++lane)
      if (lane != own) free.push_back(lane);
  }
  while (taken.size() < order.size()) {
    std::swap(free[random() % free.size()], free.back());
    taken.push_back(free.back());
    free.pop_back();
  }
  std::ranges::sort(taken);
  for (std::size_t k = 0; k < taken.size(); ++k) lanes[taken[k]] = order[k];
  return lanes;
}

}  // namespace

std::uint32_t subgroup_count(const Mapping& mapping, std::uint32_t invocations, int subgroup_size) {
  const auto size = static_cast<std::uint32_t>(subgroup_size);
  const std::uint32_t least = (invocations + size - 1) / size;
  return mapping.filling == Mapping::Filling::full ? least : std::min(least + 1, invocations);
}

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
  if (mapping.filling == Mapping::Filling::full) return lanes;
  std::erase(lanes, no_invocation);
  return spread(lanes, mapping, subgroup_count(mapping, count, subgroup_size), size);
}

}  // namespace lockstep
