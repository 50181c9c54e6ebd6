#include <array>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/mapping.hpp>
#include <lockstep/spirv/shader.hpp>

using namespace lockstep;
using Uint = std::uint32_t;

// Subgroups of 24 and 128 do not divide the workgroup, and its extents are not powers of two.
TEST_CASE("each invocation of a workgroup of three dimensions knows its place, in each mapping") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 6, local_size_y = 2, local_size_z = 9) in;
layout(set = 0, binding = 0) buffer Seen { uint seen[]; };
layout(set = 0, binding = 1) buffer Places { uvec4 places[]; };
void main() {
  uvec3 size = gl_NumWorkGroups * gl_WorkGroupSize, at = gl_GlobalInvocationID;
  uint number = (at.z * size.y + at.y) * size.x + at.x;
  atomicAdd(seen[number], 1u);
  places[number] = uvec4(gl_LocalInvocationID, gl_LocalInvocationIndex);
})");
  const Mapping mappings[] = {Mapping::linear(), Mapping::reversed(), Mapping::shuffled(3),
                              Mapping::quads(),
                              Mapping::shuffled(4).filled(Mapping::Filling::random, 6)};
  for (const int size : {1, 4, 24, 32, 128}) {
    for (const Mapping& mapping : mappings) {
      if (mapping == Mapping::quads() && size % 4 != 0) continue;
      std::vector<Uint> seen(108 * 6);
      std::vector<std::array<Uint, 4>> places(seen.size());
      shader.bind(0, 0, seen)
          .bind(0, 1, places)
          .dispatch({3, 1, 2}, {.subgroup_size = size, .mapping = mapping});
      for (Uint z = 0, number = 0; z < 18; ++z) {
        for (Uint y = 0; y < 2; ++y) {
          for (Uint x = 0; x < 18; ++x, ++number) {
            INFO("size " << size << ", mapping " << &mapping - mappings << ", number " << number);
            REQUIRE(seen[number] == 1);
            const Uint index = z % 9 * 12 + y * 6 + x % 6;
            REQUIRE(places[number] == std::array<Uint, 4>{x % 6, y, z % 9, index});
          }
        }
      }
    }
  }
}
