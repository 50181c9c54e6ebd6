// Exercise: store the even values of each workgroup one after another, in the order of gl_LocalInvocationIndex,
// from its first element on. A device may run invocations and workgroups in any order, and in any lane.

#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };
shared uint stored;

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  uint first = gl_WorkGroupID.x * gl_WorkGroupSize.x;
  if (gl_LocalInvocationIndex == 0u) stored = 0u;
  barrier();
  if (values[i] % 2u == 0u) result[first + atomicAdd(stored, 1u)] = values[i];  // in which order?
}
