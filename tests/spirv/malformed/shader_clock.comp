#version 460
#extension GL_ARB_shader_clock : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  o[0] = clock2x32ARB().x;
}
