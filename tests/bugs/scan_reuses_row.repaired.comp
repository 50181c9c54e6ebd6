#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint numbers[]; };
shared uint row[64];
void main() {
  uint i = gl_LocalInvocationIndex;
  row[i] = numbers[gl_GlobalInvocationID.x];
  for (uint step = 1; step < 64; step *= 2) {
    barrier();
    uint before = i >= step ? row[i - step] : 0;
    barrier();
    row[i] += before;
  }
  numbers[gl_GlobalInvocationID.x] = row[i];
}
