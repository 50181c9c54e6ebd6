#version 460

layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer Values { uint values[]; };
layout(binding = 1) buffer Result { uint next, slots[]; };

void main() {
  uint value = values[gl_LocalInvocationIndex];
  if (value % 2u == 0u) slots[atomicAdd(next, 1u)] = value;
}
