#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

#include "spirv/sizes.hpp"

using namespace lockstep;
using Uint = std::uint32_t;

TEST_CASE("scattered stores and loads, some lanes of which access consecutive elements") {
  // Consecutive places of lanes up to lane `gap`; after it one place is left out.
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 128) in;
layout(push_constant) uniform Push { uint gap; };
layout(set = 0, binding = 0) buffer In { uint data[]; };
layout(set = 0, binding = 1) buffer Stored { uint stored[]; };
layout(set = 0, binding = 2) buffer Loaded { uint loaded[]; };
shared uint s[129];
void main() {
  uint i = gl_LocalInvocationIndex;
  uint place = i < gap ? i : i + 1u;
  stored[place] = i + 1u;
  loaded[i] = data[place];
  s[i] = 0u;
  if (i == 0u) s[128] = 0u;
  barrier();
  s[place] = i;
  barrier();
  loaded[128u + i] = s[place];
})");
  std::vector<Uint> data(129);
  for (Uint k = 0; k < 129; ++k) data[k] = 1000 + k;
  for (const int size : test::sizes) {
    for (Uint gap = 0; gap <= 128; ++gap) {
      INFO("subgroup size " << size << ", gap at " << gap);
      std::vector<Uint> stored(129), loaded(256);
      shader.bind(0, data).bind(1, stored).bind(2, loaded).push(gap);
      shader.dispatch({1}, {.subgroup_size = size, .threads = 1});
      std::vector<Uint> want_stored(129), want_loaded(256);
      for (Uint i = 0; i < 128; ++i) {
        const Uint place = i < gap ? i : i + 1;
        want_stored[place] = i + 1;
        want_loaded[i] = data[place];
        want_loaded[128 + i] = i;
      }
      REQUIRE(stored == want_stored);
      REQUIRE(loaded == want_loaded);
    }
  }
}
