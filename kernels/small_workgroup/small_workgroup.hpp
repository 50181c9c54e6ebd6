#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), workgroups smaller than a subgroup.
//
// A workgroup of one invocation still gets a whole subgroup: all lanes but one never exist. The
// result is right and the work is wasted; `lanes` counts the existing lanes of each subgroup.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct SmallWorkgroup : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{1};

  Buffer<const uint> values;
  Buffer<uint> squares;
  Buffer<uint> lanes;

  void main() {
    const uint i = gl_WorkGroupID.x;
    const Uint value = values[i];
    squares[i] = value * value;
    lanes[i] = subgroupBallotBitCount(subgroupBallot(true));
  }
};

/// squares[i] becomes values[i] squared, lanes[i] the number of lanes that worked on it. Requires
/// both to have the size of values.
template <int... Widths>
void small_workgroup(std::span<const std::uint32_t> values, std::span<std::uint32_t> squares,
                     std::span<std::uint32_t> lanes, const Device& device) {
  device.dispatch<SmallWorkgroup, Widths...>({static_cast<std::uint32_t>(values.size())}, values,
                                             squares, lanes);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
