#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the shuffle relative
// category, and "Подгруппы в шейдерах в Vulkan" (004_b05b118e658f6d06.txt), which repeats it.
//
// An inclusive scan of one's own, of products: even lanes scan among themselves and odd lanes too. What
// the lanes below the stride receive is undefined, and they do not use it.

#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct StridedScan : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const float> x;  // vec4
  Buffer<float> data;     // vec4

  void main() {
    const Uint at = gl_GlobalInvocationID.x * 4u;
    If (at < x.length()) {
      auto temp = var(vec4(Float(x[at]), Float(x[at + 1u]), Float(x[at + 2u]), Float(x[at + 3u])));
      for (uint i = 2; i < gl_SubgroupSize; i *= 2) {
        const vec4 other = subgroupShuffleUp(temp, i);
        If (i <= gl_SubgroupInvocationID) {
          temp = temp * other;
        }
      }
      data[at] = temp.x;
      data[at + 1u] = temp.y;
      data[at + 2u] = temp.z;
      data[at + 3u] = temp.w;
    }
  }
};

/// data[i] becomes the product of x[i], x[i - 2], x[i - 4] ... as far as the subgroup goes. Requires
/// four floats an element in both.
template <int... Widths>
void strided_scan(std::span<const float> x, std::span<float> data, const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((x.size() / 4 + 127) / 128);
  device.dispatch<StridedScan, Widths...>({workgroups}, x, data);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
