#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Votes, elections and ballots, whole and diverged.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint x[]; };
layout(binding = 1) writeonly buffer Out { uint r[]; };

uint at = 0u;
void put(uint value) {
  r[at * 64u + gl_LocalInvocationIndex] = value;
  ++at;
}

void vote(bool b) {
  put(uint(subgroupAll(b)) | uint(subgroupAny(b)) << 1 | uint(subgroupElect()) << 2);
  uvec4 ballot = subgroupBallot(b);
  put(ballot.x);
  put(ballot.y | ballot.z | ballot.w);
  put(uint(subgroupInverseBallot(ballot)) | uint(subgroupBallotBitExtract(ballot, 3u)) << 1);
  put(subgroupBallotBitCount(ballot));
  put(subgroupBallotInclusiveBitCount(ballot));
  put(subgroupBallotExclusiveBitCount(ballot));
  if (ballot != uvec4(0u)) {
    put(subgroupBallotFindLSB(ballot));
    put(subgroupBallotFindMSB(ballot));
  } else {
    at += 2u;
  }
}

void main() {
  uint v = x[gl_LocalInvocationIndex];
  put(gl_SubgroupEqMask.x ^ gl_SubgroupGeMask.x * 3u);
  put(gl_SubgroupGtMask.x ^ gl_SubgroupLeMask.x * 5u);
  put(gl_SubgroupLtMask.x);
  vote(v % 2u == 0u);
  vote(v < 8u);
  vote(true);
  if (v % 5u != 2u) vote(v % 3u == 0u);
}
