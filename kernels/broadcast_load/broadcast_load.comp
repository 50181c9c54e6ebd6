#version 450
#extension GL_KHR_shader_subgroup_ballot : enable

// The port of broadcast_load.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer Table { vec4 table[]; };
layout(std430, binding = 1) writeonly buffer Out { vec4 results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < results.length()) {
    vec4 value = vec4(0.0);
    if (subgroupElect()) {
      uint subgroup = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
      value = table[(subgroup * 7 + 3) % table.length()];
    }
    results[i] = subgroupBroadcastFirst(value);
  }
}
