// Exercise: where the value is even, store how many lanes of the subgroup have an even value.
// Where it is odd, store 0.

#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID;
  result[i] = 0u;
  if (values[i] % 2u == 0u) {
    result[i] = gl_SubgroupSize;  // change this line
  }
}
