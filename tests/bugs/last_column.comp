#version 460
// Smooths the rows of a tile. The last column's neighbour is in the next row, where some number is.
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint numbers[]; };
layout(binding = 1) writeonly buffer Out { uint results[]; };
shared uint tile[8][8];
void main() {
  uint i = gl_LocalInvocationIndex, row = i / 8u, column = i % 8u;
  tile[row][column] = numbers[gl_GlobalInvocationID.x];
  barrier();
  uint next = row < 7u ? tile[row][column + 1u] : 0u;  // BUG out-of-bounds
  results[gl_GlobalInvocationID.x] = (tile[row][column] + next) / 2u;
}
