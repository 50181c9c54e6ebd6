#version 450
#extension GL_KHR_shader_subgroup_ballot : enable
// The lanes of a key are found out before any of them leaves the loop.
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { uint count[]; };
void main() {
  uint lane = gl_SubgroupInvocationID;
  for (uint key = 0; key < 8; ++key) {
    uint same = subgroupBallotBitCount(subgroupBallot(key == (lane & 3u)));
    if (key == (lane & 3u)) {
      count[lane] = same;
      break;
    }
  }
}
