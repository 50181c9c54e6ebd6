#version 460
#extension GL_EXT_buffer_reference_uvec2 : require
// Vertices of three numbers are read as vectors of four, which lie at multiples of 16 bytes.
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Vertex { uvec4 position; };
layout(binding = 0) readonly buffer Address { uvec2 vertices; };
layout(binding = 1) writeonly buffer Out { uint heights[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  Vertex vertex = Vertex(vertices + uvec2(12u * i, 0u));
  uvec4 position = vertex.position;  // BUG misaligned
  heights[i] = position.y;
}
