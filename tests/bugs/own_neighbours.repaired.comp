#version 460
#extension GL_KHR_shader_subgroup_ballot : require
// Each lane asks whether it is the even one of its pair, with a mask of its own.
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Out { uint results[]; };
void main() {
  uvec4 even = uvec4(1u << (gl_SubgroupInvocationID & 30u), 0u, 0u, 0u);
  bool found = subgroupBallotBitExtract(even, gl_SubgroupInvocationID);
  results[gl_GlobalInvocationID.x] = found ? 1u : 0u;
}
