#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };
shared uint totals[32];  // one for each subgroup

shared uint inputs[gl_WorkGroupSize.x];
void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  inputs[gl_LocalInvocationIndex] = values[i];
  barrier();
  uint sum = 0u;
  for (uint k = 0u; k <= gl_LocalInvocationIndex; ++k) sum += inputs[k];
  result[i] = sum;
}
