#version 460
#extension GL_KHR_shader_subgroup_ballot : require

// Cases of a switch that lanes reach by a label and by falling through: whether both sets of lanes are together there is the
// implementation's choice.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint x[]; };
layout(binding = 1) buffer Out { uvec4 r[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uvec4 first = uvec4(0), second = uvec4(0), last = uvec4(0);
  switch (x[i] % 4u) {
    case 0u:
      first = subgroupBallot(true);
    case 1u:
      second = subgroupBallot(true);
      break;
    case 2u:
      first = subgroupBallot(true);
    default:
      last = subgroupBallot(true);
  }
  r[i] = uvec4(first.x, second.x, last.x, subgroupBallot(true).x);
}
