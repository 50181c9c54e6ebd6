#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
uint f(uint x) { return f(x + 1u); }
void main() { o[0] = f(1u); }
