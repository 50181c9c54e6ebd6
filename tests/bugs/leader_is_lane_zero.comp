#version 460
#extension GL_KHR_shader_subgroup_ballot : require
// The lanes that need a slot ask lane 0 for the first one, which may not be among them.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (numbers[i] % 3u == 1u) {
    uint first = subgroupBroadcast(i, 0u);  // FROM
    results[i] = first;                     // BUG undefined-broadcast
  }
}
