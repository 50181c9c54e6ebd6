"""Shaders that several tests use."""

SCAN = """#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint values[]; };
layout(binding = 1) buffer Out { uint sums[]; };
layout(push_constant) uniform Push { uint count; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < count) sums[i] = subgroupInclusiveAdd(values[i]);
}
"""


def scanned(values, size, count):
    """What SCAN writes, in subgroups of that size: a plain loop."""
    sums = [0] * len(values)
    for i in range(count):
        first = i % 64 % size == 0
        before = 0 if first else sums[i - 1]
        sums[i] = (before + int(values[i])) % 2**32
    return sums
