#version 460
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint result[]; };

void main() {
  uint value = values[gl_LocalInvocationIndex];
  bool keep = value % 3u != 0u;
  uvec4 ballot = subgroupBallot(keep);
  if (keep) result[subgroupBallotExclusiveBitCount(ballot)] = value;
}
