#pragma once

// Beyond the sources: a radix sort, least significant digit first, of four bits each.
//
// Eight rounds of three dispatches. Workgroups count the digits in their tile of the keys; one
// subgroup turns the counts into places, in the order of digits and then of tiles; workgroups move
// their keys there. Keys with the same digit keep their order, because each subgroup owns a part of
// the tile and a key's place within it is the rank of its lane in a ballot.

#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

inline constexpr std::uint32_t radix_digits = 16;
inline constexpr std::uint32_t radix_local_size = 256;
inline constexpr std::uint32_t radix_keys_each = 4;
inline constexpr std::uint32_t radix_tile = radix_local_size * radix_keys_each;

/// The position of this round's digit.
struct RadixRound {
  std::uint32_t shift;
};

/// counts[digit * workgroups + workgroup] becomes the number of keys with the digit in the workgroup's tile.
template <class S>
struct CountDigits : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{radix_local_size};

  Buffer<const uint> keys;
  Buffer<uint> counts;
  RadixRound round;
  Shared<uint, radix_digits> tile_counts{this};

  Barriers main() {
    clear();
    co_await barrier();
    count();
    co_await barrier();
    publish();
  }

  void clear() {
    If (gl_LocalInvocationIndex < radix_digits) {
      tile_counts[gl_LocalInvocationIndex] = 0u;
    }
  }

  void count() {
    uint count_of[radix_digits] = {};
    for (uint row = 0; row < radix_keys_each; ++row) {
      const Uint i =
          gl_WorkGroupID.x * radix_tile + row * radix_local_size + gl_LocalInvocationIndex;
      auto digit = var(radix_digits + 0u);  // none
      If (i < keys.length()) {
        digit = (keys[i] >> round.shift) % radix_digits;
      }
      for (uint d = 0; d < radix_digits; ++d) {
        count_of[d] += subgroupBallotBitCount(subgroupBallot(digit == d));
      }
    }
    If (subgroupElect()) {
      for (uint d = 0; d < radix_digits; ++d) atomicAdd(tile_counts[d], count_of[d]);
    }
  }

  void publish() {
    If (gl_LocalInvocationIndex < radix_digits) {
      counts[gl_LocalInvocationIndex * gl_NumWorkGroups.x + gl_WorkGroupID.x] =
          tile_counts[gl_LocalInvocationIndex];
    }
  }
};

/// Replaces each count by the sum of those before it: one subgroup iterates over all of them.
template <class S>
struct ScanCounts : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{max_subgroup_size};

  Buffer<uint> counts;

  void main() {
    if (gl_SubgroupID != 0) return;
    uint carry = 0;
    for (uint first = 0; first < counts.length(); first += gl_SubgroupSize) {
      const Uint k = first + gl_SubgroupInvocationID;
      If (k < counts.length()) {
        const Uint count = counts[k];
        const Uint sum = carry + subgroupInclusiveAdd(count);
        counts[k] = sum - count;
        carry = subgroupBroadcast(  // lockstep: allow divergent-write
            sum, subgroupBallotFindMSB(subgroupBallot(true)));
      }
    }
  }
};

/// Moves each key of the workgroup's tile to the next place of its digit.
template <class S>
struct MoveKeys : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{radix_local_size};

  Buffer<const uint> keys;
  Buffer<const uint> tile_places;
  Buffer<uint> moved;
  RadixRound round;
  // For each subgroup and digit: first the number of keys, then their first place.
  Shared<uint, radix_local_size * radix_digits> places{this};

  Barriers main() {
    count();
    co_await barrier();
    count_to_place();
    co_await barrier();
    move();
  }

  /// Subgroups own consecutive parts of the tile: rows of as many keys as they have lanes.
  Uint key_index(uint row) {
    const uint lanes = subgroupBallotBitCount(subgroupBallot(true));
    const uint part =
        gl_WorkGroupID.x * radix_tile + gl_SubgroupID * gl_SubgroupSize * radix_keys_each;
    return part + row * lanes + gl_SubgroupInvocationID;
  }

  /// 16 for lanes without a key.
  Uint digit_at(const Uint& i) {
    auto digit = var(radix_digits + 0u);
    If (i < keys.length()) {
      digit = (keys[i] >> round.shift) % radix_digits;
    }
    return digit;
  }

  void count() {
    uint count_of[radix_digits] = {};
    for (uint row = 0; row < radix_keys_each; ++row) {
      const Uint digit = digit_at(key_index(row));
      for (uint d = 0; d < radix_digits; ++d) {
        count_of[d] += subgroupBallotBitCount(subgroupBallot(digit == d));
      }
    }
    If (subgroupElect()) {
      for (uint d = 0; d < radix_digits; ++d) {
        places[gl_SubgroupID * radix_digits + d] = count_of[d];
      }
    }
  }

  /// One invocation per digit.
  void count_to_place() {
    const Uint digit = gl_LocalInvocationIndex;
    If (digit < radix_digits) {
      auto place = var(tile_places[digit * gl_NumWorkGroups.x + gl_WorkGroupID.x]);
      for (uint subgroup = 0; subgroup < gl_NumSubgroups; ++subgroup) {
        const Uint k = subgroup * radix_digits + digit;
        const Uint count = places[k];
        places[k] = place;
        place += count;
      }
    }
  }

  void move() {
    uint next[radix_digits];
    for (uint d = 0; d < radix_digits; ++d) {
      next[d] = subgroupBroadcastFirst(places[gl_SubgroupID * radix_digits + d]);
    }
    for (uint row = 0; row < radix_keys_each; ++row) {
      const Uint i = key_index(row);
      const Uint digit = digit_at(i);
      auto place = var(0u);
      for (uint d = 0; d < radix_digits; ++d) {
        const Bool mine = digit == d;
        const auto ballot = subgroupBallot(mine);
        place = select(mine, next[d] + subgroupBallotExclusiveBitCount(ballot), place);
        next[d] += subgroupBallotBitCount(ballot);
      }
      If (i < keys.length()) {
        moved[place] = keys[i];
      }
    }
  }
};

/// Sorts the keys. Requires sorted.size() == keys.size().
template <int... Widths>
void radix_sort(std::span<const std::uint32_t> keys, std::span<std::uint32_t> sorted,
                const Device& device) {
  const auto workgroups = static_cast<std::uint32_t>((keys.size() + radix_tile - 1) / radix_tile);
  std::vector<std::uint32_t> counts(workgroups * radix_digits), between(keys.size());
  std::span<const std::uint32_t> from = keys;
  for (std::uint32_t shift = 0; shift < 32; shift += 4) {
    const std::span<std::uint32_t> to = shift % 8 == 0 ? std::span(between) : sorted;
    device.dispatch<CountDigits, Widths...>({workgroups}, from, counts, RadixRound{shift});
    device.dispatch<ScanCounts, Widths...>({1}, counts);
    device.dispatch<MoveKeys, Widths...>({workgroups}, from, counts, to, RadixRound{shift});
    from = to;
  }
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
