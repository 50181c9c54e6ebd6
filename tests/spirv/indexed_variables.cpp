#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

#include "spirv/assembly.hpp"

using namespace lockstep;

// The sum may not be written to the array before the load, which may be of the same element.
TEST_CASE("a load by an index stays before a store to an element that it may read") {
  const std::string text = test::one_buffer({.declarations = R"(%four = OpConstant %uint 4
%array = OpTypeArray %uint %four
%to_array = OpTypePointer Function %array
%to_part = OpTypePointer Function %uint
%three = OpConstant %uint 3
%hundred = OpConstant %uint 100
)",
                                             .locals = "%values = OpVariable %to_array Function\n",
                                             .body = R"(%which = OpBitwiseAnd %uint %i %three
%first = OpAccessChain %to_part %values %zero
%chosen = OpAccessChain %to_part %values %which
OpStore %first %i
%sum = OpIAdd %uint %i %hundred
%old = OpLoad %uint %chosen
OpStore %first %sum
%new = OpLoad %uint %chosen
%product = OpIMul %uint %new %hundred
%result = OpIAdd %uint %product %old
OpStore %place %result
)"});
  auto shader = Shader::from_assembly(text);
  for (const int size : {1, 4, 8, 32}) {
    std::vector<std::uint32_t> out(8);
    shader.bind(0, out).dispatch({1}, {.subgroup_size = size});
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      CAPTURE(size, i);
      CHECK(out[i] == (i % 4 == 0 ? (i + 100) * 100 + i : 0));
    }
  }
}

TEST_CASE("a function's second result is stored in an element that nothing else selects") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { float results[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float whole[2];
  whole[0] = 0.25;
  whole[1] = 0.5;
  float part = modf(float(i) + 0.125, whole[i & 1u]);
  results[i] = part + whole[0] * 100.0 + whole[1] * 10000.0;
})");
  for (const int size : {1, 4, 8, 32}) {
    std::vector<float> out(8);
    shader.bind(0, out).dispatch({1}, {.subgroup_size = size});
    for (std::size_t i = 0; i < out.size(); ++i) {
      CAPTURE(size, i);
      const auto whole = static_cast<float>(i);
      CHECK(out[i] == 0.125f + (i % 2 == 0 ? whole * 100 + 5000 : 25 + whole * 10000));
    }
  }
}
