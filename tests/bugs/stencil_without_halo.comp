#version 460
// A stencil in shared memory whose right neighbour of the last cell nobody wrote.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) buffer Out { uint results[]; };
shared uint row[66];
void main() {
  uint i = gl_GlobalInvocationID.x, cell = gl_LocalInvocationIndex + 1u;
  row[cell] = numbers[i];
  if (cell == 1u) row[0] = i > 0u ? numbers[i - 1u] : 0u;
  barrier();
  results[i] = row[cell - 1u] + row[cell + 1u];  // BUG uninitialised-shared
}
