#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint numbers[]; };
shared uint tile[64];
void main() {
  uint i = gl_LocalInvocationIndex, all = gl_GlobalInvocationID.x;
  tile[i] = all < 100u ? numbers[all] : 0u;
  barrier();
  if (all < 100u) numbers[all] = tile[i / 2u];
}
