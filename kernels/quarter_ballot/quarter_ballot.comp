#version 450
#extension GL_KHR_shader_subgroup_ballot : enable

// The port of quarter_ballot.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer Foo { int foo[]; };
layout(std430, binding = 1) readonly buffer Bar { int bar[]; };
layout(std430, binding = 2) writeonly buffer Out { int results[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < foo.length()) {
    int a = foo[i];
    int b = bar[i];
    uvec4 ballot = subgroupBallot(a < b);
    if (gl_SubgroupSize <= subgroupBallotBitCount(ballot) * 4) {
      results[i] = b - a;
    } else {
      results[i] = (a - b) * 3;
    }
  }
}
