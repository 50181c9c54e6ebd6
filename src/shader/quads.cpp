#include "shader/quads.hpp"

#include <numeric>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

namespace lockstep::spirv {
namespace {

/// Each four are a quad.
std::vector<std::uint32_t> quad_after_quad(DerivativeGroup group, Size3 local_size) {
  std::vector<std::uint32_t> order(local_size.x * local_size.y * local_size.z);
  if (group == DerivativeGroup::quads) {
    // One subgroup of all invocations is that list.
    return invocations(Mapping::quads(), local_size, static_cast<int>(order.size()));
  }
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

}  // namespace

std::vector<std::uint32_t> lanes_in_quads(DerivativeGroup group, const Mapping& mapping,
                                          Size3 local_size, int subgroup_size) {
  if (subgroup_size % 4 != 0)
    throw Error(
        fmt::format("the shader arranges its invocations in quads, which subgroup size {} "
                    "cuts: use a multiple of four",
                    subgroup_size));
  const std::vector<std::uint32_t> order = quad_after_quad(group, local_size);
  Mapping of_quads = mapping;
  if (mapping.kind == Mapping::Kind::quads) of_quads.kind = Mapping::Kind::linear;
  const auto count = static_cast<std::uint32_t>(order.size() / 4);
  std::vector<std::uint32_t> lanes;
  for (const std::uint32_t quad : invocations(of_quads, Size3{count}, subgroup_size / 4)) {
    for (std::uint32_t k = 0; k < 4; ++k)
      lanes.push_back(quad == no_invocation ? no_invocation : order[4 * quad + k]);
  }
  return lanes;
}

}  // namespace lockstep::spirv
