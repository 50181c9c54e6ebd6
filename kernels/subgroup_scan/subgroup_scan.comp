#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable

// The port of subgroup_scan.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer Values { float values[]; };
layout(std430, binding = 1) writeonly buffer LoopInclusive { float loop_inclusive[]; };
layout(std430, binding = 2) writeonly buffer LoopExclusive { float loop_exclusive[]; };
layout(std430, binding = 3) writeonly buffer Inclusive { float inclusive[]; };
layout(std430, binding = 4) writeonly buffer Exclusive { float exclusive[]; };

// The sum of the subgroup's values in lanes below `end`.
float add_before(uint end) {
  uint first = subgroupBroadcastFirst(gl_GlobalInvocationID.x);
  float sum = 0.0;
  for (uint i = 0; i < gl_SubgroupSize; ++i) {
    if (i == end) {
      break;
    }
    sum += values[first + i];
  }
  return sum;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < values.length()) {
    loop_inclusive[i] = add_before(gl_SubgroupInvocationID + 1);
    loop_exclusive[i] = add_before(gl_SubgroupInvocationID);
    float value = values[i];
    inclusive[i] = subgroupInclusiveAdd(value);
    exclusive[i] = subgroupExclusiveAdd(value);
  }
}
