#include "spirv/native_check.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// Arrays and buffers in machine code give the same bits as without it.

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("elements of arrays by uniform and varying indices") {
  check(R"(
  uint of[4];
  for (uint k = 0; k < 4; ++k) { of[k] = k; }
  for (uint k = 0; k < 4; ++k) { if ((x >> k & 1u) == 0) { of[k] += x + of[(x + k) % 4]; } }
  result[i] = of[0] ^ of[1] * 3 ^ of[2] * 5 ^ of[3] * 7;
)",
        [](std::uint32_t x, std::uint32_t) {
          std::uint32_t of[4];
          for (std::uint32_t k = 0; k < 4; ++k) of[k] = k;
          for (std::uint32_t k = 0; k < 4; ++k) {
            if ((x >> k & 1u) == 0) of[k] += x + of[(x + k) % 4];
          }
          return of[0] ^ of[1] * 3 ^ of[2] * 5 ^ of[3] * 7;
        });
}

TEST_CASE("elements past the end of an inner array are neither read nor written") {
  check(R"(
  uint of[3][4];
  uvec2 pairs[3][4];
  for (uint k = 0; k < 4; ++k) {
    of[0][k] = 10 + k; of[1][k] = x + k; of[2][k] = 30 + k;
    pairs[0][k] = uvec2(50 + k); pairs[1][k] = uvec2(x, k + 60); pairs[2][k] = uvec2(70 + k);
  }
  uint at = (x + i) % 7;
  of[1][at] += 100;
  pairs[1][at].y += 200;
  uint sum = of[1][at] * 3 + pairs[1][at].x + pairs[1][at].y * 5;
  for (uint k = 0; k < 4; ++k) { sum += of[2][k] * (k + 1) + pairs[2][k].x * (k + 3); }
  result[i] = sum;
)",
        [](std::uint32_t x, std::uint32_t i) {
          const std::uint32_t at = (x + i) % 7;
          std::uint32_t sum = 0;
          if (at < 4) sum = (x + at + 100) * 3 + x + (at + 60 + 200) * 5;
          for (std::uint32_t k = 0; k < 4; ++k) sum += (30 + k) * (k + 1) + (70 + k) * (k + 3);
          return sum;
        });
}

TEST_CASE("elements by the x of an invocation in a workgroup of several rows") {
  constexpr std::uint32_t rows = 4, groups = 2;
  for (const std::uint32_t columns : {8u, 24u}) {
    const std::uint32_t each = columns * rows;
    const auto in = numbers();
    for (const spirv::Target target : native_targets()) {
      const WithNative native(target);
      auto shader =
          Shader::from_glsl("#version 460\nlayout(local_size_x = " + std::to_string(columns) +
                            R"(, local_size_y = 4) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
void main() {
  uint i = gl_WorkGroupID.x * gl_WorkGroupSize.x * gl_WorkGroupSize.y + gl_LocalInvocationIndex;
  result[i] = values[gl_LocalInvocationID.x] + values[gl_GlobalInvocationID.x + 3] * 5;
})");
      for (const int size : all_sizes) {
        std::vector<std::uint32_t> out(each * groups);
        shader.bind(0, in).bind(1, out).dispatch({groups}, {.subgroup_size = size});
        CAPTURE(name_of(target), size, columns);
        for (std::uint32_t i = 0; i < out.size(); ++i) {
          const std::uint32_t x = i % each % columns, global = x + i / each * columns;
          REQUIRE(out[i] == in[x] + in[global + 3] * 5);
        }
      }
    }
  }
}

TEST_CASE("elements written by an index and read by constants") {
  check(R"(
  uint of[4];
  of[0] = x; of[1] = i; of[2] = x ^ i; of[3] = 7;
  uint at = limit & 3u;
  of[at] = x * 3 + i;
  uint first = of[0];
  if (i % 3 == 1) { of[at + 1] += first; of[3] = of[1] * 5; }
  result[i] = of[0] + of[1] * 3 + of[2] * 5 + of[3] * 7;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t of[] = {x * 3 + i, i, x ^ i, 7};
          if (i % 3 == 1) {
            of[1] += of[0];
            of[3] = of[1] * 5;
          }
          return of[0] + of[1] * 3 + of[2] * 5 + of[3] * 7;
        });
}

TEST_CASE("scattered reads past the end of a buffer are faults") {
  constexpr std::uint32_t bound = 300;
  const std::vector<std::uint32_t> all(400, 9);
  const auto index = [](std::uint32_t i) {
    return i % 64 < 16 ? i * 37 % bound : bound - 20 + i * 7 % 40;
  };
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  result[i] = values[i % 64u < 16u ? i * 37u % 300u : 280u + i * 7u % 40u];
})");
  for (const int size : all_sizes) {
    std::vector<std::uint32_t> out(128, 77);
    const auto run = shader.bind(0, std::span(all).first(bound))
                         .bind(1, out)
                         .dispatch({1}, {.subgroup_size = size, .threads = 1});
    CAPTURE(size);
    std::uint64_t outside = 0;
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      outside += index(i) >= bound ? 1 : 0;
      REQUIRE(out[i] == (index(i) < bound ? 9u : 0u));
    }
    CHECK(run.faults == outside);
  }
}

TEST_CASE("consecutive reads past the end of a buffer are faults, wherever it ends") {
  const std::vector<std::uint32_t> all(400, 9);
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  result[i] = values[i + 1];
})");
    for (const int size : {16, 32, 64, 128}) {
      for (std::uint32_t bound = 254; bound < 259; ++bound) {
        std::vector<std::uint32_t> out(256, 77);
        const auto run = shader.bind(0, std::span(all).first(bound))
                             .bind(1, out)
                             .dispatch({2}, {.subgroup_size = size, .threads = 1});
        CAPTURE(name_of(target), size, bound);
        for (std::uint32_t i = 0; i < out.size(); ++i) REQUIRE(out[i] == (i + 1 < bound ? 9u : 0u));
        CHECK(run.faults == 257 - std::min(bound, 257u));
      }
    }
  }
}

TEST_CASE("elements by an index and consecutive reads in a loop") {
  check(R"(
  uint of[5];
  for (uint k = 0; k < 5; ++k) { of[k] = x + k; }
  for (uint k = 0; k < 12; ++k) {
    of[k % 5] = of[(k + 1) % 5] * 3 + values[i] + of[2];
    if (of[k % 5] % 11 == i % 11) break;
  }
  result[i] = of[0] ^ of[1] * 3 ^ of[2] * 5 ^ of[3] * 7 ^ of[4] * 9;
)",
        [](std::uint32_t x, std::uint32_t i) {
          std::uint32_t of[5];
          for (std::uint32_t k = 0; k < 5; ++k) of[k] = x + k;
          for (std::uint32_t k = 0; k < 12; ++k) {
            of[k % 5] = of[(k + 1) % 5] * 3 + x + of[2];
            if (of[k % 5] % 11 == i % 11) break;
          }
          return of[0] ^ of[1] * 3 ^ of[2] * 5 ^ of[3] * 7 ^ of[4] * 9;
        });
}

TEST_CASE("consecutive reads and writes past the end of a buffer are faults") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint next = values[i + 1];
  if (i % 2 == 1) result[i - 1] = next;
})");
  const auto in = numbers();
  for (const int size : all_sizes) {
    std::vector<std::uint32_t> out(in.size(), 77);
    const auto run =
        shader.bind(0, in).bind(1, out).dispatch({3}, {.subgroup_size = size, .threads = 1});
    CAPTURE(size);
    // 384 invocations: reads at 300 and behind, writes of odd lanes at 300 and behind.
    CHECK(run.faults == 85 + 42);
    for (std::uint32_t i = 0; i < in.size(); ++i)
      REQUIRE(out[i] == (i % 2 == 0 && i + 2 < in.size() ? in[i + 2] : i % 2 == 0 ? 0u : 77u));
  }
}
