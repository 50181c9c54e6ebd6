#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

using namespace lockstep;

// The sum may not be written to the array before the load, which may be of the same element.
TEST_CASE("a load through an index stays before a store to an element that it may read") {
  const std::string text = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %input_index %out
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %input_index BuiltIn LocalInvocationIndex
OpDecorate %numbers ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%four = OpConstant %uint 4
%numbers = OpTypeRuntimeArray %uint
%array = OpTypeArray %uint %four
%block = OpTypeStruct %numbers
%to_block = OpTypePointer StorageBuffer %block
%to_uint = OpTypePointer StorageBuffer %uint
%to_input = OpTypePointer Input %uint
%to_array = OpTypePointer Function %array
%to_element = OpTypePointer Function %uint
%input_index = OpVariable %to_input Input
%out = OpVariable %to_block StorageBuffer
%zero = OpConstant %uint 0
%three = OpConstant %uint 3
%hundred = OpConstant %uint 100
%main = OpFunction %void None %main_type
%entry = OpLabel
%values = OpVariable %to_array Function
%index = OpLoad %uint %input_index
%which = OpBitwiseAnd %uint %index %three
%first = OpAccessChain %to_element %values %zero
%chosen = OpAccessChain %to_element %values %which
OpStore %first %index
%sum = OpIAdd %uint %index %hundred
%old = OpLoad %uint %chosen
OpStore %first %sum
%new = OpLoad %uint %chosen
%product = OpIMul %uint %new %hundred
%result = OpIAdd %uint %product %old
%place = OpAccessChain %to_uint %out %zero %index
OpStore %place %result
OpReturn
OpFunctionEnd
)";
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
