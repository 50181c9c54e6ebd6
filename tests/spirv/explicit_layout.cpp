#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <lockstep/check/checker.hpp>
#include <lockstep/dispatch/device.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/assembly.hpp"
#include "spirv/sizes.hpp"

/// \file
/// Shared memory whose layout the shader declares (VK_KHR_workgroup_memory_explicit_layout): its blocks are views of the
/// same bytes.

using namespace lockstep;
using test::sizes;
using Uint = std::uint32_t;

namespace {

const std::string header = R"(#version 460
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Out { uint o[]; };
)";

/// What a shader with `header` writes.
std::vector<Uint> run(const std::string& text, int size, std::size_t words = 64) {
  std::vector<Uint> out(words);
  const auto ran =
      Shader::from_glsl(header + text).bind(0, out).dispatch({1}, {.subgroup_size = size});
  CHECK(ran.findings.findings().empty());
  return out;
}

/// The findings of all rules in one workgroup.
std::vector<std::string> rules_found(Shader shader) {
  std::vector<Uint> out(64);
  DispatchSettings settings{.subgroup_size = 32, .threads = 1};
  settings.checks = Checks::parse("");
  const auto ran = shader.bind(0, out).dispatch({1}, settings);
  INFO(ran.findings);
  std::vector<std::string> rules;
  for (const Finding& finding : ran.findings.findings()) rules.emplace_back(finding.rule);
  return rules;
}
std::vector<std::string> rules_found(const std::string& text) {
  return rules_found(Shader::from_glsl(header + text));
}

}  // namespace

TEST_CASE("blocks of shared memory are views of the same bytes") {
  for (const int size : sizes) {
    const auto out = run(R"(
shared Words { uint words[64]; } a;
shared Bytes { uint8_t bytes[256]; } b;
shared Halves { layout(offset = 8) uint16_t halves[4]; } c;
void main() {
  uint i = gl_LocalInvocationIndex;
  a.words[i] = i * 0x01020304u;
  barrier();
  uint sum = 0u;
  for (uint k = 0u; k < 4u; ++k) sum = sum * 256u + uint(b.bytes[(63u - i) * 4u + k]);
  o[i] = i == 0u ? uint(c.halves[3]) : sum;
})",
                         size);
    for (Uint i = 0; i < 64; ++i) {
      const Uint word = (63 - i) * 0x01020304u;
      const Uint expected = i == 0 ? 3 * 0x01020304u >> 16 : __builtin_bswap32(word);
      REQUIRE(out[i] == expected);
    }
  }
}

TEST_CASE("blocks of shared memory may have scalar layout") {
  // a at 0, b at 4 to 16, c from 16 on in steps of 12; under std430 b were at 16 and c in steps of 16.
  for (const int size : sizes) {
    const auto out = run(R"(
layout(scalar) shared Mixed { float a; vec3 b; vec3 c[16]; } mixed;
shared Words { uint words[64]; } raw;
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i == 0u) { mixed.a = 1.0; mixed.b = vec3(2.0, 3.0, 4.0); }
  if (i < 16u) mixed.c[i] = vec3(float(i), float(i) + 0.25, float(i) + 0.5);
  barrier();
  o[i] = raw.words[i];
})",
                         size);
    for (Uint i = 0; i < 52; ++i) {
      const Uint element = (i - 4) / 3, part = (i - 4) % 3;
      const float number = i < 4 ? static_cast<float>(i + 1)
                                 : static_cast<float>(element) + 0.25f * static_cast<float>(part);
      Uint bits;
      std::memcpy(&bits, &number, sizeof bits);
      REQUIRE(out[i] == bits);
    }
  }
}

TEST_CASE("views of shared memory are counted once against the device's limit") {
  const std::string text = header + R"(
shared Words { uint words[8000]; } a;
shared Wide { uvec4 vectors[1500]; } b;
void main() { a.words[7999] = b.vectors[0].x; })";
  auto shader = Shader::from_glsl(text);
  CHECK(shader.interface().shared_memory_bytes == 32000);
  CHECK_NOTHROW(shader.check(profile::lavapipe_8, 8, {1, 1, 1}));
}

TEST_CASE("explicit layouts, long vectors and replicated composites are features of a profile") {
  auto blocks = Shader::from_glsl(header + R"(
shared Words { uint words[8]; } a;
shared Bytes { uint8_t bytes[8]; } b;
shared Halves { uint16_t halves[8]; } c;
void main() { a.words[0] = uint(b.bytes[5]) + uint(c.halves[3]); })");
  CHECK(blocks.interface().needs.contain(
      Features{Feature::workgroup_memory_explicit_layout,
               Feature::workgroup_memory_explicit_layout_8_bit_access,
               Feature::workgroup_memory_explicit_layout_16_bit_access}));
  CHECK_NOTHROW(blocks.check(profile::nvidia, 32, {1, 1, 1}));
  CHECK_THROWS_WITH(
      blocks.check(profile::arm_16, 16, {1, 1, 1}),
      Catch::Contains("workgroupMemoryExplicitLayout, "
                      "workgroupMemoryExplicitLayout8BitAccess, "
                      "workgroupMemoryExplicitLayout16BitAccess, which profile arm_16 lacks"));
  auto vectors = Shader::from_assembly(test::with_long_vectors({}));
  CHECK_NOTHROW(vectors.check(profile::nvidia, 32, {1, 1, 1}));
  CHECK_THROWS_WITH(vectors.check(profile::amd_wave32, 32, {1, 1, 1}),
                    Catch::Contains("needs longVector, which profile amd_wave32 lacks"));
  CHECK_THROWS_WITH(vectors.check(profile::arm_16, 16, {1, 1, 1}),
                    Catch::Contains("needs longVector, shaderReplicatedComposites"));
}

TEST_CASE("what one view writes is defined in another") {
  CHECK(rules_found(R"(
shared Words { uint words[64]; } a;
shared Bytes { uint8_t bytes[256]; } b;
void main() {
  uint i = gl_LocalInvocationIndex;
  a.words[i] = i;
  barrier();
  o[i] = uint(b.bytes[4u * (63u - i)]);
})")
            .empty());
}

TEST_CASE("bytes that no view wrote are undefined in each") {
  CHECK(rules_found(R"(
shared Words { uint words[64]; } a;
shared Bytes { uint8_t bytes[256]; } b;
void main() {
  uint i = gl_LocalInvocationIndex;
  b.bytes[4u * i] = b.bytes[4u * i + 1u] = b.bytes[4u * i + 3u] = uint8_t(i);
  barrier();
  o[i] = a.words[63u - i];
})") == std::vector<std::string>{"uninitialised-shared"});
}

TEST_CASE("the initializer of one view initializes the bytes that it covers") {
  const auto found = [](const char* count) {
    return rules_found(Shader::from_assembly(test::zeroed_views(count)));
  };
  CHECK(found("%four").empty());
  CHECK(found("%eight") == std::vector<std::string>{"uninitialised-shared"});
}

TEST_CASE("views race where their bytes meet, and only there") {
  const std::string blocks = R"(
shared Words { uint words[64]; } a;
shared Bytes { uint8_t bytes[256]; } b;
void main() {
  uint i = gl_LocalInvocationIndex;
  a.words[i] = 0u; o[i] = 0u;
  barrier();
  )";
  CHECK(rules_found(blocks + "if (i < 32u) a.words[i] = i; else b.bytes[96u + i] = uint8_t(i); }")
            .empty());
  // Byte 127 is the last one of word 31.
  CHECK(
      rules_found(blocks + "if (i < 32u) a.words[i] = i; else b.bytes[95u + i] = uint8_t(i); }") ==
      std::vector<std::string>{"data-race"});
}
