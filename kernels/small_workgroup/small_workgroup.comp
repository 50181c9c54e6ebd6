#version 450
#extension GL_KHR_shader_subgroup_ballot : enable

// The port of small_workgroup.hpp.

layout(local_size_x = 1) in;

layout(std430, binding = 0) readonly buffer Values { uint values[]; };
layout(std430, binding = 1) writeonly buffer Squares { uint squares[]; };
layout(std430, binding = 2) writeonly buffer Lanes { uint lanes[]; };

void main() {
  uint i = gl_WorkGroupID.x;
  uint value = values[i];
  squares[i] = value * value;
  lanes[i] = subgroupBallotBitCount(subgroupBallot(true));
}
