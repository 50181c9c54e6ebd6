#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1) uniform sampler2D pixels;
void main() {
  o[0] = uint(textureLod(pixels, vec2(0.5), 0.0).x);
}
