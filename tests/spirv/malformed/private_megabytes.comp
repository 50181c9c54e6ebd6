#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
uint big[1 << 20];
void main() {
  big[o[0]] = 1u;
  o[1] = big[o[2]];
}
