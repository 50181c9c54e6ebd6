#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1) uniform samplerCube sky;
void main() {
  o[0] = uint(textureLod(sky, vec3(0.5), 0.0).x);
}
