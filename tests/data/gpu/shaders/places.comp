#version 460
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"

// Where invocations are: a workgroup of two dimensions.
layout(local_size_x = 12, local_size_y = 6) in;
layout(binding = 0) writeonly buffer Out { uint r[]; };
void main() {
  uint i = gl_WorkGroupID.x * 72u + gl_LocalInvocationIndex;
  r[i] = gl_SubgroupInvocationID | gl_SubgroupID << 8;
  r[288u + i] = subgroupAdd(gl_LocalInvocationIndex);
  r[576u + i] = subgroupBallotBitCount(subgroupBallot(true)) | gl_SubgroupSize << 8;
  r[864u + i] = gl_LocalInvocationID.x | gl_LocalInvocationID.y << 8 | gl_WorkGroupID.x << 16;
}
