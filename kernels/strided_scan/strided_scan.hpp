#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the shuffle relative
// category, and "Подгруппы в шейдерах в Vulkan" (004_b05b118e658f6d06.txt), which repeats it.
//
// A hand-written inclusive scan of products: even and odd lanes scan separately. The values that
// lanes below the stride receive are undefined, and they do not use them.

#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct StridedScan : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const vec4> x;
  Buffer<vec4> data;

  void main() {
    const Uint k = gl_GlobalInvocationID.x;
    If (k < x.length()) {
      auto temp = var(vec4(x[k]));
      for (uint i = 2; i < gl_SubgroupSize; i *= 2) {
        const vec4 other = subgroupShuffleUp(temp, i);
        If (i <= gl_SubgroupInvocationID) {
          temp = temp * other;
        }
      }
      data[k] = temp;
    }
  }
};

/// data[i] becomes the product of x[i], x[i - 2], x[i - 4] ... within the subgroup. Requires
/// data.size() == x.size().
template <int... Widths>
void strided_scan(std::span<const std430::vec4> x, std::span<std430::vec4> data,
                  const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((x.size() + 127) / 128);
  device.dispatch<StridedScan, Widths...>({workgroups}, x, data);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
