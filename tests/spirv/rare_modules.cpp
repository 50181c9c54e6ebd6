#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/assembly.hpp"
#include "spirv/sizes.hpp"
#include "support/with_native.hpp"

/// \file
/// What SPIR-V allows and compilers of GLSL do not write.

using namespace lockstep;

namespace {

std::vector<std::uint32_t> run(const std::string& text, int size) {
  std::vector<std::uint32_t> out(8);
  Shader::from_assembly(text).bind(0, out).dispatch({1}, {.subgroup_size = size});
  return out;
}

/// The text with `more` behind the first `after`.
std::string with(std::string text, std::string_view after, std::string_view more) {
  const std::size_t at = text.find(after);
  REQUIRE(at != std::string::npos);
  return text.insert(at + after.size(), more);
}

/// The half next to a float on the side of zero, by a search through all positive ones.
std::uint16_t half_towards_zero(float x) {
  if (std::isnan(x)) return 0x7e00;
  const auto value = [](std::uint32_t bits) {
    const std::uint32_t exponent = bits >> 10;
    return exponent == 0 ? std::ldexp(bits, -24)
                         : std::ldexp(1024 + (bits & 1023), static_cast<int>(exponent) - 25);
  };
  std::uint32_t best = 0;
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits)
    if (value(bits) <= std::abs(double{x})) best = bits;
  if (std::isinf(x)) best = 0x7c00;
  return static_cast<std::uint16_t>(best | (std::signbit(x) ? 0x8000u : 0));
}

}  // namespace

TEST_CASE("a conditional branch may lead to the same block either way") {
  const auto text = [](const char* condition) {
    return test::one_buffer({.declarations = R"(%true = OpConstantTrue %bool
%false = OpConstantFalse %bool
%nine = OpConstant %uint 9
%one = OpConstant %uint 1
)",
                             .body = fmt::format(R"(%even = OpBitwiseAnd %uint %i %one
%odd = OpINotEqual %bool %even %zero
OpSelectionMerge %end None
OpBranchConditional {} %both %both
%both = OpLabel
OpStore %place %nine
OpBranch %end
%end = OpLabel
)",
                                                 condition)});
  };
  for (const int size : {1, 3, 8}) {
    for (const char* condition : {"%true", "%false", "%odd"}) {
      INFO(condition << " at size " << size);
      CHECK(run(text(condition), size) == std::vector<std::uint32_t>(8, 9));
    }
  }
}

TEST_CASE("structures may be empty") {
  const std::string text = test::one_buffer({.declarations = R"(%empty = OpTypeStruct
%holder = OpTypeStruct %empty %uint %empty
%to_empty = OpTypePointer Function %empty
%to_holder = OpTypePointer Function %holder
%to_uint = OpTypePointer Function %uint
%one = OpConstant %uint 1
)",
                                             .locals = R"(%a = OpVariable %to_empty Function
%b = OpVariable %to_empty Function
%c = OpVariable %to_holder Function
)",
                                             .body = R"(%part = OpAccessChain %to_uint %c %one
OpStore %part %i
%value = OpLoad %empty %a
OpStore %b %value
OpCopyMemory %a %b
%whole = OpLoad %holder %c
%number = OpCompositeExtract %uint %whole 1
%none = OpCompositeExtract %empty %whole 2
OpStore %a %none
OpStore %place %number
)"});
  for (const int size : {1, 3, 8})
    CHECK(run(text, size) == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("undefined images and samplers do no harm until they are used") {
  const std::string text =
      test::one_buffer({.declarations = R"(%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampler = OpTypeSampler
%sampled = OpTypeSampledImage %image
)",
                        .body = R"(%u1 = OpUndef %image
%u2 = OpUndef %sampler
%u3 = OpUndef %sampled
%u4 = OpUndef %numbers
OpStore %place %i
)"});
  CHECK(run(text, 8) == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("a private variable may start as a pointer to shared memory") {
  std::string text =
      with(test::one_buffer({.declarations = R"(%to_shared = OpTypePointer Workgroup %uint
%to_pointer = OpTypePointer Private %to_shared
%shared = OpVariable %to_shared Workgroup
%private = OpVariable %to_pointer Private %shared
%seven = OpConstant %uint 7
)",
                             .body = R"(%pointer = OpLoad %to_shared %private
OpStore %pointer %seven
%value = OpLoad %uint %shared
OpStore %place %value
)"}),
           "\"main\" %input_index %out", " %shared %private");
  text = with(text, "OpCapability Shader\n", "OpCapability VariablePointers\n");
  for (const int size : {1, 8}) CHECK(run(text, size) == std::vector<std::uint32_t>(8, 7));
}

TEST_CASE("a stride of pointers to shared memory counts only with an explicit layout") {
  const auto text = [](bool explicit_layout) {
    std::string module =
        test::one_buffer({.declarations = R"(%nine = OpConstant %uint 9
%one = OpConstant %uint 1
%two = OpConstant %uint 2
%scope = OpConstant %uint 264
%row = OpTypeArray %uint %nine
%shared_block = OpTypeStruct %row
%to_all = OpTypePointer Workgroup %shared_block
%to_shared = OpTypePointer Workgroup %uint
%shared = OpVariable %to_all Workgroup
)",
                          .body = R"(%mine = OpAccessChain %to_shared %shared %zero %i
OpStore %mine %i
OpControlBarrier %two %two %scope
%next = OpPtrAccessChain %to_shared %mine %one
%inside = OpULessThan %bool %i %two
OpSelectionMerge %end None
OpBranchConditional %inside %read %end
%read = OpLabel
%value = OpLoad %uint %next
OpStore %place %value
OpBranch %end
%end = OpLabel
)"});
    module = with(module, "\"main\" %input_index %out", " %shared");
    module =
        with(module, "OpDecorate %block Block\n",
             explicit_layout
                 ? "OpDecorate %to_shared ArrayStride 8\nOpDecorate %row ArrayStride 4\n"
                   "OpDecorate %shared_block Block\nOpMemberDecorate %shared_block 0 Offset 0\n"
                 : "OpDecorate %to_shared ArrayStride 8\n");
    return with(module, "OpCapability Shader\n",
                explicit_layout ? "OpCapability VariablePointers\n"
                                  "OpCapability WorkgroupMemoryExplicitLayoutKHR\n"
                                  "OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"\n"
                                : "OpCapability VariablePointers\n");
  };
  for (const int size : {1, 8}) {
    CHECK(run(text(false), size) == std::vector<std::uint32_t>{1, 2, 0, 0, 0, 0, 0, 0});
    CHECK(run(text(true), size) == std::vector<std::uint32_t>{2, 3, 0, 0, 0, 0, 0, 0});
  }
}

TEST_CASE("conversions to half may round towards zero") {
  const std::string text = R"(OpCapability Shader
OpCapability StorageBuffer16BitAccess
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index %in %out
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %floats ArrayStride 4
OpDecorate %halves ArrayStride 2
OpDecorate %in_block Block
OpDecorate %out_block Block
OpMemberDecorate %in_block 0 Offset 0
OpMemberDecorate %out_block 0 Offset 0
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
OpDecorate %h FPRoundingMode RTZ
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%half = OpTypeFloat 16
%zero = OpConstant %uint 0
%floats = OpTypeRuntimeArray %float
%halves = OpTypeRuntimeArray %half
%in_block = OpTypeStruct %floats
%out_block = OpTypeStruct %halves
%to_in = OpTypePointer StorageBuffer %in_block
%to_out = OpTypePointer StorageBuffer %out_block
%to_float = OpTypePointer StorageBuffer %float
%to_half = OpTypePointer StorageBuffer %half
%to_index = OpTypePointer Input %uint
%index = OpVariable %to_index Input
%in = OpVariable %to_in StorageBuffer
%out = OpVariable %to_out StorageBuffer
%main = OpFunction %void None %function
%entry = OpLabel
%i = OpLoad %uint %index
%from = OpAccessChain %to_float %in %zero %i
%x = OpLoad %float %from
%h = OpFConvert %half %x
%to = OpAccessChain %to_half %out %zero %i
OpStore %to %h
OpReturn
OpFunctionEnd
)";
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> in{0,          -0.0F,     1,
                        1.0009F,    -1.0009F,  1.0004F,
                        65504,      65519,     65520,
                        65536,      -70000,    1e30F,
                        infinity,   -infinity, 6e-8F,
                        5.9e-8F,    -6e-8F,    1e-8F,
                        6.1035e-5F, 6.09e-5F,  0.1F,
                        -0.1F,      1.0F / 3,  2047.9F,
                        2049,       -4099,     std::numeric_limits<float>::quiet_NaN()};
  for (std::uint32_t k = static_cast<std::uint32_t>(in.size()); k < 64; ++k)
    in.push_back(std::ldexp(1.0F + static_cast<float>(k) / 77.0F, static_cast<int>(k) - 45));
  std::vector<std::uint16_t> expected;
  for (const float x : in) expected.push_back(half_towards_zero(x));
  for (const int size : test::sizes) {
    std::vector<std::uint16_t> out(64);
    Shader::from_assembly(text).bind(0, in).bind(1, out).dispatch({1}, {.subgroup_size = size});
    for (std::size_t k = 0; k < 64; ++k) {
      INFO(in[k] << " at size " << size);
      const bool is_nan = (out[k] & 0x7fff) > 0x7c00;
      if (std::isnan(in[k]))
        CHECK(is_nan);
      else
        CHECK(out[k] == expected[k]);
    }
  }
}

TEST_CASE("images may be accessed as nontemporal") {
  auto shader = Shader::from_assembly(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %source %target %index
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %index BuiltIn GlobalInvocationId
OpDecorate %source DescriptorSet 0
OpDecorate %source Binding 0
OpDecorate %target DescriptorSet 0
OpDecorate %target Binding 1
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%uint2 = OpTypeVector %uint 2
%uint3 = OpTypeVector %uint 3
%uint4 = OpTypeVector %uint 4
%image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%to_image = OpTypePointer UniformConstant %image
%to_input = OpTypePointer Input %uint3
%index = OpVariable %to_input Input
%source = OpVariable %to_image UniformConstant
%target = OpVariable %to_image UniformConstant
%main = OpFunction %void None %main_type
%entry = OpLabel
%place = OpLoad %uint3 %index
%texel = OpVectorShuffle %uint2 %place %place 0 1
%from = OpLoad %image %source
%to = OpLoad %image %target
%value = OpImageRead %uint4 %from %texel Nontemporal
OpImageWrite %to %texel %value Nontemporal
OpReturn
OpFunctionEnd
)");
  Image2D source(ImageFormat::r32ui, 8, 1), target(ImageFormat::r32ui, 8, 1);
  for (std::size_t k = 0; k < source.bytes().size(); ++k) source.bytes()[k] = std::byte(k * 7);
  for (const int size : {1, 4, 7, 8, 32, 128}) {
    for (std::byte& b : target.bytes()) b = std::byte{0};
    shader.bind_image(0, source).bind_image(1, target).dispatch({1}, {.subgroup_size = size});
    REQUIRE(std::equal(source.bytes().begin(), source.bytes().end(), target.bytes().begin()));
  }
}

// Compilers of GLSL read a variable again wherever it is named.
TEST_CASE("a value read before a loop stays while the loop changes the variable") {
  const std::string text = test::one_buffer({.declarations = R"(%one = OpConstant %uint 1
%three = OpConstant %uint 3
%to_local = OpTypePointer Function %uint
)",
                                             .locals = R"(%changing = OpVariable %to_local Function
%sum = OpVariable %to_local Function
)",
                                             .body = R"(%start = OpIAdd %uint %i %one
OpStore %changing %start
OpStore %sum %zero
%before = OpLoad %uint %changing
OpBranch %head
%head = OpLabel
%count = OpPhi %uint %zero %entry %more %next
OpLoopMerge %done %next None
OpBranch %test
%test = OpLabel
%again = OpULessThan %bool %count %three
OpBranchConditional %again %body %done
%body = OpLabel
%old_sum = OpLoad %uint %sum
%new_sum = OpIAdd %uint %old_sum %before
OpStore %sum %new_sum
%old = OpLoad %uint %changing
%new = OpIAdd %uint %old %old
OpStore %changing %new
OpBranch %next
%next = OpLabel
%more = OpIAdd %uint %count %one
OpBranch %head
%done = OpLabel
%all = OpLoad %uint %sum
%last = OpLoad %uint %changing
%both = OpIAdd %uint %all %last
OpStore %place %both
)"});
  const Convergence maximal;
  for (const spirv::Target target : test::native_targets()) {
    const test::WithNative native(target);
    for (const Convergence* rule : {static_cast<const Convergence*>(nullptr), &maximal}) {
      std::vector<std::uint32_t> out(8);
      Shader::from_assembly(text).bind(0, out).dispatch(
          {1}, {.subgroup_size = 8, .threads = 1, .convergence = rule});
      CAPTURE(name_of(target), rule != nullptr);
      for (std::uint32_t i = 0; i < out.size(); ++i) CHECK(out[i] == 3 * (i + 1) + 8 * (i + 1));
    }
  }
}
