#version 460
#extension GL_KHR_shader_subgroup_basic : require
// Producers and consumers each wait at a barrier of their own.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint numbers[]; };
shared uint tile[32];
void main() {
  uint i = gl_LocalInvocationIndex;
  if (gl_SubgroupID == 0) {
    tile[i] = numbers[gl_GlobalInvocationID.x];
    barrier();  // BUG barrier-mismatch
  } else {
    barrier();  // FROM
    numbers[gl_GlobalInvocationID.x] = tile[i - 32u];
  }
}
