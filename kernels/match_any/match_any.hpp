#pragma once

// Beyond the sources: lanes with equal keys find each other ("match any") with partitioned operations.
//
// Adds up the values of each key. subgroupPartitionNV tells each lane which lanes share its key, a
// partitioned sum adds their values, and the lowest of them does the one atomic operation for all.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct MatchAny : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const uint> keys;
  Buffer<const uint> values;
  Buffer<uint> sums;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i < keys.length()) {
      const Uint key = keys[i];
      const auto same = subgroupPartitionNV(key);
      const Uint sum = subgroupPartitionedAddNV(values[i], same);
      If (subgroupBallotFindLSB(same) == gl_SubgroupInvocationID) {
        atomicAdd(sums[key], sum);
      }
    }
  }
};

/// Adds each of the values to the sum of its key, modulo 2^32. Requires as many values as keys, and keys
/// below sums.size().
template <int... Widths>
void match_any(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> values,
               std::span<std::uint32_t> sums, const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((keys.size() + 127) / 128);
  device.dispatch<MatchAny, Widths...>({workgroups}, keys, values, sums);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
