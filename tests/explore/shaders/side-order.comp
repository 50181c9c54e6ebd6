#version 450
#extension GL_KHR_shader_subgroup_basic : enable
// The other side reads what one side writes.
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { uint seen[]; };
shared uint written;
void main() {
  uint lane = gl_SubgroupInvocationID;
  if (lane == 0)
    written = 7;
  else
    seen[lane] = written;
}
