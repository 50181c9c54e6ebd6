#version 460
#extension GL_KHR_memory_scope_semantics : require
// Tickets for all workgroups, drawn with atomics that only concern one.
layout(local_size_x = 32) in;
layout(binding = 0) buffer Tickets { uint next; uint drawn[]; };
void main() {
  uint ticket = atomicAdd(next, 1u, gl_ScopeQueueFamily, 0, 0);
  drawn[ticket] = gl_GlobalInvocationID.x;
}
