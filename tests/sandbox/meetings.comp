#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require

// Constructs at which a workgroup of several subgroups stays together, and others at which it parts.

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Start { uint start; };
layout(binding = 1) writeonly buffer Sums { uint sums[]; };

void main() {
  uint i = gl_LocalInvocationIndex, sum = 0;
  for (uint k = start; k < 3; ++k) {
    switch (k) {
      case 0:
        sum += subgroupAdd(1);
        break;
      case 1:
        if (i < 32) sum += subgroupAdd(2);
        break;
      default:
        sum += subgroupAdd(i % 3);
    }
    switch (i / 16) {
      case 0:
        sum += subgroupAdd(4);
      case 1:
        sum += subgroupAdd(8);
        break;
      default:
        if (i % 2 == 0) sum += subgroupAdd(1);
    }
  }
  sums[i] = sum;
}
