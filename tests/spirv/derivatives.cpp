#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/descriptor_set.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/assembly.hpp"

/// \file
/// Derivatives in compute shaders: quads are where the shader says, under every mapping, and implicit levels of detail
/// follow from them.

using namespace lockstep;

namespace {

constexpr std::uint32_t wide = 6, high = 4, workgroup_size = wide * high;

const std::vector<Mapping>& mappings() {
  static const std::vector<Mapping> all = {
      Mapping::linear(),
      Mapping::reversed(),
      Mapping::shuffled(1),
      Mapping::shuffled(2),
      Mapping::quads(),
      Mapping::linear().filled(Mapping::Filling::even),
      Mapping::shuffled(3).filled(Mapping::Filling::random, 5),
  };
  return all;
}

/// Which invocations are the corners of an invocation's quad: left and right of the lower row, then of the upper.
struct Corners {
  std::uint32_t at[4];
};
Corners corners_of(bool blocks, std::uint32_t index) {
  if (!blocks) {
    const std::uint32_t first = index / 4 * 4;
    return {{first, first + 1, first + 2, first + 3}};
  }
  const std::uint32_t x = index % wide / 2 * 2, y = index / wide / 2 * 2;
  const std::uint32_t first = y * wide + x;
  return {{first, first + 1, first + wide, first + wide + 1}};
}
/// Which corner the invocation itself is.
std::uint32_t place_of(const Corners& corners, std::uint32_t index) {
  std::uint32_t k = 0;
  while (corners.at[k] != index) ++k;
  return k;
}

std::string shader(bool blocks, const std::string& declarations, const std::string& body) {
  return std::string(R"(#version 460
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 6, local_size_y = 4) in;
layout()") +
         (blocks ? "derivative_group_quadsNV" : "derivative_group_linearNV") + R"() in;
layout(set = 0, binding = 0) buffer In { float values[]; };
layout(set = 0, binding = 1) buffer Out { float results[]; };
)" + declarations +
         "void main() {\n  float v = values[gl_LocalInvocationIndex];\n  float r = 0.0;\n" + body +
         "\n  results[gl_LocalInvocationIndex] = r;\n}\n";
}

using Expected = std::function<float(const float (&)[4], std::uint32_t)>;

void check(const std::string& expression, const Expected& expected) {
  std::vector<float> in(workgroup_size);
  for (std::uint32_t k = 0; k < workgroup_size; ++k)
    in[k] = static_cast<float>(k * k % 17) * 3 - 11;
  for (const bool blocks : {true, false}) {
    auto s = Shader::from_glsl(shader(blocks, "", "r = " + expression + ";"));
    for (const int size : {4, 8, 12, 32, 128}) {
      for (const Mapping& mapping : mappings()) {
        std::vector<float> out(workgroup_size);
        s.bind(0, in).bind(1, out).dispatch({1}, {.subgroup_size = size, .mapping = mapping});
        for (std::uint32_t k = 0; k < workgroup_size; ++k) {
          const Corners corners = corners_of(blocks, k);
          const float values[4] = {in[corners.at[0]], in[corners.at[1]], in[corners.at[2]],
                                   in[corners.at[3]]};
          INFO(expression << (blocks ? ", blocks" : ", linear") << ", subgroups of " << size
                          << ", invocation " << k);
          REQUIRE(out[k] == expected(values, place_of(corners, k)));
        }
      }
    }
  }
}

float fine_x(const float (&v)[4], std::uint32_t k) { return k < 2 ? v[1] - v[0] : v[3] - v[2]; }
float fine_y(const float (&v)[4], std::uint32_t k) {
  return k % 2 == 0 ? v[2] - v[0] : v[3] - v[1];
}

}  // namespace

TEST_CASE("derivatives are differences in a quad") {
  check("dFdx(v)", fine_x);
  check("dFdy(v)", fine_y);
  check("dFdxFine(v)", fine_x);
  check("dFdyFine(v)", fine_y);
  check("fwidth(v)",
        [](const auto& v, auto k) { return std::fabs(fine_x(v, k)) + std::fabs(fine_y(v, k)); });
  check("fwidthFine(v)",
        [](const auto& v, auto k) { return std::fabs(fine_x(v, k)) + std::fabs(fine_y(v, k)); });
  check("dFdxCoarse(v)", [](const auto& v, auto) { return v[1] - v[0]; });
  check("dFdyCoarse(v)", [](const auto& v, auto) { return v[2] - v[0]; });
  check("fwidthCoarse(v)",
        [](const auto& v, auto) { return std::fabs(v[1] - v[0]) + std::fabs(v[2] - v[0]); });
  check("dFdx(vec3(1.0, v, 2.0 * v)).z", [](const auto& v, auto k) { return 2 * fine_x(v, k); });
}

TEST_CASE("quads of subgroup built-ins are those of derivatives") {
  auto s = Shader::from_glsl(R"(#version 460
#extension GL_NV_compute_shader_derivatives : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 6, local_size_y = 4) in;
layout(derivative_group_quadsNV) in;
layout(set = 0, binding = 0) buffer Out { uint results[]; };
void main() {
  results[gl_LocalInvocationIndex] = subgroupQuadSwapDiagonal(gl_LocalInvocationIndex);
})");
  for (const Mapping& mapping : mappings()) {
    std::vector<std::uint32_t> out(workgroup_size);
    s.bind(0, out).dispatch({1}, {.subgroup_size = 8, .mapping = mapping});
    for (std::uint32_t k = 0; k < workgroup_size; ++k) {
      const Corners corners = corners_of(true, k);
      REQUIRE(out[k] == corners.at[3 - place_of(corners, k)]);
    }
  }
}

// The coordinate grows by 1, 2, 4 or 8 texels from one invocation to the next, so the level is 0, 1, 2 or 3.
TEST_CASE("the level of detail follows from the quad, and its bias") {
  constexpr std::uint32_t levels = 4, extent = 8;
  std::vector<float> texels;
  for (std::uint32_t n = 0; n < levels; ++n)
    texels.insert(texels.end(), std::size_t{extent >> n} * (extent >> n), static_cast<float>(n));
  const Descriptor picture{.kind = Descriptor::Kind::texels,
                           .bytes = std::as_writable_bytes(std::span(texels)),
                           .format = ImageFormat::r32f,
                           .extent = {extent, extent, 1},
                           .levels = levels,
                           .sampler = Sampler{.mipmap_mode = Filter::linear, .max_lod = 100}};
  struct Case {
    std::string expression;
    float bias = 0;
    bool is_level_of_detail = false;  ///< and not limited to those that there are
  };
  const Case cases[] = {
      {"texture(picture, p).x"},
      {"texture(picture, p, 1.0).x", 1},
      {"texture(picture, p, -0.5).x", -0.5},
      {"textureOffset(picture, p, ivec2(1, 0)).x"},
      {"textureProj(picture, vec3(2.0 * p, 2.0)).x"},
      {"textureQueryLod(picture, p).x"},
      {"textureQueryLod(picture, p).y", 0, true},
  };
  for (const auto& [expression, bias, is_level_of_detail] : cases) {
    auto s = Shader::from_glsl(
        shader(true, "layout(set = 0, binding = 2) uniform sampler2D picture;\n",
               "vec2 p = vec2(gl_LocalInvocationID.xy) * v / 8.0;\nr = " + expression + ";"));
    for (int grows = -1; grows < 5; ++grows) {
      INFO(expression << ", 2^" << grows << " texels");
      std::vector<float> in(workgroup_size, std::exp2(static_cast<float>(grows))),
          out(workgroup_size);
      s.bind_descriptor(0, 2, picture);
      s.bind(0, in).bind(1, out).dispatch({1}, {.subgroup_size = 8});
      const float detail = static_cast<float>(grows) + bias;
      const float level =
          is_level_of_detail ? detail : std::fmin(std::fmax(detail, 0.0f), levels - 1.0f);
      for (const float r : out) REQUIRE(r == Approx(level));
    }
  }
}

TEST_CASE("a module may name the extension of derivatives as KHR does") {
  std::string text = test::one_buffer({.body = "%d = OpDPdx %float %float_one\n"
                                               "%bits = OpBitcast %uint %d\n"
                                               "OpStore %place %bits\n"});
  text.insert(text.find("OpMemoryModel"),
              "OpCapability ComputeDerivativeGroupLinearNV\n"
              "OpExtension \"SPV_KHR_compute_shader_derivatives\"\n");
  text.insert(text.find("OpDecorate"), "OpExecutionMode %main DerivativeGroupLinearNV\n");
  text.insert(text.find("%main = OpFunction"), "%float_one = OpConstant %float 1\n");
  std::vector<std::uint32_t> out(8, 7);
  Shader::from_assembly(text).bind(0, out).dispatch({1}, {.subgroup_size = 8});
  CHECK(out == std::vector<std::uint32_t>(8, 0));
}

TEST_CASE("a module with debug information of later ids runs") {
  std::string text = test::one_buffer({.body = "OpStore %place %i\n"});
  text.insert(text.find("OpMemoryModel"),
              "OpExtension \"SPV_KHR_non_semantic_info\"\n"
              "OpExtension \"SPV_KHR_relaxed_extended_instruction\"\n"
              "%notes = OpExtInstImport \"NonSemantic.Notes\"\n");
  // OpExtInstWithForwardRefsKHR
  text.insert(text.find("%main = OpFunction"), "OpNop !397649 %void %note %notes !1 %main\n");
  std::vector<std::uint32_t> out(8, 9);
  Shader::from_assembly(text).bind(0, out).dispatch({1}, {.subgroup_size = 8});
  CHECK(out == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("quads that do not exist are refused") {
  std::string row = test::one_buffer({.body = "OpStore %place %i\n"});  // 8 x 1 x 1
  row.insert(row.find("OpMemoryModel"), "OpCapability ComputeDerivativeGroupQuadsNV\n");
  row.insert(row.find("OpMemoryModel"), "OpExtension \"SPV_NV_compute_shader_derivatives\"\n");
  row.insert(row.find("OpDecorate"), "OpExecutionMode %main DerivativeGroupQuadsNV\n");
  CHECK_THROWS_WITH(Shader::from_assembly(row), Catch::Contains("8 x 1"));
  auto s = Shader::from_glsl(shader(false, "", "r = dFdx(v);"));
  std::vector<float> in(workgroup_size), out(workgroup_size);
  CHECK_THROWS_WITH(s.bind(0, in).bind(1, out).dispatch({1}, {.subgroup_size = 6}),
                    Catch::Contains("quads") && Catch::Contains("6"));
}
