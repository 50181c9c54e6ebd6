#version 460
layout(local_size_x = 2000) in;
void main() {}
