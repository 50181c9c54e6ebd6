#include <lockstep/spirv/shader.hpp>

#include <catch2/catch.hpp>
#include <numeric>

#include <lockstep/exec/error.hpp>

#include "spirv/sizes.hpp"

using namespace lockstep;
using test::sizes;

namespace {

constexpr const char* scale = R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint scaled[]; };
layout(push_constant) uniform Push { uint factor; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  scaled[i] = values[i] * factor;
})";

std::vector<std::uint32_t> some(std::size_t count) {
  std::vector<std::uint32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(i * 2654435761u);
  return values;
}

}  // namespace

TEST_CASE("a shader runs on bound arrays") {
  auto shader = Shader::from_glsl(scale);
  const auto in = some(256);
  for (const int size : sizes) {
    std::vector<std::uint32_t> out(256, 1);
    const auto run = shader.bind(0, in)
                         .bind(1, out)
                         .push(std::uint32_t{5})
                         .dispatch({4}, {.subgroup_size = size, .threads = size % 2});
    CHECK(run.faults == 0);
    for (std::size_t i = 0; i < 256; ++i) REQUIRE(out[i] == in[i] * 5);
  }
}

TEST_CASE("a shader describes its interface") {
  const auto shader = Shader::from_glsl(scale);
  const ShaderInterface& wants = shader.interface();
  CHECK(wants.local_size == Size3{64, 1, 1});
  REQUIRE(wants.buffers.size() == 2);
  CHECK(wants.buffers[0].name == "In");
  CHECK_FALSE(wants.buffers[0].writable);
  CHECK(wants.buffers[1].binding == 1);
  CHECK(wants.buffers[1].writable);
  CHECK(wants.uses_push_constants);
}

TEST_CASE("accesses out of bounds of a buffer are faults") {
  auto shader = Shader::from_glsl(scale);
  const auto in = some(100);
  std::vector<std::uint32_t> out(128, 77);
  const auto run =
      shader.bind(0, in).bind(1, out).push(std::uint32_t{1}).dispatch({4}, {.threads = 1});
  CHECK(run.faults == 156 + 128);  // reads from 100 on, writes from 128 on
  REQUIRE(run.findings.count() == run.faults);
  REQUIRE(run.findings.findings().size() == 2);
  const Finding& first = run.findings.first();
  CHECK(first.rule == "out-of-bounds");
  CHECK(first.message == "read of byte 400 of In, which has 400 bytes");
  CHECK(first.access.kind == AccessKind::read);
  CHECK(first.access.object == MemoryObject{.kind = MemoryObject::Kind::buffer, .name = "In"});
  CHECK(first.access.index == 400);
  CHECK(first.access.size == 400);
  CHECK(first.workgroup == Size3{1, 0, 0});
  CHECK(first.subgroup == 1);
  CHECK(first.lanes == LaneSet::first_n(32));  // lanes 4 to 31 of its subgroup, all of later ones
  CHECK(first.count == 156);
  CHECK(first.where.line == 8);
  const Finding& second = run.findings.findings()[1];
  CHECK(second.access.kind == AccessKind::write);
  CHECK(second.access.object ==
        MemoryObject{.kind = MemoryObject::Kind::buffer, .binding = 1, .name = "Out"});
  CHECK(second.count == 128);
  for (std::size_t i = 0; i < 128; ++i) REQUIRE(out[i] == (i < 100 ? in[i] : 0));
}

TEST_CASE("errors of using a shader") {
  auto shader = Shader::from_glsl(scale);
  std::vector<std::uint32_t> in(64), out(64);
  CHECK_THROWS_WITH(shader.dispatch({1}), Catch::Contains("nothing is bound to set 0, binding "));
  shader.bind(0, in).bind(1, std::as_const(out));
  CHECK_THROWS_WITH(shader.dispatch({1}), Catch::Contains("binding 1 (Out) is written"));
  shader.bind(1, out);
  CHECK_THROWS_AS(shader.dispatch({1}, {.subgroup_size = 0}), Error);
  CHECK_THROWS_AS(shader.dispatch({1}, {.subgroup_size = 129}), Error);
}

TEST_CASE("specialization constants in array sizes and expressions") {
  ShaderOptions options;
  options.spec = {{0, 16}, {1, 3}, {2, 0.5}};
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint count = 7;
layout(constant_id = 2) const float half_ = 2.0;
const uint twice = count * 2u + 1u;
layout(set = 0, binding = 0) buffer Out { float o[]; };
shared float parts[twice];
void main() {
  if (gl_LocalInvocationIndex < twice) parts[gl_LocalInvocationIndex] = half_ * float(count);
  barrier();
  o[gl_GlobalInvocationID.x] = parts[gl_LocalInvocationIndex % twice] + float(parts.length());
})",
                                  options);
  CHECK(shader.interface().local_size == Size3{16, 1, 1});
  for (const int size : sizes) {
    std::vector<float> out(32);
    shader.bind(0, out).dispatch({2}, {.subgroup_size = size});
    for (const float f : out) REQUIRE(f == 1.5f + 7.0f);
  }
}

namespace {

/// A shader whose invocations count themselves; lines of modes and of constants come in.
std::string counting_shader(const std::string& modes, const std::string& constants) {
  return R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %out
)" + modes +
         R"(OpDecorate %size BuiltIn WorkgroupSize
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%three = OpTypeVector %uint 3
%block = OpTypeStruct %uint
%to_block = OpTypePointer StorageBuffer %block
%to_uint = OpTypePointer StorageBuffer %uint
%out = OpVariable %to_block StorageBuffer
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%four = OpConstant %uint 4
)" + constants +
         R"(%main = OpFunction %void None %main_type
%entry = OpLabel
%place = OpAccessChain %to_uint %out %zero
%before = OpAtomicIAdd %uint %place %one %zero %one
OpReturn
OpFunctionEnd
)";
}

}  // namespace

TEST_CASE("a constant WorkgroupSize wins over the execution modes, whatever it is") {
  const std::string ones = "%size = OpConstantComposite %three %one %one %one\n";
  const std::string spec =
      "%x = OpSpecConstant %uint 1\n%size = OpSpecConstantComposite %three %x %one %one\n";
  const std::string local = "OpExecutionMode %main LocalSize 4 2 1\n";
  const std::string by_ids = "OpExecutionModeId %main LocalSizeId %four %one %one\n";
  const auto count = [](const std::string& text, const ShaderOptions& options) {
    auto shader = Shader::from_assembly(text, options);
    std::vector<std::uint32_t> out(1);
    shader.bind(0, out).dispatch({1}, {.subgroup_size = 4});
    const Size3 size = shader.interface().local_size;
    CHECK(out[0] == size.x * size.y * size.z);
    return out[0];
  };
  CHECK(count(counting_shader(local, ones), {}) == 1);
  CHECK(count(counting_shader(by_ids, ones), {}) == 1);
  const std::string decorated = "OpDecorate %x SpecId 5\n";
  for (const std::string& mode : {local, by_ids}) {
    CHECK(count(counting_shader(mode + decorated, spec), {}) == 1);
    ShaderOptions options;
    options.spec = {{5, 3}};
    CHECK(count(counting_shader(mode + decorated, spec), options) == 3);
    options.spec = {{5, 1}};
    CHECK(count(counting_shader(mode + decorated, spec), options) == 1);
  }
}

TEST_CASE("compile errors have their line") {
  CHECK_THROWS_WITH(Shader::from_glsl("#version 460\nvoid main() { int i = x; }\n", {}, "a.comp"),
                    Catch::StartsWith("a.comp:2: 'x' : undeclared identifier"));
  CHECK_THROWS_WITH(Shader::from_assembly("OpCapability Shader\nOpFoo\n", {}, "a.spvasm"),
                    Catch::StartsWith("a.spvasm:2: "));
  CHECK_THROWS_WITH(Shader::from_words({1, 2, 3}, {}, "a.spv"),
                    Catch::StartsWith("a.spv: is not a SPIR-V module"));
  CHECK_THROWS_WITH(Shader::load("/nowhere/at/all.comp"), Catch::Contains("cannot be read"));
}
