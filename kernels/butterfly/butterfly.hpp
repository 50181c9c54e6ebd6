#pragma once

// Beyond the sources: the butterfly reduction behind subgroupAdd.
//
// In each step every lane adds the value of the lane whose number differs in one bit, at half the
// distance of the step before. Afterwards every lane holds the subgroup's sum, and one adds it to
// the sum of the whole array. Lanes past the end of the data contribute zero.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct Butterfly : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const uint> values;
  Summed<uint> total;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    auto sum = var(0u);
    If (i < values.length()) {
      sum = values[i];
    }
    for (uint distance = gl_SubgroupSize / 2; distance > 0; distance /= 2) {
      sum += subgroupShuffleXor(sum, distance);
    }
    If (subgroupElect()) {
      atomicAdd(total[0], sum);
    }
  }
};

/// The sum of the values, modulo 2^32. Requires a subgroup size that is a power of two.
template <int... Widths>
std::uint32_t butterfly(std::span<const std::uint32_t> values, const Device& device) {
  std::uint32_t total[1] = {0};
  const auto workgroups = static_cast<std::uint32_t>((values.size() + 127) / 128);
  device.dispatch<Butterfly, Widths...>({workgroups}, values, total);
  return total[0];
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
