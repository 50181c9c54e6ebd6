#version 460
#extension GL_KHR_shader_subgroup_vote : require

layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  bool small = values[i] < 10u;
  if (subgroupAll(small)) {
    result[i] = 1u;  // a whole subgroup of small values: no branch for each lane
  } else {
    result[i] = small ? 2u : 3u;
  }
}
