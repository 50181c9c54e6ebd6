#version 450
#extension GL_KHR_shader_subgroup_basic : enable
// Subgroup 1 reads what subgroup 0 wrote before the barrier.
layout(local_size_x = 16) in;
layout(binding = 0) buffer Out { uint seen[]; };
shared uint written;
void main() {
  if (gl_LocalInvocationIndex == 0) written = 7;
  barrier();
  if (gl_LocalInvocationIndex >= 8) seen[gl_LocalInvocationIndex] = written;
}
