#version 460
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
void main() {
  controlBarrier(gl_ScopeDevice, gl_ScopeDevice, 0, 0);
}
