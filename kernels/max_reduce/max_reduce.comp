#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable

// The port of max_reduce.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer Values { uint values[]; };
layout(std430, binding = 1) buffer Maximum { uint maximum[]; };

void main() {
  if (gl_GlobalInvocationID.x < values.length()) {
    uint largest = subgroupMax(values[gl_GlobalInvocationID.x]);
    if (subgroupElect()) {
      atomicMax(maximum[0], largest);
    }
  }
}
