#pragma once

// Beyond the sources: a histogram with atomics on shared memory.
//
// Each workgroup counts its part of the values in shared memory, where atomics are cheap, and then
// adds each of its 256 counts to the whole array's with one atomic.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

inline constexpr std::uint32_t histogram_bins = 256;  // also the invocations of a workgroup
inline constexpr std::uint32_t histogram_values_each = 16;
inline constexpr std::uint32_t histogram_part = histogram_bins * histogram_values_each;

template <class S>
struct Histogram : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{histogram_bins};

  Buffer<const uint> values;
  Summed<uint> bins;
  Shared<uint, histogram_bins> counts{this};

  Barriers main() {
    counts[gl_LocalInvocationIndex] = 0u;
    co_await barrier();
    count();
    co_await barrier();
    atomicAdd(bins[gl_LocalInvocationIndex], counts[gl_LocalInvocationIndex]);
  }

  void count() {
    const uint first = gl_WorkGroupID.x * histogram_part;
    for (uint k = 0; k < histogram_values_each; ++k) {
      const Uint i = first + k * histogram_bins + gl_LocalInvocationIndex;
      If (i < values.length()) {
        atomicAdd(counts[values[i] % histogram_bins], 1u);
      }
    }
  }
};

/// Adds to bins[b] the number of values that are b modulo 256. Requires 256 bins.
template <int... Widths>
void histogram(std::span<const std::uint32_t> values, std::span<std::uint32_t> bins,
               const Device& device) {
  const auto workgroups =
      static_cast<std::uint32_t>((values.size() + histogram_part - 1) / histogram_part);
  device.dispatch<Histogram, Widths...>({workgroups}, values, bins);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
