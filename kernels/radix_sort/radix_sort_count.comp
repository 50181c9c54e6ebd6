#version 450
#extension GL_KHR_shader_subgroup_ballot : enable

// The port of CountDigits in radix_sort.hpp: counts how often each digit occurs in the workgroup's tile.

layout(local_size_x = 256) in;

layout(std430, binding = 0) readonly buffer Keys { uint keys[]; };
layout(std430, binding = 1) writeonly buffer Counts { uint counts[]; };

layout(push_constant) uniform Round {
  uint shift;
} round_;

const uint digits = 16;
const uint keys_each = 4;

shared uint tile_counts[digits];

void main() {
  if (gl_LocalInvocationIndex < digits) {
    tile_counts[gl_LocalInvocationIndex] = 0;
  }
  barrier();
  uint count_of[digits];
  for (uint d = 0; d < digits; ++d) {
    count_of[d] = 0;
  }
  for (uint row = 0; row < keys_each; ++row) {
    uint i = (gl_WorkGroupID.x * keys_each + row) * 256 + gl_LocalInvocationIndex;
    uint digit = i < keys.length() ? (keys[i] >> round_.shift) % digits : digits;
    for (uint d = 0; d < digits; ++d) {
      count_of[d] += subgroupBallotBitCount(subgroupBallot(digit == d));
    }
  }
  if (subgroupElect()) {
    for (uint d = 0; d < digits; ++d) {
      atomicAdd(tile_counts[d], count_of[d]);
    }
  }
  barrier();
  if (gl_LocalInvocationIndex < digits) {
    counts[gl_LocalInvocationIndex * gl_NumWorkGroups.x + gl_WorkGroupID.x] =
        tile_counts[gl_LocalInvocationIndex];
  }
}
