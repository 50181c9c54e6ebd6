#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the shuffle category.
//
// Each lane blends its vector with that of another lane, which it chooses itself. The text shows a
// fragment shader; here the choices come from an array. They are taken modulo the number of lanes that
// are there, because what a lane that is not there holds is undefined.

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
  Buffer<const float> x;  // vec4
  Buffer<const float> blend_factor;
  Buffer<float> data;  // vec4

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i < index.length()) {
      const uint lanes = subgroupBallotBitCount(subgroupBallot(true));
      const Uint at = i * 4u;
      const vec4 mine = vec4(Float(x[at]), Float(x[at + 1u]), Float(x[at + 2u]), Float(x[at + 3u]));
      const vec4 blend_with = subgroupShuffle(mine, index[i] % Uint(lanes));
      const vec4 result = mix(mine, blend_with, Float(blend_factor[i]));
      data[at] = result.x;
      data[at + 1u] = result.y;
      data[at + 2u] = result.z;
      data[at + 3u] = result.w;
    }
  }
};

/// data[i] becomes x[i] blended with the x of lane index[i] of the subgroup, modulo its lanes. Requires
/// four floats an index in x and data.
template <int... Widths>
void shuffle_blend(std::span<const std::uint32_t> index, std::span<const float> x,
                   std::span<const float> blend_factor, std::span<float> data,
                   const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((index.size() + 127) / 128);
  device.dispatch<ShuffleBlend, Widths...>({workgroups}, index, x, blend_factor, data);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
