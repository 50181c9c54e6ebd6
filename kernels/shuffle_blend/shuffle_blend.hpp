#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the shuffle category.
//
// Each lane blends its vector with that of another lane of its choice. The text shows a fragment
// shader; here the choices come from an array. They are taken modulo the number of existing lanes,
// because the value of a missing lane is undefined.

#include <cstdint>
#include <span>

#include <lockstep/glsl/vec_functions.hpp>
#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct ShuffleBlend : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const uint> index;
  Buffer<const vec4> x;
  Buffer<const float> blend_factor;
  Buffer<vec4> data;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i < index.length()) {
      const uint lanes = subgroupBallotBitCount(subgroupBallot(true));
      const vec4 mine = x[i];
      const vec4 blend_with = subgroupShuffle(mine, index[i] % Uint(lanes));
      data[i] = mix(mine, blend_with, blend_factor[i]);
    }
  }
};

/// data[i] becomes x[i] blended with the x of lane index[i] of the subgroup, modulo its lanes. Requires
/// all of one size.
template <int... Widths>
void shuffle_blend(std::span<const std::uint32_t> index, std::span<const std430::vec4> x,
                   std::span<const float> blend_factor, std::span<std430::vec4> data,
                   const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((index.size() + 127) / 128);
  device.dispatch<ShuffleBlend, Widths...>({workgroups}, index, x, blend_factor, data);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
