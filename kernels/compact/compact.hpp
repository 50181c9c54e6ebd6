#pragma once

// Source: "Подгруппы в шейдерах в Vulkan" (004_b05b118e658f6d06.txt), the ballot category.
//
// Stream compaction: the objects that pass a test move together. A ballot contains the lanes with
// an object to store, one lane advances the counter for all of them, and an exclusive count of the
// ballot is each lane's place. The text's version stores from every lane and broadcasts without
// naming a lane; here only lanes whose object passed store it, and the first active lane
// broadcasts. An object passes if it is not negative.

#include <cstdint>
#include <span>

#include <lockstep/lockstep.hpp>

#include <lockstep/glsl/keywords.hpp>

namespace lockstep::kernels {

template <class S>
struct Compact : Kernel<S> {
  LOCKSTEP_GLSL(S);
  static constexpr Size3 local_size{128};

  Buffer<const std::int32_t> objects;
  Buffer<uint> counter;
  Buffer<std::int32_t> out;

  void main() {
    const Uint i = gl_GlobalInvocationID.x;
    If (i < objects.length()) {
      const Int object = objects[i];
      const Bool should_add = object >= 0;
      const auto mask = subgroupBallot(should_add);
      const uint count = subgroupBallotBitCount(mask);
      auto first = var(0u);
      If (subgroupElect()) {
        first = atomicAdd(counter[0], count);
      }
      const uint base = subgroupBroadcastFirst(first);
      const Uint position = base + subgroupBallotExclusiveBitCount(mask);
      If (should_add) {
        out[position] = object;
      }
    }
  }
};

/// Stores the objects that are not negative, in any order of subgroups; returns their number.
/// Requires room for all of them.
template <int... Widths>
std::uint32_t compact(std::span<const std::int32_t> objects, std::span<std::int32_t> out,
                      const Device& device) {
  std::uint32_t counter[1] = {0};
  const auto workgroups = static_cast<std::uint32_t>((objects.size() + 127) / 128);
  device.dispatch<Compact, Widths...>({workgroups}, objects, counter, out);
  return counter[0];
}

}  // namespace lockstep::kernels

#include <lockstep/glsl/keywords_off.hpp>
