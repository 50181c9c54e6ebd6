#version 460

// Sorts keys by counting them; equal keys, with their places, may come in any order.
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer In { uint x[]; };
layout(binding = 1) buffer Out { uint keys[128], places[128]; };
shared uint begins[8];
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i < 8u) begins[i] = 0u;
  barrier();
  uint key = x[i] % 8u;
  atomicAdd(begins[key], 1u);
  barrier();
  uint first = 0u;
  for (uint k = 0u; k < key; ++k) first += begins[k];
  barrier();
  if (i < 8u) begins[i] = 0u;
  barrier();
  uint slot = first + atomicAdd(begins[key], 1u);
  keys[slot] = key;
  places[slot] = i;
}
