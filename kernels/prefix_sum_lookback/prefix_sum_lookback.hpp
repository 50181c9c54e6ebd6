#pragma once

// Source: "Fast Prefix Sum Implementation Using Subgroups in GLSL Compute Shaders"
// (002_51be3610380b448b.txt), which names single-pass scans with decoupled look-back as its model.
//
// One pass over memory: each workgroup scans a tile, publishes the tile's total at once, and then
// looks back over the tiles before its own, adding up totals until it reaches a tile whose sum from
// the beginning is already known. A subgroup looks at as many tiles at a time as it has lanes.
//
// A workgroup waits for tiles of other workgroups, so workgroups that have started must make
// progress while others wait. Threads guarantee that, Vulkan does not. Nothing else about their
// order matters, because tiles are not tied to workgroup numbers. They are handed out as workgroups
// start, so a workgroup only waits for one that has started; on one thread that one has even ended.

#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

inline constexpr std::uint32_t lookback_tile = 1024;

/// The state of a tile.
enum LookbackState : std::uint32_t {
  lookback_nothing,  ///< a workgroup may be working on it
  lookback_total,    ///< the tile's own total
  lookback_sum,      ///< the sum from the beginning to the tile's end
};

template <class S>
struct PrefixSumLookback : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{lookback_tile};

  Buffer<const uint> in;
  Buffer<uint> out;
  Buffer<uint> next_tile;
  Buffer<uint> states;  // of tiles, as are the next two
  Buffer<uint> totals;
  Buffer<uint> sums;
  Shared<uint, 2> told{this};                         // the tile, and the sum before it
  Shared<uint, lookback_tile> subgroup_totals{this};  // room for subgroups of one lane

  Barriers main() {
    if (gl_SubgroupID == 0) take_tile();
    co_await barrier();
    const uint tile = told_number(0);
    const Uint sum = scan_subgroup(tile);
    co_await barrier();
    if (gl_SubgroupID == 0) look_back(tile, scan_totals());
    co_await barrier();
    write(tile, sum);
  }

  void take_tile() {
    If (subgroupElect()) {
      told[0u] = atomicAdd(next_tile[0], 1u);
    }
  }

  uint told_number(uint which) { return subgroupBroadcastFirst(told[which]); }

  Uint scan_subgroup(uint tile) {
    const Uint i = tile * lookback_tile + gl_LocalInvocationIndex;
    auto value = var(0u);
    If (i < in.length()) {
      value = in[i];
    }
    const Uint sum = subgroupInclusiveAdd(value);
    const uint total = subgroupBroadcast(sum, highest_active());
    If (subgroupElect()) {
      subgroup_totals[gl_SubgroupID] = total;
    }
    return sum;
  }

  /// Scans the subgroups' totals; returns the tile's.
  uint scan_totals() {
    uint carry = 0;
    for (uint first = 0; first < gl_NumSubgroups; first += gl_SubgroupSize) {
      const Uint k = first + gl_SubgroupInvocationID;
      If (k < gl_NumSubgroups) {
        const Uint sum = carry + subgroupInclusiveAdd(subgroup_totals[k]);
        subgroup_totals[k] = sum;
        carry = subgroupBroadcast(sum, highest_active());  // lockstep: allow divergent-write
      }
    }
    return carry;
  }

  void look_back(uint tile, uint total) {
    if (tile > 0) publish(tile, totals, total, lookback_total);
    const uint before = sum_before(tile);
    publish(tile, sums, before + total, lookback_sum);
    If (subgroupElect()) {
      told[1u] = before;
    }
  }

  /// The number first, then the word that announces it.
  void publish(uint tile, const Buffer<uint>& numbers, uint number, uint state) {
    If (subgroupElect()) {
      atomicExchange(numbers[tile], number);
      memoryBarrierBuffer();
      atomicExchange(states[tile], state);
    }
  }

  /// Lane i looks at the tile i before `end`.
  uint sum_before(uint tile) {
    uint sum = 0;
    for (uint end = tile; end > 0;) {
      const Uint k = end - 1 - gl_SubgroupInvocationID;
      const Bool exists = gl_SubgroupInvocationID < end;
      auto state = var(lookback_sum + 0u);  // before the first tile the sum is zero
      If (exists) {
        state = atomicOr(states[k], 0u);  // GLSL has no atomic load
      }
      const auto known = subgroupBallot(state == lookback_sum);
      const bool done = subgroupAny(state == lookback_sum);
      const uint nearest = done ? subgroupBallotFindLSB(known) : gl_SubgroupSize;
      const Bool needed = gl_SubgroupInvocationID <= nearest;
      if (subgroupAny(needed & (state == lookback_nothing))) continue;  // look again
      memoryBarrierBuffer();
      sum += subgroupAdd(numbers_of(k, state, needed & exists));
      if (done) break;
      end -= gl_SubgroupSize;
    }
    return sum;
  }

  Uint numbers_of(const Uint& tile, const Uint& state, const Bool& wanted) {
    auto number = var(0u);
    If (wanted) {
      If (state == lookback_sum) {
        number = atomicOr(sums[tile], 0u);
      }
      Else { number = atomicOr(totals[tile], 0u); }
    }
    return number;
  }

  void write(uint tile, const Uint& sum) {
    const Uint i = tile * lookback_tile + gl_LocalInvocationIndex;
    auto before = var(told_number(1));
    if (gl_SubgroupID > 0) before += subgroup_totals[gl_SubgroupID - 1];
    If (i < out.length()) {
      out[i] = before + sum;
    }
  }

  uint highest_active() { return subgroupBallotFindMSB(subgroupBallot(true)); }
};

/// out[i] becomes the sum of in[0] to in[i], modulo 2^32. Requires out.size() == in.size().
template <int... Widths>
void prefix_sum_lookback(std::span<const std::uint32_t> in, std::span<std::uint32_t> out,
                         const Device& device) {
  const auto tiles = static_cast<std::uint32_t>((in.size() + lookback_tile - 1) / lookback_tile);
  std::uint32_t next_tile[1] = {0};
  std::vector<std::uint32_t> states(tiles), totals(tiles), sums(tiles);
  device.dispatch<PrefixSumLookback, Widths...>({tiles}, in, out, next_tile, states, totals, sums);
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
