#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), dynamic branching.
//
// Lanes with a negative number take one side of the selection, all others the other side. While one
// side runs, the lanes of the other are inactive: a subgroup with both kinds pays for both sides.

#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct DynamicBranch : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const float> in;
  Buffer<float> out;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i < in.length()) {
      auto x = var(in[i]);
      If (x < 0.0f) {
        x = x * -1.0f + 42.0f;
      }
      Else { x = x - 13.0f; }
      out[i] = x;
    }
  }
};

/// out[i] becomes 42 - in[i] for negative numbers and in[i] - 13 for others. Requires out.size() ==
/// in.size().
template <int... Widths>
void dynamic_branch(std::span<const float> in, std::span<float> out, const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((in.size() + 127) / 128);
  device.dispatch<DynamicBranch, Widths...>({workgroups}, in, out);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
