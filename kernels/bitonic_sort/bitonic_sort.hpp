#pragma once

// Beyond the sources: a bitonic sorting network inside each subgroup, without memory.
//
// Runs of 2, 4, 8 ... lanes are sorted, every other one descending, so that two neighbours together
// rise and then fall; comparing across half their length, a quarter and so on sorts them. Lanes
// past the end of the data hold the largest key, which sorts after all others.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct BitonicSort : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const uint> keys;
  Buffer<uint> sorted;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    const Uint lane = gl_SubgroupInvocationID;
    auto key = var(0xffffffffu);
    If (i < keys.length()) {
      key = keys[i];
    }
    for (uint run = 2; run <= gl_SubgroupSize; run *= 2) {
      for (uint distance = run / 2; distance > 0; distance /= 2) {
        const Uint other = subgroupShuffleXor(key, distance);
        const Bool rising = (lane & run) == 0u;
        const Bool lower = (lane & distance) == 0u;
        key = select(rising == lower, min(key, other), max(key, other));
      }
    }
    If (i < sorted.length()) {
      sorted[i] = key;
    }
  }
};

/// Sorts the keys of each subgroup. Requires sorted.size() == keys.size(), and a subgroup size that is a
/// power of two.
template <int... Widths>
void bitonic_sort(std::span<const std::uint32_t> keys, std::span<std::uint32_t> sorted,
                  const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((keys.size() + 127) / 128);
  device.dispatch<BitonicSort, Widths...>({workgroups}, keys, sorted);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
