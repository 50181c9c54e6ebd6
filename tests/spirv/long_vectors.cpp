#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/assembly.hpp"
#include "spirv/sizes.hpp"

// SPV_EXT_long_vector and SPV_EXT_replicated_composites, which Debian's tools do not know.

using namespace lockstep;

namespace {

/// %n, the length, and %vec, %flags and %reals, each made by the given instruction.
std::string vectors_of(std::uint32_t length, bool by_id) {
  return fmt::format(
      "%n = OpConstant %uint {1}\n%vec = {0} %uint {2}\n%flags = {0} %bool {2}\n%reals = {0} "
      "%float {2}\n",
      by_id ? "OpTypeVectorIdEXT" : "OpTypeVector", length, by_id ? "%n" : std::to_string(length));
}

/// %k0 to %k(n-1), the constants 3, 10, 17, ..., and %ks, a vector of them.
std::string constants(std::uint32_t length) {
  std::string text, all;
  for (std::uint32_t k = 0; k < length; ++k) {
    text += fmt::format("%k{} = OpConstant %uint {}\n", k, 3 + 7 * k);
    all += fmt::format(" %k{}", k);
  }
  return fmt::format("{}%ks = OpConstantComposite %vec{}\n", text, all);
}

std::vector<std::uint32_t> run(const std::string& text, int size = 8) {
  std::vector<std::uint32_t> out(8);
  Shader::from_assembly(text).bind(0, out).dispatch({1}, {.subgroup_size = size});
  return out;
}

constexpr std::uint32_t lengths[] = {1, 2, 5, 7, 16, 17, 33};

}  // namespace

TEST_CASE("arithmetic on vectors of any length is by component") {
  for (const std::uint32_t n : lengths) {
    for (const bool by_id : {false, true}) {
      CAPTURE(n, by_id);
      std::string reversed;
      for (std::uint32_t k = 0; k < n; ++k) reversed += fmt::format(" {}", 2 * n - 1 - k);
      const std::string text =
          test::with_long_vectors({.declarations = vectors_of(n, by_id) + constants(n),
                                   .body = R"(%all_i = OpCompositeConstructReplicateEXT %vec %i
%product = OpIMul %vec %ks %all_i
%sum = OpIAdd %vec %product %all_i
%least = OpExtInst %vec %std UMin %sum %ks
%turned = OpVectorShuffle %vec %least %sum)" +
                                           reversed + R"(
%less = OpULessThan %flags %sum %turned
%chosen = OpSelect %vec %less %sum %turned
%real = OpConvertUToF %reals %chosen
%root = OpExtInst %reals %std Sqrt %real
%whole = OpConvertFToU %vec %root
%which = OpUMod %uint %i %n
%one = OpVectorExtractDynamic %uint %whole %which
OpStore %place %one
)"});
      const std::vector<std::uint32_t> out = run(text);
      for (std::uint32_t i = 0; i < 8; ++i) {
        CAPTURE(i);
        const auto sum = [&](std::uint32_t k) { return (3 + 7 * k) * i + i; };
        const std::uint32_t k = i % n;
        // The shuffle takes all from its second operand, backwards.
        const std::uint32_t chosen = std::min(sum(k), sum(n - 1 - k));
        CHECK(out[i] == static_cast<std::uint32_t>(std::sqrt(static_cast<double>(chosen)) + 1e-9));
      }
    }
  }
}

TEST_CASE("a specialization constant gives a vector's length") {
  const std::string text = test::with_long_vectors({.declarations = R"(%n = OpSpecConstant %uint 5
%vec = OpTypeVectorIdEXT %uint %n
%seven = OpConstant %uint 7
%two = OpConstant %uint 2
%sevens = OpConstantCompositeReplicateEXT %vec %seven
%ns = OpSpecConstantCompositeReplicateEXT %vec %n
)",
                                                    .body = R"(%sum = OpIAdd %vec %sevens %ns
%where = OpUMod %uint %i %n
%twice = OpIMul %uint %i %two
%changed = OpVectorInsertDynamic %vec %sum %twice %where
%after = OpIAdd %uint %where %two
%other = OpUMod %uint %after %n
%a = OpVectorExtractDynamic %uint %changed %where
%b = OpVectorExtractDynamic %uint %changed %other
%hundred = OpIMul %uint %b %seven
%result = OpIAdd %uint %hundred %a
OpStore %place %result
)"});
  std::string decorated = text;
  decorated.insert(text.find("OpDecorate %block"), "OpDecorate %n SpecId 4\n");
  for (const std::uint32_t n : {5u, 3u, 12u, 100u}) {
    ShaderOptions options;
    options.spec = {{4, n}};
    std::vector<std::uint32_t> out(8);
    Shader::from_assembly(decorated, options).bind(0, out).dispatch({1});
    for (std::uint32_t i = 0; i < 8; ++i) {
      CAPTURE(n, i);
      CHECK(out[i] == (7 + n) * 7 + 2 * i);
    }
  }
}

TEST_CASE("subgroup operations take vectors of any length") {
  for (const std::uint32_t n : {5u, 16u, 33u}) {
    const std::string last = std::to_string(n - 1);
    const std::string text = test::with_long_vectors(
        {.declarations = vectors_of(n, false) + constants(n) + "%three = OpConstant %uint 3\n",
         .body = R"(%all_i = OpCompositeConstructReplicateEXT %vec %i
%values = OpBitwiseXor %vec %ks %all_i
%sums = OpGroupNonUniformIAdd %vec %three InclusiveScan %values
%first = OpCompositeExtract %uint %sums 0
%last = OpCompositeExtract %uint %sums )" +
                 last +
                 R"(
%times = OpIMul %uint %first %three
%result = OpIAdd %uint %times %last
OpStore %place %result
)"});
    for (const int size : test::sizes) {
      CAPTURE(n, size);
      const std::vector<std::uint32_t> out = run(text, size);
      std::uint32_t first = 0, final = 0;
      for (std::uint32_t i = 0; i < 8; ++i) {
        if (i % static_cast<std::uint32_t>(size) == 0) first = final = 0;
        first += 3u ^ i;
        final += (3 + 7 * (n - 1)) ^ i;
        CHECK(out[i] == first * 3 + final);
      }
    }
  }
}

TEST_CASE("vectors of any length in memory are their components one after the other") {
  constexpr std::uint32_t n = 5;
  const std::string text = test::with_long_vectors(
      {.element = "%uint",
       .declarations = vectors_of(n, false) + constants(n) + R"(%eight = OpConstant %uint 8
%shared_array = OpTypeArray %vec %eight
%to_shared_array = OpTypePointer Workgroup %shared_array
%to_shared = OpTypePointer Workgroup %vec
%to_shared_part = OpTypePointer Workgroup %uint
%shared_vectors = OpVariable %to_shared_array Workgroup
%to_local = OpTypePointer Function %vec
%to_local_part = OpTypePointer Function %uint
)",
       .locals = "%local = OpVariable %to_local Function\n",
       .body = R"(%all_i = OpCompositeConstructReplicateEXT %vec %i
%sum = OpIAdd %vec %ks %all_i
%mine = OpAccessChain %to_shared %shared_vectors %i
OpStore %mine %sum
%which = OpUMod %uint %i %n
%part = OpAccessChain %to_shared_part %shared_vectors %i %which
%one = OpLoad %uint %part
%again = OpLoad %vec %mine
OpStore %local %again
%local_part = OpAccessChain %to_local_part %local %which
%doubled = OpIAdd %uint %one %one
OpStore %local_part %doubled
%whole = OpLoad %vec %local
%result = OpVectorExtractDynamic %uint %whole %which
OpStore %place %result
)"});
  const std::vector<std::uint32_t> out = run(text, 4);
  for (std::uint32_t i = 0; i < 8; ++i) {
    CAPTURE(i);
    CHECK(out[i] == 2 * (3 + 7 * (i % n) + i));
  }
}

TEST_CASE("a buffer holds vectors of any length") {
  std::string text =
      test::with_long_vectors({.element = "%vec", .body = R"(%old = OpLoad %vec %place
%new = OpIAdd %vec %old %old
OpStore %place %new
)"});
  // The vector must come before the array of it.
  const std::string before = "%numbers = OpTypeRuntimeArray";
  text.replace(text.find(before), 0, "%vec = OpTypeVector %uint 7\n");
  text.replace(text.find("ArrayStride 4"), 13, "ArrayStride 28");
  std::vector<std::uint32_t> values(8 * 7);
  for (std::uint32_t k = 0; k < values.size(); ++k) values[k] = 3 * k + 1;
  Shader::from_assembly(text).bind(0, values).dispatch({1});
  for (std::uint32_t k = 0; k < values.size(); ++k) CHECK(values[k] == 2 * (3 * k + 1));
}

TEST_CASE("vectors without components, and lengths without the capability, are errors") {
  CHECK_THROWS_WITH(
      run(test::with_long_vectors({.declarations = "%none = OpTypeVectorIdEXT %uint %zero\n"})),
      Catch::EndsWith("OpTypeVectorIdEXT: is not a vector of 1 to 65536 scalars"));
  ModuleOptions unchecked;
  unchecked.validate = false;
  const Module without = Module::from_assembly(
      test::one_buffer({.declarations = "%long = OpTypeVector %uint 17\n"}), unchecked);
  CHECK_THROWS_WITH(Shader::from_module(without),
                    Catch::EndsWith("OpTypeVector: is not a vector of 2 to 16 scalars"));
  const std::string uneven = R"(%pair = OpTypeVector %uint 2
%five = OpTypeVector %uint 5
%two = OpConstantComposite %pair %zero %zero
%bad = OpConstantCompositeReplicateEXT %five %two
)";
  CHECK_THROWS_WITH(
      run(test::with_long_vectors({.declarations = uneven})),
      Catch::EndsWith("OpConstantCompositeReplicateEXT: has a part that does not fill its type"));
}

TEST_CASE("an image takes the first components of a long vector") {
  auto shader = Shader::from_assembly(R"(OpCapability Shader
OpCapability LongVectorEXT
OpExtension "SPV_EXT_long_vector"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %target DescriptorSet 0
OpDecorate %target Binding 0
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%uint2 = OpTypeVector %uint 2
%uint5 = OpTypeVector %uint 5
%k0 = OpConstant %uint 11
%k1 = OpConstant %uint 12
%k2 = OpConstant %uint 13
%k3 = OpConstant %uint 14
%k4 = OpConstant %uint 15
%zero = OpConstant %uint 0
%place = OpConstantComposite %uint2 %zero %zero
%value = OpConstantComposite %uint5 %k0 %k1 %k2 %k3 %k4
%image = OpTypeImage %uint 2D 0 0 0 2 Rgba32ui
%to_image = OpTypePointer UniformConstant %image
%target = OpVariable %to_image UniformConstant
%main = OpFunction %void None %main_type
%entry = OpLabel
%to = OpLoad %image %target
OpImageWrite %to %place %value
OpReturn
OpFunctionEnd
)");
  Image2D target(ImageFormat::rgba32ui, 1, 1);
  shader.bind_image(0, target).dispatch({1}, {.subgroup_size = 4});
  std::vector<std::uint32_t> words(4);
  std::memcpy(words.data(), target.bytes().data(), 16);
  CHECK(words == std::vector<std::uint32_t>{11, 12, 13, 14});
}
