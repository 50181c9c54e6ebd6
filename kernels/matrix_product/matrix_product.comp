#version 450
#extension GL_KHR_shader_subgroup_shuffle : enable

// The port of matrix_product.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer Product { float product[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < a.length()) {
    float mine_of_a = a[i];
    float mine_of_b = b[i];
    uint row = gl_SubgroupInvocationID & ~3u;  // the first lane of its row
    uint column = gl_SubgroupInvocationID & ~12u;
    float sum = 0.0;
    for (uint k = 0; k < 4; ++k) {
      sum += subgroupShuffle(mine_of_a, row + k) * subgroupShuffle(mine_of_b, column + 4 * k);
    }
    product[i] = sum;
  }
}
