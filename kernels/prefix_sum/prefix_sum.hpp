#pragma once

// Source: "Fast Prefix Sum Implementation Using Subgroups in GLSL Compute Shaders"
// (002_51be3610380b448b.txt).
//
// Workgroups of 1024 scan their part: each subgroup with subgroupInclusiveAdd, then the subgroups'
// totals in shared memory, and publish the workgroup's total. A final pass scans those totals and
// adds to each part the sum of everything before it. The text assumes 32 subgroups of 32 lanes;
// here any subgroup size works: the totals are scanned in as many steps as needed, the total of a
// partial last subgroup comes from its highest active lane, and the data may end inside a
// workgroup.

#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

#include "prefix_sum/local_size.hpp"

namespace lockstep::kernels {

/// Scans each workgroup's part of `in` into `out` and publishes its total.
template <class S>
struct ScanWorkgroups : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{prefix_sum_local_size};

  Buffer<const uint> in;
  Buffer<uint> out;
  Buffer<uint> workgroup_totals;
  Shared<uint, prefix_sum_local_size> subgroup_totals{this};  // room for subgroups of one lane

  Barriers main() {
    const Uint sum = scan_subgroup();
    co_await barrier();
    if (gl_SubgroupID == 0) scan_totals();
    co_await barrier();
    write(sum);
  }

  Uint scan_subgroup() {
    auto value = var(0u);
    If (gl_GlobalInvocationID.x < in.length()) {
      value = in[gl_GlobalInvocationID.x];
    }
    const Uint sum = subgroupInclusiveAdd(value);
    const uint last = subgroupBallotFindMSB(subgroupBallot(true));
    const uint total = subgroupBroadcast(sum, last);
    If (subgroupElect()) {
      subgroup_totals[gl_SubgroupID] = total;
    }
    return sum;
  }

  void scan_totals() {
    uint carry = 0;
    for (uint first = 0; first < gl_NumSubgroups; first += gl_SubgroupSize) {
      const Uint k = first + gl_SubgroupInvocationID;
      If (k < gl_NumSubgroups) {
        const Uint sum = carry + subgroupInclusiveAdd(subgroup_totals[k]);
        subgroup_totals[k] = sum;
        carry = subgroupBroadcast(  // lockstep: allow divergent-write
            sum, subgroupBallotFindMSB(subgroupBallot(true)));
      }
    }
    If (subgroupElect()) {
      atomicExchange(workgroup_totals[gl_WorkGroupID.x], carry);
    }
  }

  void write(const Uint& sum) {
    If (gl_GlobalInvocationID.x < out.length()) {
      if (gl_SubgroupID == 0) {
        out[gl_GlobalInvocationID.x] = sum;
      } else {
        out[gl_GlobalInvocationID.x] = sum + subgroup_totals[gl_SubgroupID - 1];
      }
    }
  }
};

/// Scans the workgroups' totals in place: one subgroup iterates over all of them.
template <class S>
struct ScanWorkgroupTotals : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{max_subgroup_size};

  Buffer<uint> workgroup_totals;

  void main() {
    if (gl_SubgroupID != 0) return;
    uint carry = 0;
    for (uint first = 0; first < workgroup_totals.length(); first += gl_SubgroupSize) {
      const Uint k = first + gl_SubgroupInvocationID;
      If (k < workgroup_totals.length()) {
        // GLSL has no atomic load; a compare-and-swap of 0 with 0 reads and changes nothing.
        const Uint total = atomicCompSwap(workgroup_totals[k], 0u, 0u);
        const Uint sum = carry + subgroupInclusiveAdd(total);
        atomicExchange(workgroup_totals[k], sum);
        carry = subgroupBroadcast(  // lockstep: allow divergent-write
            sum, subgroupBallotFindMSB(subgroupBallot(true)));
      }
    }
  }
};

/// Adds to each workgroup's part the sum of all parts before it.
template <class S>
struct AddWorkgroupOffsets : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{prefix_sum_local_size};

  Buffer<uint> workgroup_totals;
  Buffer<uint> out;

  void main() {
    if (gl_WorkGroupID.x == 0) return;
    auto offset = var(0u);
    If (subgroupElect()) {
      offset = atomicCompSwap(workgroup_totals[gl_WorkGroupID.x - 1], 0u, 0u);
    }
    const uint before = subgroupBroadcastFirst(offset);
    If (gl_GlobalInvocationID.x < out.length()) {
      out[gl_GlobalInvocationID.x] += before;
    }
  }
};

/// out[i] becomes the sum of in[0] to in[i], modulo 2^32. Requires out.size() == in.size().
template <int... Widths>
void prefix_sum(std::span<const std::uint32_t> in, std::span<std::uint32_t> out,
                const Device& device) {
  const auto workgroups =
      static_cast<std::uint32_t>((in.size() + prefix_sum_local_size - 1) / prefix_sum_local_size);
  std::vector<std::uint32_t> workgroup_totals(workgroups);
  device.dispatch<ScanWorkgroups, Widths...>({workgroups}, in, out, workgroup_totals);
  device.dispatch<ScanWorkgroupTotals, Widths...>({1}, workgroup_totals);
  device.dispatch<AddWorkgroupOffsets, Widths...>({workgroups}, workgroup_totals, out);
}

/// As above, at any subgroup size from 1 to 128.
inline void prefix_sum(std::span<const std::uint32_t> in, std::span<std::uint32_t> out,
                       int subgroup_size, int threads) {
  prefix_sum<>(in, out, Device{.subgroup_size = subgroup_size, .threads = threads});
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
