#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Which lanes are together in branches, loops and switches.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint x[]; };
layout(binding = 1) writeonly buffer Out { uint r[]; };

uint at = 0u;
void put() {
  uvec4 ballot = subgroupBallot(true);
  r[at * 64u + gl_LocalInvocationIndex] = ballot.x ^ ballot.y * 3u;
  ++at;
}

void nested(uint v) {
  if (v % 2u == 0u) {
    put();
    if (v % 4u == 0u) put(); else ++at;
    put();
  } else {
    at += 2u;
    put();
  }
  put();
}

void loop(uint v) {
  uint n = 0u;
  while (true) {
    if (n == v % 5u) break;
    ++n;
    if (n == 3u) continue;
    r[at * 64u + n * 64u + gl_LocalInvocationIndex] = subgroupBallotBitCount(subgroupBallot(true));
  }
  at += 8u;
  put();
}

void cases(uint v) {
  switch (v % 4u) {
    case 0u: put(); break;
    case 1u: put(); break;
    default: put(); break;
  }
  put();
}

uint early(uint v) {
  if (v % 7u == 3u) return subgroupBallotBitCount(subgroupBallot(true));
  return 100u + subgroupBallotBitCount(subgroupBallot(true));
}

void main() {
  uint v = x[gl_LocalInvocationIndex];
  nested(v);
  loop(v);
  cases(v);
  r[at * 64u + gl_LocalInvocationIndex] = early(v);
  ++at;
  put();
  // Each lane in turn: elected until none is left.
  uint order = 0u, turns = 0u;
  bool waiting = true;
  while (waiting) {
    ++turns;
    if (subgroupElect()) {
      order = turns;
      waiting = false;
    }
  }
  r[at * 64u + gl_LocalInvocationIndex] = order;
  ++at;
  put();
  if (v % 6u == 1u) return;
  put();
}
