#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
// Counts the lanes of each key: those that leave the loop in the same iteration.
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { uint count[]; };
void main() {
  uint lane = gl_SubgroupInvocationID;
  for (uint key = 0; key < 8; ++key) {
    if (key == (lane & 3u)) {
      count[lane] = subgroupAdd(1u);
      break;
    }
  }
}
