#version 450
#extension GL_EXT_spirv_intrinsics : enable
#extension GL_KHR_shader_subgroup_basic : enable

// The port of clustered_rotate.hpp. subgroupClusteredRotate is declared by its SPIR-V instruction,
// OpGroupNonUniformRotateKHR, for compilers without GL_KHR_shader_subgroup_rotate.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) writeonly buffer Out { uint rotated[]; };

layout(push_constant) uniform By {
  uint delta;
} by;

spirv_instruction(extensions = ["SPV_KHR_subgroup_rotate"], capabilities = [61, 6026], id = 4431)
uint rotate_in_cluster(uint scope, uint value, uint delta, uint cluster_size);

const uint scope_subgroup = 3;
const uint cluster_size = 4;

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint value = i < values.length() ? values[i] : 0;
  uint result = rotate_in_cluster(scope_subgroup, value, by.delta, cluster_size);
  if (i < rotated.length()) {
    rotated[i] = result;
  }
}
