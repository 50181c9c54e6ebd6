#include "shader/native/native.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/native_check.hpp"
#include "support/with_native.hpp"

/// \file
/// What machine code does apart from computing: its target, barriers, errors and push constants.

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("a run says what its machine code is for, or why there is none") {
  const auto said = [] {
    auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
void main() { result[gl_LocalInvocationIndex] = 1; })");
    std::vector<std::uint32_t> out(4);
    return shader.bind(0, out).dispatch({1}).machine_code;
  };
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    CHECK(said() ==
          (target == spirv::Target::none ? "none (LOCKSTEP_NATIVE=off)" : name_of(target)));
  }
  {
    const WithNative unknown("avx1024");
    CHECK(said() == "none (LOCKSTEP_NATIVE=avx1024, which is not avx512, avx2, calls or off)");
  }
  const WithNative best(nullptr);
  CHECK(said() == name_of(native_targets().back()));
}

TEST_CASE("many pipelines have machine code at once") {
  const Module module = Module::from_glsl(R"(#version 460
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
void main() { result[gl_LocalInvocationIndex] = 1; })");
  const WithNative native(spirv::Target::calls);
  std::vector<Pipeline> pipelines;
  for (int size = 1; size <= 128; ++size)
    pipelines.emplace_back(module, PipelineOptions{.subgroup_size = size});
  for (const Pipeline& pipeline : pipelines)
    CHECK(pipeline.dispatch(DescriptorTable(), {.workgroups = {0, 1, 1}, .partially_bound = true})
              .machine_code == "calls");
}

TEST_CASE("subgroupElect is true for the first active lane") {
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(R"(#version 460
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x = 100) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  if (subgroupElect()) { result[i] = 1; }
  if (i % 3 == 1) {
    if (subgroupElect()) { result[i] += 2; } else { result[i] += 4; }
  }
})");
    for (const int size : all_sizes) {
      std::vector<std::uint32_t> out(100), want(100);
      const auto width = static_cast<std::uint32_t>(size);
      for (std::uint32_t first = 0; first < 100; first += width) {
        want[first] = 1;
        bool elected = false;
        for (std::uint32_t i = first; i < std::min(first + width, 100u); ++i) {
          if (i % 3 != 1) continue;
          want[i] += elected ? 4 : 2;
          elected = true;
        }
      }
      shader.bind(0, out).dispatch({1}, {.subgroup_size = size, .threads = 1});
      CAPTURE(name_of(target), size);
      REQUIRE(out == want);
    }
  }
}

TEST_CASE("subgroups keep their values across barriers") {
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
shared uint s[128];
void main() {
  uint i = gl_LocalInvocationIndex, mine = i * i, sum = 0;
  for (uint k = 0; k < 5; ++k) {
    s[i] = mine + k;
    barrier();
    sum += s[(i + k) % 128];
    barrier();
  }
  result[gl_GlobalInvocationID.x] = sum + mine;
})");
    for (const int size : all_sizes) {
      std::vector<std::uint32_t> out(3 * 128);
      shader.bind(0, out).dispatch({3}, {.subgroup_size = size, .threads = 1});
      CAPTURE(name_of(target), size);
      for (std::uint32_t g = 0; g < out.size(); ++g) {
        const std::uint32_t i = g % 128;
        std::uint32_t want = i * i;
        for (std::uint32_t k = 0; k < 5; ++k) want += (i + k) % 128 * ((i + k) % 128) + k;
        REQUIRE(out[g] == want);
      }
    }
  }
}

TEST_CASE("reads of push constants that were not set are faults") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint first, second; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  result[i] = first;
  if (i == 1000) { result[i] = second; }
  if (i < 32) { result[i] += second; }
})");
  for (const int size : {16, 32, 64}) {
    std::vector<std::uint32_t> out(64);
    CAPTURE(size);
    const DispatchSettings settings{.subgroup_size = size, .threads = 1};
    // Once for each subgroup that comes there.
    shader.bind(0, out).push(std::uint32_t{7});
    CHECK(shader.dispatch({1}, settings).faults == (size == 16 ? 2u : 1u));
    CHECK(out[0] == 7);
    shader.push(std::array<std::uint32_t, 2>{7, 5});
    CHECK(shader.dispatch({1}, settings).faults == 0);
    CHECK(out[0] == 12);
    CHECK(out[40] == 7);
  }
}

TEST_CASE("errors pass through machine code") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { uint out_[]; };
void main() { while (out_[0] == 0) { out_[1] += 1; } })");
  std::vector<std::uint32_t> out(2);
  shader.bind(0, out);
  CHECK_THROWS_AS(shader.dispatch({1}, {.threads = 1, .max_steps = 1000}), Error);
  CHECK_THROWS_WITH(shader.dispatch({1}, {.threads = 1, .max_steps = 1000}),
                    Catch::Contains("the loop does not end"));
}
