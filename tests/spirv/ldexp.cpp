#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include <lockstep/spirv/shader.hpp>

using namespace lockstep;

// SPIR-V has an ldexp with a 64-bit exponent, GLSL does not.
TEST_CASE("ldexp takes exponents of 64 bits") {
  auto shader = Shader::from_assembly(R"(
               OpCapability Shader
               OpCapability Int64
          %ext = OpExtInstImport "GLSL.std.450"
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %id %in %out
               OpExecutionMode %main LocalSize 8 1 1
               OpDecorate %id BuiltIn GlobalInvocationId
               OpDecorate %longs ArrayStride 8
               OpDecorate %floats ArrayStride 4
               OpDecorate %In Block
               OpDecorate %Out Block
               OpMemberDecorate %In 0 Offset 0
               OpMemberDecorate %Out 0 Offset 0
               OpDecorate %in DescriptorSet 0
               OpDecorate %in Binding 0
               OpDecorate %out DescriptorSet 0
               OpDecorate %out Binding 1
         %void = OpTypeVoid
           %fn = OpTypeFunction %void
         %uint = OpTypeInt 32 0
         %long = OpTypeInt 64 1
        %float = OpTypeFloat 32
        %uint3 = OpTypeVector %uint 3
       %p_id3 = OpTypePointer Input %uint3
        %p_id = OpTypePointer Input %uint
           %id = OpVariable %p_id3 Input
        %longs = OpTypeRuntimeArray %long
       %floats = OpTypeRuntimeArray %float
           %In = OpTypeStruct %longs
          %Out = OpTypeStruct %floats
         %p_In = OpTypePointer StorageBuffer %In
        %p_Out = OpTypePointer StorageBuffer %Out
       %p_long = OpTypePointer StorageBuffer %long
      %p_float = OpTypePointer StorageBuffer %float
           %in = OpVariable %p_In StorageBuffer
          %out = OpVariable %p_Out StorageBuffer
         %zero = OpConstant %uint 0
          %one = OpConstant %float -1.5
         %main = OpFunction %void None %fn
        %label = OpLabel
       %at_id = OpAccessChain %p_id %id %zero
            %i = OpLoad %uint %at_id
        %from = OpAccessChain %p_long %in %zero %i
     %exponent = OpLoad %long %from
       %result = OpExtInst %float %ext Ldexp %one %exponent
          %to = OpAccessChain %p_float %out %zero %i
               OpStore %to %result
               OpReturn
               OpFunctionEnd
)");
  const std::int64_t beyond = std::int64_t{1} << 32;
  const std::vector<std::int64_t> exponents{0,
                                            4,
                                            -3,
                                            beyond + 4,
                                            -beyond - 4,
                                            std::numeric_limits<std::int64_t>::max(),
                                            std::numeric_limits<std::int64_t>::min(),
                                            127};
  std::vector<float> results(8);
  shader.bind(0, exponents).bind(1, results).dispatch({1}, {.subgroup_size = 8});
  const float infinity = std::numeric_limits<float>::infinity();
  const float want[] = {-1.5f, -24.0f, -0.1875f, -infinity, -0.0f, -infinity, -0.0f, -0x1.8p127f};
  for (std::size_t k = 0; k < 8; ++k) {
    INFO("exponent " << exponents[k]);
    CHECK(results[k] == want[k]);
    CHECK(std::signbit(results[k]));
  }
}
