#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the ballot category.
//
// The subgroup counts its lanes that choose one branch. If they are at least a quarter of the
// subgroup size, all lanes take it, otherwise all take the other. The count is the same for all
// lanes, so the branch is uniform. Lanes that do not exist count against it: the size is that of
// the subgroup, not the number of its active lanes.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct QuarterBallot : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const std::int32_t> foo;
  Buffer<const std::int32_t> bar;
  Buffer<std::int32_t> out;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i < foo.length()) {
      const Int a = foo[i];
      const Int b = bar[i];
      const auto ballot = subgroupBallot(a < b);
      if (gl_SubgroupSize <= subgroupBallotBitCount(ballot) * 4) {
        out[i] = b - a;
      } else {
        out[i] = (a - b) * 3;
      }
    }
  }
};

/// out[i] becomes bar[i] - foo[i] in subgroups where that is positive for a quarter of the lanes, in
/// others 3 (foo[i] - bar[i]). Requires all of one size.
template <int... Widths>
void quarter_ballot(std::span<const std::int32_t> foo, std::span<const std::int32_t> bar,
                    std::span<std::int32_t> out, const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((foo.size() + 127) / 128);
  device.dispatch<QuarterBallot, Widths...>({workgroups}, foo, bar, out);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
