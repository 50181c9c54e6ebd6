#pragma once

// Source: "Vulkan Subgroup Tutorial" (003_24e6b1a705ab0ab7.txt), the maximum of a data set.
//
// Each subgroup finds the maximum of its values with subgroupMax, and one lane does a single atomic
// operation: 1 / gl_SubgroupSize of the atomics that a maximum per invocation would cost.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct MaxReduce : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const uint> values;
  Buffer<uint> maximum;

  void main() {
    If (gl_GlobalInvocationID.x < values.length()) {
      const uint largest = subgroupMax(values[gl_GlobalInvocationID.x]);
      If (subgroupElect()) {
        atomicMax(maximum[0], largest);
      }
    }
  }
};

/// The largest of the values; 0 if there are none.
template <int... Widths>
std::uint32_t max_reduce(std::span<const std::uint32_t> values, const Device& device) {
  std::uint32_t maximum[1] = {0};
  const auto workgroups = static_cast<std::uint32_t>((values.size() + 127) / 128);
  device.dispatch<MaxReduce, Widths...>({workgroups}, values, maximum);
  return maximum[0];
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
