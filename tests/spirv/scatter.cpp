#include <span>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

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

namespace {

/// What 128 invocations write: each i for which keep[i] is not 0 stores i + 1 at place[i].
struct Stores {
  std::vector<Uint> keep = std::vector<Uint>(128), place = std::vector<Uint>(128);
};

/// Every third invocation and all of a run in the middle store, one after the other from `start` on.
Stores packed_stores(Uint start) {
  Stores stores;
  Uint next = start;
  for (Uint i = 0; i < 128; ++i) {
    stores.keep[i] = i % 3 == 1 || (i >= 40 && i < 75) ? 1 : 0;
    stores.place[i] = stores.keep[i] != 0 ? next++ : 1000;
  }
  return stores;
}

/// Runs the stores at each size and compares with a loop over invocations.
void check_stores(Shader& shader, const Stores& stores, Uint room) {
  std::vector<Uint> want(room + 1, 77), want_same(room + 1, 77);
  Uint outside = 0;
  for (Uint i = 0; i < 128; ++i) {
    if (stores.keep[i] == 0) continue;
    if (stores.place[i] >= room) {
      outside += 2;
      continue;
    }
    want[stores.place[i]] = i + 1;
    want_same[stores.place[i]] = 5;
  }
  for (const int size : test::sizes) {
    INFO("subgroup size " << size << ", room for " << room);
    std::vector<Uint> stored(room + 1, 77), same(room + 1, 77);
    shader.bind(0, stores.keep).bind(1, stores.place);
    shader.bind(2, std::span(stored).first(room)).bind(3, std::span(same).first(room));
    const auto run = shader.dispatch({1}, {.subgroup_size = size, .threads = 1});
    CHECK(run.faults == outside);
    REQUIRE(stored == want);
    REQUIRE(same == want_same);
  }
}

}  // namespace

TEST_CASE("stores of some lanes one after the other, as in stream compaction") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer Keep { uint keep[]; };
layout(set = 0, binding = 1) readonly buffer Place { uint place[]; };
layout(set = 0, binding = 2) buffer Stored { uint stored[]; };
layout(set = 0, binding = 3) buffer Same { uint same[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  if (keep[i] != 0u) {
    stored[place[i]] = i + 1u;
    same[place[i]] = 5u;
  }
})");
  for (const Uint start : {0u, 3u}) {
    const Stores packed = packed_stores(start);
    for (Uint room = 60; room < 75; ++room) check_stores(shader, packed, room);
    // The first and the last lane of a subgroup write where they would, lanes between them elsewhere.
    Stores swapped = packed, repeated = packed;
    std::swap(swapped.place[43], swapped.place[44]);
    std::swap(swapped.place[61], swapped.place[67]);
    check_stores(shader, swapped, 100);
    repeated.place[44] = repeated.place[43];
    repeated.place[100] = repeated.place[97];
    check_stores(shader, repeated, 100);
  }
  // At the largest index the next place would be 0.
  Stores wrapped = packed_stores(0);
  for (Uint& place : wrapped.place) place -= 3;
  check_stores(shader, wrapped, 100);
}
