#version 450
#extension GL_KHR_shader_subgroup_vote : enable

// The port of vote.hpp.

layout(local_size_x = 128) in;

layout(std430, binding = 0) readonly buffer Foo { int foo[]; };
layout(std430, binding = 1) readonly buffer Bar { int bar[]; };
layout(std430, binding = 2) writeonly buffer Out { int results[]; };
layout(std430, binding = 3) writeonly buffer Path { uint path[]; };

int x(int a, int b) { return b - a; }
int y(int a, int b) { return (a - b) * 3; }

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < foo.length()) {
    int a = foo[i];
    int b = bar[i];
    bool condition = a < b;
    if (subgroupAll(condition)) {
      results[i] = x(a, b);
      path[i] = 0;
    } else if (!subgroupAny(condition)) {
      results[i] = y(a, b);
      path[i] = 1;
    } else {
      if (condition) {
        results[i] = x(a, b);
      } else {
        results[i] = y(a, b);
      }
      path[i] = 2;
    }
  }
}
