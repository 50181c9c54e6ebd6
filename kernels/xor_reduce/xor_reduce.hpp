#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the shuffle category: a hand-written reduction.
//
// In each step every lane exchanges its value with the lane whose number differs in one bit, and
// combines the two. Lanes past the end of the data contribute zeros, so that every lane has a
// partner; that also requires a subgroup size that is a power of two.

#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct XorReduce : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const vec4> x;
  Buffer<const float> additive;
  Buffer<vec4> data;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    auto temp = var(vec4(0.0f));
    auto add = var(0.0f);
    If (i < additive.length()) {
      temp = x[i];
      add = additive[i];
    }
    for (uint step = 1; step <= 128; step *= 2) {
      if (gl_SubgroupSize == step) break;
      const vec4 other = subgroupShuffleXor(temp, step);
      temp = temp * other + add;
    }
    If (i < additive.length()) {
      data[i] = temp;
    }
  }
};

/// Reduces each subgroup's vectors with t * other + additive. Requires all of one size, and a
/// subgroup size that is a power of two.
template <int... Widths>
void xor_reduce(std::span<const std430::vec4> x, std::span<const float> additive,
                std::span<std430::vec4> data, const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((additive.size() + 127) / 128);
  device.dispatch<XorReduce, Widths...>({workgroups}, x, additive, data);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
