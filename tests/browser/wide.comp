#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
// 24 variables of 128 lanes.
layout(local_size_x = 128) in;
layout(binding = 0) buffer B { uint data[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint sum = 0u;
  for (uint n = 0u; n < 30u + i % 3u; ++n) {
    uint v0 = n * 0u + i;
    uint v1 = n * 1u + i;
    uint v2 = n * 2u + i;
    uint v3 = n * 3u + i;
    uint v4 = n * 4u + i;
    uint v5 = n * 5u + i;
    uint v6 = n * 6u + i;
    uint v7 = n * 7u + i;
    uint v8 = n * 8u + i;
    uint v9 = n * 9u + i;
    uint v10 = n * 10u + i;
    uint v11 = n * 11u + i;
    uint v12 = n * 12u + i;
    uint v13 = n * 13u + i;
    uint v14 = n * 14u + i;
    uint v15 = n * 15u + i;
    uint v16 = n * 16u + i;
    uint v17 = n * 17u + i;
    uint v18 = n * 18u + i;
    uint v19 = n * 19u + i;
    uint v20 = n * 20u + i;
    uint v21 = n * 21u + i;
    uint v22 = n * 22u + i;
    uint v23 = n * 23u + i;
    sum += v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7;
    sum += v8 + v9 + v10 + v11 + v12 + v13 + v14 + v15;
    sum += v16 + v17 + v18 + v19 + v20 + v21 + v22 + v23;
    if ((n + i) % 3u == 0u) data[i] = subgroupAdd(sum);
  }
}
