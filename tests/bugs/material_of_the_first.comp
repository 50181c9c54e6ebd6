#version 460
#extension GL_EXT_subgroupuniform_qualifier : require
#extension GL_KHR_shader_subgroup_ballot : require
// A table is read once for the subgroup, as if all of its lanes had the same material.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Materials { uint materials[]; };
layout(binding = 1) readonly buffer Table { uint weights[]; };
layout(binding = 2) writeonly buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  subgroupuniformEXT uint material;
  material = materials[i] / 16u;   // FROM
  results[i] = weights[material];  // BUG subgroupuniform-broken
}
