#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };
shared uint stored;

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  uint first = i - gl_LocalInvocationIndex, rank = 0u;
  for (uint k = first; k < i; ++k) rank += 1u - values[k] % 2u;
  if (values[i] % 2u == 0u) result[first + rank] = values[i];
}
