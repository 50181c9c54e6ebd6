#version 450
#extension GL_EXT_spirv_intrinsics : enable
#extension GL_KHR_shader_subgroup_basic : enable

// The port of rotate.hpp. subgroupRotate is declared by its SPIR-V instruction,
// OpGroupNonUniformRotateKHR, for compilers without GL_KHR_shader_subgroup_rotate.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) writeonly buffer Out { uint rotated[]; };

layout(push_constant) uniform By {
  uint delta;
} by;

spirv_instruction(extensions = ["SPV_KHR_subgroup_rotate"], capabilities = [61, 6026], id = 4431)
uint rotate_in_scope(uint scope, uint value, uint delta);

const uint scope_subgroup = 3;

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint value = i < values.length() ? values[i] : 0;
  uint result = rotate_in_scope(scope_subgroup, value, by.delta);
  if (i < rotated.length()) {
    rotated[i] = result;
  }
}
