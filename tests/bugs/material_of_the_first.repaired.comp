#version 460
#extension GL_EXT_subgroupuniform_qualifier : require
#extension GL_KHR_shader_subgroup_ballot : require
// A table is read once for all lanes of the same material.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Materials { uint materials[]; };
layout(binding = 1) readonly buffer Table { uint weights[]; };
layout(binding = 2) writeonly buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, own = materials[i] / 16u;
  for (bool done = false; !done;) {
    subgroupuniformEXT uint material = subgroupBroadcastFirst(own);
    if (material == own) {
      results[i] = weights[material];
      done = true;
    }
  }
}
