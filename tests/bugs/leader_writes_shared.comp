#version 460
#extension GL_KHR_shader_subgroup_basic : require
// One lane of each subgroup prepares a value in shared memory for the others.
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint values[]; };
shared uint prepared[2];
void main() {
  if (subgroupElect()) prepared[gl_SubgroupID] = gl_WorkGroupID.x + gl_SubgroupID;  // FROM
  values[gl_GlobalInvocationID.x] = prepared[gl_SubgroupID];  // BUG lockstep-exchange
}
