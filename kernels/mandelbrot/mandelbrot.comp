#version 450

// The port of mandelbrot.hpp. `precise` keeps multiplications and additions apart: counts must match
// exactly.

layout(local_size_x = 64) in;

layout(std430, binding = 0) writeonly buffer Iterations { uint iterations[]; };

layout(push_constant) uniform View {
  uint width, height;
  float left, bottom, step;
  uint max_iterations;
} view;

void main() {
  uint px = gl_GlobalInvocationID.x;
  uint py = gl_WorkGroupID.y;
  if (px < view.width) {
    precise float cx = view.left + float(px) * view.step;
    precise float cy = view.bottom + float(py) * view.step;
    precise float x = 0.0;
    precise float y = 0.0;
    uint count = 0;
    while (count < view.max_iterations) {
      precise float x2 = x * x;
      precise float y2 = y * y;
      precise float length2 = x2 + y2;
      if (length2 > 4.0) {
        break;
      }
      y = 2.0 * x * y + cy;
      x = x2 - y2 + cx;
      ++count;
    }
    iterations[py * view.width + px] = count;
  }
}
