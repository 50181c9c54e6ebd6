#version 460
// Smooths the rows of a tile. The last column is its own neighbour.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) writeonly buffer Out { uint results[]; };
shared uint tile[8][8];
void main() {
  uint i = gl_LocalInvocationIndex, row = i / 8u, column = i % 8u;
  tile[row][column] = numbers[gl_GlobalInvocationID.x];
  barrier();
  uint next = column < 7u ? tile[row][column + 1u] : tile[row][column];
  results[gl_GlobalInvocationID.x] = (tile[row][column] + next) / 2u;
}
