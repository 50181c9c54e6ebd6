#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1, rgba8) uniform image2DMSArray pixels;
void main() {
  o[0] = uint(imageLoad(pixels, ivec3(0), 1).x);
}
