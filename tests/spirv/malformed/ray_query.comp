#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
void main() {
  rayQueryEXT q;
  rayQueryInitializeEXT(q, scene, 0u, 255u, vec3(0), 0.0, vec3(1), 1.0);
}
