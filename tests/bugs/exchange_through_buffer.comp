#version 460
// Invocations of a workgroup exchange rows through a buffer, with a barrier for shared memory.
layout(local_size_x = 64) in;
layout(binding = 0) coherent buffer Rows { uint rows[]; };
layout(binding = 1) buffer Out { uint columns[]; };
void main() {
  uint all = gl_GlobalInvocationID.x;
  rows[all] = all * all;           // FROM
  barrier();
  columns[all] = rows[all ^ 33u];  // BUG barrier-orders-shared-only
}
