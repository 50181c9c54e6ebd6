#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/reflection.hpp>

#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <vector>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/spirv/shader.hpp>

#include "spirv/sizes.hpp"

/// \file
/// Modules and their entry points, and features that GLSL cannot express or that glslang rarely uses.

using namespace lockstep;
using test::sizes;
using Uint = std::uint32_t;

namespace {

/// A module that reads x from a buffer, and writes %result to another.
std::string module_of(const std::string& extensions, const std::string& globals,
                      const std::string& body) {
  return "OpCapability Shader\n" + extensions + R"(
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id %in %out
OpExecutionMode %main LocalSize 50 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride 4
OpDecorate %pointer_uint ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%uint3 = OpTypeVector %uint 3
%function = OpTypeFunction %void
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%pointer_block = OpTypePointer StorageBuffer %block
%pointer_uint = OpTypePointer StorageBuffer %uint
%pointer_input = OpTypePointer Input %uint3
%id = OpVariable %pointer_input Input
%in = OpVariable %pointer_block StorageBuffer
%out = OpVariable %pointer_block StorageBuffer
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%c3 = OpConstant %uint 3
%c10 = OpConstant %uint 10
)" + globals +
         R"(
%main = OpFunction %void None %function
%start = OpLabel
%ids = OpLoad %uint3 %id
%n = OpCompositeExtract %uint %ids 0
%from = OpAccessChain %pointer_uint %in %c0 %n
%to = OpAccessChain %pointer_uint %out %c0 %n
%x = OpLoad %uint %from
)" + body +
         R"(
OpStore %to %result
OpReturn
OpFunctionEnd
)";
}

Uint input(Uint i) { return (i * 37 + i / 7) % 23; }

template <class F>
void check(const std::string& text, F expected, int only_size = 0) {
  auto shader = Shader::from_assembly(text);
  std::vector<Uint> in(150), out(150);
  for (const int size : sizes) {
    if (only_size != 0 && size != only_size) continue;
    for (Uint i = 0; i < 150; ++i) in[i] = input(i);
    out.assign(150, 99);
    const auto run =
        shader.bind(0, in).bind(1, out).dispatch({3}, {.subgroup_size = size, .threads = 1});
    CHECK(run.faults == 0);
    INFO("subgroup size " << size);
    for (Uint i = 0; i < 150; ++i) {
      INFO("invocation " << i << ", x = " << in[i]);
      REQUIRE(out[i] == expected(input(i), i));
    }
  }
}

}  // namespace

TEST_CASE("phis of selections and loops, swapped ones as well") {
  check(module_of("", "", R"(
%small = OpULessThan %bool %x %c10
OpSelectionMerge %after None
OpBranchConditional %small %yes %no
%yes = OpLabel
%twice = OpIMul %uint %x %c2
OpBranch %after
%no = OpLabel
OpBranch %after
%after = OpLabel
%picked = OpPhi %uint %twice %yes %c3 %no
OpBranch %loop
%loop = OpLabel
%a = OpPhi %uint %picked %after %b %next
%b = OpPhi %uint %c1 %after %a %next
%k = OpPhi %uint %c0 %after %k1 %next
%more = OpULessThan %bool %k %x
OpLoopMerge %done %next None
OpBranchConditional %more %next %done
%next = OpLabel
%k1 = OpIAdd %uint %k %c1
OpBranch %loop
%done = OpLabel
%ten = OpIMul %uint %a %c10
%result = OpIAdd %uint %ten %b)"),
        [](Uint x, Uint) {
          Uint a = x < 10 ? x * 2 : 3, b = 1;
          for (Uint k = 0; k < x; ++k) std::swap(a, b);
          return a * 10 + b;
        });
}

TEST_CASE("unreachable blocks and undefined values") {
  check(module_of("", "%nothing = OpUndef %uint\n", R"(
%u = OpUndef %uint
%zero = OpBitwiseAnd %uint %u %c0
%one = OpBitwiseAnd %uint %nothing %c0
%odd = OpBitwiseAnd %uint %x %c1
OpSelectionMerge %after None
OpSwitch %odd %never 0 %even 1 %uneven
%even = OpLabel
OpBranch %after
%uneven = OpLabel
OpBranch %after
%never = OpLabel
OpUnreachable
%after = OpLabel
%p = OpPhi %uint %c2 %even %c3 %uneven
%sum = OpIAdd %uint %p %zero
%result = OpIAdd %uint %sum %one)"),
        [](Uint x, Uint) { return x % 2 == 0 ? 2u : 3u; });
}

TEST_CASE("pointers offset by indices of 16 and 64 bits") {
  check(module_of("OpCapability VariablePointers\nOpCapability Int16\nOpCapability Int64\n",
                  "%ushort = OpTypeInt 16 0\n%ulong = OpTypeInt 64 0\n", R"(
%first = OpAccessChain %pointer_uint %in %c0 %c0
%narrow = OpUConvert %ushort %x
%at_x = OpPtrAccessChain %pointer_uint %first %narrow
%of_x = OpLoad %uint %at_x
%wide = OpUConvert %ulong %n
%at_n = OpPtrAccessChain %pointer_uint %first %wide
%odd = OpBitwiseAnd %uint %n %c1
%wide_odd = OpUConvert %ulong %odd
%minus = OpSNegate %ulong %wide_odd
%at_even = OpPtrAccessChain %pointer_uint %at_n %minus
%of_even = OpLoad %uint %at_even
%product = OpIMul %uint %of_x %c10
%result = OpIAdd %uint %product %of_even)"),
        [](Uint x, Uint i) { return input(x) * 10 + input(i - i % 2); });
}

TEST_CASE("pointers that differ between lanes") {
  check(
      module_of("OpCapability VariablePointers\n", "", R"(
%odd = OpBitwiseAnd %uint %x %c1
%is_odd = OpIEqual %bool %odd %c1
%first = OpAccessChain %pointer_uint %in %c0 %c0
%chosen = OpSelect %pointer_uint %is_odd %from %first
%further = OpPtrAccessChain %pointer_uint %chosen %odd
%same = OpPtrEqual %bool %chosen %from
%flag = OpSelect %uint %same %c10 %c0
%v = OpLoad %uint %further
%result = OpIAdd %uint %v %flag)"),
      [](Uint x, Uint i) {
        const Uint at = x % 2 == 1 ? i + 1 : 0;
        // Only the first has itself for the first.
        const bool same = x % 2 == 1 || i == 0;
        return (at < 150 ? input(at) : 0) + (same ? 10 : 0);
      },
      32);
}

TEST_CASE("dot products of small integers") {
  const std::string extensions =
      "OpCapability DotProduct\nOpCapability DotProductInput4x8BitPacked\n"
      "OpExtension \"SPV_KHR_integer_dot_product\"\n";
  const auto byte = [](Uint v, Uint k) { return v >> (8 * k) & 255; };
  const auto signed_byte = [=](Uint v, Uint k) {
    return static_cast<int>(static_cast<std::int8_t>(byte(v, k)));
  };
  const std::string packed =
      "%big = OpConstant %uint 0x0fedcba9\n%top = OpConstant %int 0x7fffff00\n";
  const std::string spread = "%a = OpIMul %uint %x %big\n";
  check(module_of(extensions, packed,
                  spread + "%result = OpUDotKHR %uint %a %big PackedVectorFormat4x8BitKHR\n"),
        [=](Uint x, Uint) {
          Uint sum = 0;
          for (Uint k = 0; k < 4; ++k) sum += byte(x * 0x0fedcba9u, k) * byte(0x0fedcba9u, k);
          return sum;
        });
  check(module_of(extensions, packed, spread + R"(
%d = OpSDotKHR %int %a %big PackedVectorFormat4x8BitKHR
%result = OpBitcast %uint %d)"),
        [=](Uint x, Uint) {
          int sum = 0;
          for (Uint k = 0; k < 4; ++k)
            sum += signed_byte(x * 0x0fedcba9u, k) * signed_byte(0x0fedcba9u, k);
          return static_cast<Uint>(sum);
        });
  check(module_of(extensions, packed, spread + R"(
%d = OpSUDotAccSatKHR %int %a %big %top PackedVectorFormat4x8BitKHR
%result = OpBitcast %uint %d)"),
        [=](Uint x, Uint) {
          std::int64_t sum = 0x7fffff00;
          for (Uint k = 0; k < 4; ++k)
            sum += signed_byte(x * 0x0fedcba9u, k) * static_cast<int>(byte(0x0fedcba9u, k));
          return static_cast<Uint>(std::min<std::int64_t>(sum, 0x7fffffff));
        });
}

TEST_CASE("the Vulkan memory model's operations") {
  auto shader = Shader::from_glsl(R"(#version 460
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 48) in;
layout(set = 0, binding = 0) workgroupcoherent buffer Out { uint o[]; };
shared uint parts[48];
shared uint total;
void main() {
  uint i = gl_LocalInvocationIndex;
  atomicStore(parts[i], i * 3u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease);
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                 gl_SemanticsAcquireRelease);
  memoryBarrier(gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  uint other = atomicLoad(parts[47u - i], gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                          gl_SemanticsAcquire);
  atomicAdd(total, other, gl_ScopeWorkgroup, 0, 0);
  barrier();
  o[i] = other + total;
})");
  for (const int size : sizes) {
    std::vector<Uint> out(48);
    shader.bind(0, out).dispatch({1}, {.subgroup_size = size});
    Uint total = 0;
    for (Uint i = 0; i < 48; ++i) total += i * 3;
    for (Uint i = 0; i < 48; ++i) REQUIRE(out[i] == (47 - i) * 3 + total);
  }
}

TEST_CASE("structures are copied between layouts") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 4) in;
struct Inner { vec3 v; float w[2]; };
struct Outer { Inner inner; uint n; };
layout(std140, set = 0, binding = 0) buffer In { Outer a[4]; };
layout(scalar, set = 0, binding = 1) buffer Out { Outer b[4]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  Outer o = a[i];
  o.n += 1u;
  b[3u - i] = o;
})");
  // std140: v at 0, w at 16 and 32, n at 48, 64 bytes; scalar: 12 + 8 + 4 bytes.
  std::vector<float> in(64), out(24);
  for (Uint i = 0; i < 4; ++i) {
    for (Uint k = 0; k < 3; ++k) in[i * 16 + k] = static_cast<float>(i * 10 + k);
    in[i * 16 + 4] = static_cast<float>(i) + 0.25f;
    in[i * 16 + 8] = static_cast<float>(i) + 0.5f;
    reinterpret_cast<Uint&>(in[i * 16 + 12]) = i * 100;
  }
  CHECK(shader.bind(0, in).bind(1, out).dispatch({1}).faults == 0);
  for (Uint i = 0; i < 4; ++i) {
    const float* o = &out[(3 - i) * 6];
    for (Uint k = 0; k < 3; ++k) CHECK(o[k] == static_cast<float>(i * 10 + k));
    CHECK(o[3] == static_cast<float>(i) + 0.25f);
    CHECK(o[4] == static_cast<float>(i) + 0.5f);
    CHECK(reinterpret_cast<const Uint&>(o[5]) == i * 100 + 1);
  }
}

TEST_CASE("the ARB and EXT extensions of ballots and votes") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_shader_group_vote : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint r = uint(ballotARB(i % 3u == 0u));
  r += readFirstInvocationARB(i) * 1000u + readInvocationARB(i, 2u);
  if (anyInvocationARB(i == 5u)) r += 7u;
  if (allInvocationsARB(i < 40u)) r += 70u;
  if (allInvocationsEqualARB(i / 16u == 1u)) r += 700u;
  o[i] = r;
})");
  for (const Uint size : {8u, 16u, 32u}) {
    std::vector<Uint> out(64);
    shader.bind(0, out).dispatch({1}, {.subgroup_size = static_cast<int>(size)});
    for (Uint i = 0; i < 64; ++i) {
      const Uint first = i / size * size;
      Uint ballot = 0;
      bool any = false, all = true, equal = true;
      for (Uint k = 0; k < size; ++k) {
        if ((first + k) % 3 == 0) ballot |= 1u << k;
        any = any || first + k == 5;
        all = all && first + k < 40;
        equal = equal && ((first + k) / 16 == 1) == (first / 16 == 1);
      }
      const Uint want =
          ballot + first * 1000 + first + 2 + (any ? 7 : 0) + (all ? 70 : 0) + (equal ? 700 : 0);
      INFO("size " << size << ", invocation " << i);
      REQUIRE(out[i] == want);
    }
  }
}

TEST_CASE("clustered rotation from GLSL text") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_KHR_shader_subgroup_rotate : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uvec2 o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  o[i] = uvec2(subgroupClusteredRotate(i, 3u, 4u), subgroupRotate(i, 5u));
})");
  for (const Uint size : {4u, 8u, 32u, 64u}) {
    std::vector<Uint> out(128);
    shader.bind(0, out).dispatch({1}, {.subgroup_size = static_cast<int>(size)});
    for (Uint i = 0; i < 64; ++i) {
      REQUIRE(out[2 * i] == i / 4 * 4 + (i + 3) % 4);
      REQUIRE(out[2 * i + 1] == i / size * size + (i % size + 5) % size);
    }
  }
}

TEST_CASE("quad votes in assembly, which the assembler lacks") {
  const std::string extensions =
      "OpCapability GroupNonUniform\nOpCapability GroupNonUniformVote\n"
      "OpCapability GroupNonUniformQuad\nOpCapability QuadControlKHR\n"
      "OpExtension \"SPV_KHR_quad_control\"";
  for (const bool all : {true, false}) {
    const std::string text =
        module_of(extensions, "",
                  "%small = OpULessThan %bool %x %c10\n%vote = OpGroupNonUniformQuad" +
                      std::string(all ? "All" : "Any") +
                      "KHR %bool %small\n%result = OpSelect %uint %vote %c1 %c2");
    auto shader = Shader::from_assembly(text);
    std::vector<Uint> in(150), out(150);
    for (Uint i = 0; i < 150; ++i) in[i] = input(i);
    for (const int size : sizes) {
      shader.bind(0, in).bind(1, out).dispatch({3}, {.subgroup_size = size});
      const auto n = static_cast<Uint>(size);
      const auto quad_of = [&](Uint i) { return i % 50 / n * 1000 + i % 50 % n / 4; };
      for (Uint i = 0; i < 150; ++i) {
        bool vote = all;
        for (Uint other = i / 50 * 50; other < i / 50 * 50 + 50; ++other) {
          if (quad_of(other) != quad_of(i)) continue;
          vote = all ? vote && input(other) < 10 : vote || input(other) < 10;
        }
        CAPTURE(all, size, i);
        REQUIRE(out[i] == (vote ? 1 : 2));
      }
    }
  }
}

namespace {

/// Two entry points of one module, of different local sizes.
constexpr const char* two_entry_points = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %one "one" %out
OpEntryPoint GLCompute %two "two" %out
OpExecutionMode %one LocalSize 1 1 1
OpExecutionMode %two LocalSize 2 1 1
OpDecorate %array ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%pointer = OpTypePointer StorageBuffer %block
%pointer_uint = OpTypePointer StorageBuffer %uint
%out = OpVariable %pointer StorageBuffer
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%one = OpFunction %void None %function
%l1 = OpLabel
%p1 = OpAccessChain %pointer_uint %out %c0 %c0
OpStore %p1 %c1
OpReturn
OpFunctionEnd
%two = OpFunction %void None %function
%l2 = OpLabel
%p2 = OpAccessChain %pointer_uint %out %c0 %c1
OpStore %p2 %c2
OpReturn
OpFunctionEnd
)";

ModuleOptions target(const std::string& name) {
  ModuleOptions options;
  options.target = name;
  return options;
}

}  // namespace

TEST_CASE("a module with several entry points makes pipelines of each") {
  // Before SPIR-V 1.4 an entry point lists inputs only.
  std::string text = two_entry_points;
  for (std::size_t at; (at = text.find("\" %out")) != std::string::npos;) text.erase(at + 1, 5);
  const Module module = Module::from_assembly(text, target("vulkan1.1"), "two.spvasm");
  CHECK(module.name() == "two.spvasm");
  CHECK(module.entry_points() == std::vector<std::string>{"one", "two"});
  std::vector<Uint> out(2);
  DescriptorTable table;
  table.bind(0, out);
  const Pipeline one(module, {.entry = "one"}), two(module, {.entry = "two"});
  CHECK(one.interface().local_size.x == 1);
  CHECK(two.interface().local_size.x == 2);
  one.dispatch(table);
  CHECK(out == std::vector<Uint>{1, 0});
  two.dispatch(table);
  CHECK(out == std::vector<Uint>{1, 2});
  CHECK_THROWS_WITH(Pipeline(module),
                    "two.spvasm: has no compute entry point 'main'; it has 'one', 'two'");
}

TEST_CASE("the only entry point need not be named") {
  std::string text = two_entry_points;
  for (std::size_t at; (at = text.find("\" %out")) != std::string::npos;) text.erase(at + 1, 5);
  const std::string second = "OpEntryPoint GLCompute %two \"two\"\n";
  const std::string mode = "OpExecutionMode %two LocalSize 2 1 1\n";
  text.erase(text.find(second), second.size());
  text.erase(text.find(mode), mode.size());
  const Module module = Module::from_assembly(text, target("vulkan1.1"), "one.spvasm");
  std::vector<Uint> out(2);
  DescriptorTable table;
  table.bind(0, out);
  Pipeline(module).dispatch(table);
  CHECK(out == std::vector<Uint>{1, 0});
  CHECK(lockstep::reflect(module).entry == "one");
  Shader::from_module(module).bind(0, out).dispatch({1});
  CHECK_THROWS_WITH(Pipeline(module, {.entry = "two"}),
                    "one.spvasm: has no compute entry point 'two'; it has 'one'");
}

TEST_CASE("pipelines outlive their module") {
  std::optional<Module> module = Module::from_assembly(two_entry_points);
  std::optional<Pipeline> pipeline = Pipeline(*module, {.entry = "two"});
  module.reset();
  const Pipeline copy = *pipeline;
  pipeline.reset();
  std::vector<Uint> out(1);
  DescriptorTable table;
  table.bind(0, out);
  const auto run = copy.at_subgroup_size(8).dispatch(table);
  CHECK(run.faults == 1);
  CHECK(run.findings.first().access.size == 4);
}

TEST_CASE("the words of a module make an equal module") {
  const Module module = Module::from_glsl(R"(#version 460
#extension GL_EXT_maximal_reconvergence : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { uint results[]; };
void main() [[maximally_reconverges]] { results[gl_LocalInvocationIndex] = 5u; })");
  CHECK(module.words()[0] == 0x07230203);
  CHECK(Pipeline(module).interface().maximally_reconverges);
  const auto words = module.words();
  const Module again = Module::from_words({words.begin(), words.end()}, {}, "again.spv");
  CHECK(std::equal(words.begin(), words.end(), again.words().begin(), again.words().end()));
  std::vector<Uint> out(4);
  DescriptorTable table;
  table.bind(0, out);
  Pipeline(again).dispatch(table);
  CHECK(out == std::vector<Uint>(4, 5));
}

TEST_CASE("the error for a file that is not a module has its name") {
  CHECK_THROWS_WITH(Module::from_words({1, 2, 3}, {}, "a.spv"),
                    Catch::StartsWith("a.spv: is not a SPIR-V module"));
  CHECK_THROWS_WITH(Module::from_glsl("void main() {", {}, "b.comp"), Catch::StartsWith("b.comp:"));
  CHECK_THROWS_WITH(Module::load("/nowhere/at/all.comp"), Catch::Contains("cannot be read"));
}

TEST_CASE("inputs of other entry points are no obstacle") {
  auto shader = Shader::from_assembly(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %shade "main" %color
OpEntryPoint GLCompute %main "main"
OpExecutionMode %shade OriginUpperLeft
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %color Location 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%zero = OpConstant %uint 0
%seven = OpConstant %uint 7
%to_input = OpTypePointer Input %float
%color = OpVariable %to_input Input
%block = OpTypeStruct %uint
%to_block = OpTypePointer StorageBuffer %block
%to_uint = OpTypePointer StorageBuffer %uint
%out = OpVariable %to_block StorageBuffer
%shade = OpFunction %void None %function
%first = OpLabel
OpReturn
OpFunctionEnd
%main = OpFunction %void None %function
%second = OpLabel
%place = OpAccessChain %to_uint %out %zero
OpStore %place %seven
OpReturn
OpFunctionEnd
)");
  std::vector<std::uint32_t> out(1);
  shader.bind(0, out).dispatch({1});
  CHECK(out[0] == 7);
}

TEST_CASE("a finding has the column that the module tells") {
  std::string text = module_of("", "%c900 = OpConstant %uint 900", R"(
OpLine %file 12 34
%outside = OpIAdd %uint %n %c900
%beyond = OpAccessChain %pointer_uint %in %c0 %outside
%result = OpLoad %uint %beyond)");
  text.insert(text.find("OpDecorate %id"), "%file = OpString \"reads.hlsl\"\n");
  std::vector<Uint> in(50), out(50);
  const auto run = Shader::from_assembly(text).bind(0, in).bind(1, out).dispatch({1}, {});
  REQUIRE(run.faults == 50);
  const SourceLocation where = run.findings.first().where;
  CHECK(std::string(where.file) == "reads.hlsl");
  CHECK(where.line == 12);
  CHECK(where.column == 34);
}
