#version 450
#extension GL_KHR_shader_subgroup_ballot : enable

// The port of MoveKeys in radix_sort.hpp: moves each key of the workgroup's tile to the next place of its
// digit.

layout(local_size_x = 256) in;

layout(std430, binding = 0) readonly buffer Keys { uint keys[]; };
layout(std430, binding = 1) readonly buffer TilePlaces { uint tile_places[]; };
layout(std430, binding = 2) writeonly buffer Moved { uint moved[]; };

layout(push_constant) uniform Round {
  uint shift;
} round_;

const uint digits = 16;
const uint keys_each = 4;

// For each subgroup and digit: first the number of keys, then their first place. Room for subgroups of
// one lane: 16 KiB, which every device has.
shared uint places[256 * 16];

// Subgroups own consecutive parts of the tile: rows of as many keys as they have lanes.
uint key_index(uint row) {
  uint lanes = subgroupBallotBitCount(subgroupBallot(true));
  uint part = (gl_WorkGroupID.x * 256 + gl_SubgroupID * gl_SubgroupSize) * keys_each;
  return part + row * lanes + gl_SubgroupInvocationID;
}

// 16 for lanes without a key.
uint digit_at(uint i) {
  return i < keys.length() ? (keys[i] >> round_.shift) % digits : digits;
}

void main() {
  uint count_of[digits];
  for (uint d = 0; d < digits; ++d) {
    count_of[d] = 0;
  }
  for (uint row = 0; row < keys_each; ++row) {
    uint digit = digit_at(key_index(row));
    for (uint d = 0; d < digits; ++d) {
      count_of[d] += subgroupBallotBitCount(subgroupBallot(digit == d));
    }
  }
  if (subgroupElect()) {
    for (uint d = 0; d < digits; ++d) {
      places[gl_SubgroupID * digits + d] = count_of[d];
    }
  }
  barrier();
  uint own_digit = gl_LocalInvocationIndex;
  if (own_digit < digits) {
    uint place = tile_places[own_digit * gl_NumWorkGroups.x + gl_WorkGroupID.x];
    for (uint subgroup = 0; subgroup < gl_NumSubgroups; ++subgroup) {
      uint k = subgroup * digits + own_digit;
      uint count = places[k];
      places[k] = place;
      place += count;
    }
  }
  barrier();
  uint next[digits];
  for (uint d = 0; d < digits; ++d) {
    next[d] = places[gl_SubgroupID * digits + d];
  }
  for (uint row = 0; row < keys_each; ++row) {
    uint i = key_index(row);
    uint digit = digit_at(i);
    uint place = 0;
    for (uint d = 0; d < digits; ++d) {
      uvec4 ballot = subgroupBallot(digit == d);
      uint rank = subgroupBallotExclusiveBitCount(ballot);
      if (digit == d) {
        place = next[d] + rank;
      }
      next[d] += subgroupBallotBitCount(ballot);
    }
    if (i < keys.length()) {
      moved[place] = keys[i];
    }
  }
}
