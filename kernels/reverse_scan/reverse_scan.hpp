#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the shuffle relative category: scanning
// backwards.
//
// An inclusive scan of products from the highest lane down. The text counts from the subgroup size,
// so its last lane must exist; here the scan begins at the highest active lane, which is also right
// if the data ends inside a subgroup.

#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct ReverseScan : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const vec4> x;
  Buffer<vec4> data;

  void main() {
    const Uint k = gl_GlobalInvocationID.x;
    If (k < x.length()) {
      auto temp = var(vec4(x[k]));
      const uint highest = subgroupBallotFindMSB(subgroupBallot(true));
      for (uint i = 1; i <= highest; i *= 2) {
        const vec4 other = subgroupShuffleDown(temp, i);
        If (gl_SubgroupInvocationID + i <= highest) {
          temp = temp * other;
        }
      }
      data[k] = temp;
    }
  }
};

/// data[i] becomes the product of x[i] and all values after it in the subgroup. Requires
/// data.size() == x.size().
template <int... Widths>
void reverse_scan(std::span<const std430::vec4> x, std::span<std430::vec4> data,
                  const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((x.size() + 127) / 128);
  device.dispatch<ReverseScan, Widths...>({workgroups}, x, data);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
