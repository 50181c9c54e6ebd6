#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require

// In each workgroup, the sum of the values up to each invocation.
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer In { uint values[]; };
layout(binding = 1) writeonly buffer Out { uint sums[]; };

shared uint totals[256];

void main() {
  const uint i = gl_GlobalInvocationID.x;
  const uint sum = subgroupInclusiveAdd(values[i]);
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1 || gl_LocalInvocationIndex == 255)
    totals[gl_SubgroupID] = sum;
  barrier();
  uint before = 0;
  for (uint s = 0; s < gl_SubgroupID; ++s) before += totals[s];
  sums[i] = before + sum;
}
