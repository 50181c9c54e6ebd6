#pragma once

// Source: "Подгруппы в шейдерах в Vulkan" (004_b05b118e658f6d06.txt), the rotate category.
//
// Each lane takes the value of a lane above it, wrapping around within the subgroup. All lanes must
// be active, so lanes past the end of the data stay, with zero.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

/// The distance that values move.
struct RotateBy {
  std::uint32_t delta;
};

template <class S>
struct Rotate : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const uint> in;
  Buffer<uint> out;
  RotateBy by;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    auto value = var(0u);
    If (i < in.length()) {
      value = in[i];
    }
    const Uint rotated = subgroupRotate(value, by.delta);
    If (i < out.length()) {
      out[i] = rotated;
    }
  }
};

/// Rotates each subgroup's values; those past the end are zero. Requires out.size() == in.size(), and a
/// subgroup size that divides 128.
template <int... Widths>
void rotate(std::span<const std::uint32_t> in, std::span<std::uint32_t> out, std::uint32_t delta,
            const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((in.size() + 127) / 128);
  device.dispatch<Rotate, Widths...>({workgroups}, in, out, RotateBy{delta});
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
