#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "spirv/assembly.hpp"
#include "walker/judged.hpp"

/// \file
/// Shared memory with an explicit layout, whose blocks are views of the same bytes.

using namespace lockstep;

namespace {

const std::string header = R"(#version 460
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 16) in;
layout(std430, set = 0, binding = 0) buffer Out { uint o[]; };
)";

walker_test::Seen compare(const std::string& text, int size) {
  walker_test::Shader shader{.text = header + text, .subgroup_size = size};
  shader.buffers = {std::vector<std::byte>(64 * sizeof(std::uint32_t))};
  return walker_test::compare(shader);
}

}  // namespace

TEST_CASE("views of shared memory are walked and judged") {
  for (const int size : {1, 3, 8, 16, 32}) {
    const auto seen = compare(R"(
struct Item { uint8_t tag; f16vec3 half3; mat2 m; };
layout(scalar) shared Items { Item items[16]; } a;
shared Words { uint words[112]; } b;
layout(row_major, std430) shared Rows { layout(offset = 16) mat3 m[2]; uint64_t wide[4]; } c;
void main() {
  uint i = gl_LocalInvocationIndex;
  for (uint k = i; k < 112u; k += 16u) b.words[k] = k * 0x01030507u;
  barrier();
  a.items[i].tag = uint8_t(i + 1u);
  a.items[i].half3.y = float16_t(i);
  barrier();
  o[i] = b.words[7u * i];
  o[16u + i] = b.words[7u * i + 1u] ^ floatBitsToUint(c.m[i % 2u][i % 3u][2]);
  o[32u + i] = uint(c.wide[i % 4u] >> 24u);
  o[48u + i] = floatBitsToUint(a.items[15u - i].m[1][0]) + uint(a.items[i].tag);
})",
                              size);
    CHECK(seen.equal == 64);
  }
}

TEST_CASE("what no view initialized is undefined for the walk, too") {
  for (const int size : {1, 3, 8}) {
    walker_test::Shader shader{.text = test::zeroed_views("%eight"), .subgroup_size = size};
    shader.buffers = {std::vector<std::byte>(8 * sizeof(std::uint32_t))};
    const auto seen = walker_test::compare(shader);
    CHECK(seen.equal == 4);
    CHECK(seen.undefined == 4);
  }
}

TEST_CASE("what one view wrote a part of is undefined in another") {
  for (const int size : {1, 3, 32}) {
    const auto seen = compare(R"(
shared All { uint words[64]; } b;
shared Halves { uint16_t halves[128]; } c;
void main() {
  uint i = gl_LocalInvocationIndex;
  c.halves[32u + i] = uint16_t(i);
  if (i < 3u) c.halves[64u + 2u * i] = uint16_t(i);
  barrier();
  for (uint k = i; k < 64u; k += 16u) o[k] = b.words[k];
})",
                              size);
    CHECK(seen.equal == 8);  // of two halves each
    CHECK(seen.undefined == 56);
  }
}
