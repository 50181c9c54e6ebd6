#version 450
#extension GL_KHR_shader_subgroup_basic : enable
// Two branches, with a barrier between them.
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { uint seen[]; };
shared uint written;
void main() {
  uint lane = gl_SubgroupInvocationID;
  if (lane == 0) written = 7;
  barrier();
  if (lane != 0) seen[lane] = written;
}
