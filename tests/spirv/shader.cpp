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

TEST_CASE("a shader says what it wants") {
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

TEST_CASE("accesses outside a buffer are faults") {
  auto shader = Shader::from_glsl(scale);
  const auto in = some(100);
  std::vector<std::uint32_t> out(128, 77);
  const auto run =
      shader.bind(0, in).bind(1, out).push(std::uint32_t{1}).dispatch({4}, {.threads = 1});
  CHECK(run.faults == 156 + 128);  // reads from 100 on, writes from 128 on
  REQUIRE_FALSE(run.first.empty());
  CHECK_FALSE(run.first[0].write);
  CHECK(run.first[0].what == "In");
  CHECK(run.first[0].byte == 400);
  CHECK(run.first[0].size == 400);
  CHECK(run.first[0].workgroup == Size3{1, 0, 0});
  CHECK(run.first[0].subgroup == 1);
  CHECK(run.first[0].lane == 4);
  CHECK(run.first[0].where.line == 8);
  for (std::size_t i = 0; i < 128; ++i) REQUIRE(out[i] == (i < 100 ? in[i] : 0));
}

TEST_CASE("wrong use of a shader is told") {
  auto shader = Shader::from_glsl(scale);
  std::vector<std::uint32_t> in(64), out(64);
  CHECK_THROWS_WITH(shader.dispatch({1}), Catch::Contains("nothing is bound to set 0, binding "));
  shader.bind(0, in).bind(1, std::as_const(out));
  CHECK_THROWS_WITH(shader.dispatch({1}), Catch::Contains("binding 1 (Out) is written"));
  shader.bind(1, out);
  CHECK_THROWS_AS(shader.dispatch({1}, {.subgroup_size = 0}), Error);
  CHECK_THROWS_AS(shader.dispatch({1}, {.subgroup_size = 129}), Error);
}

TEST_CASE("specialization constants reach sizes and arithmetic") {
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

TEST_CASE("what does not compile is told with its line") {
  CHECK_THROWS_WITH(Shader::from_glsl("#version 460\nvoid main() { int i = x; }\n", {}, "a.comp"),
                    Catch::StartsWith("a.comp:2: 'x' : undeclared identifier"));
  CHECK_THROWS_WITH(Shader::from_assembly("OpCapability Shader\nOpFoo\n", {}, "a.spvasm"),
                    Catch::StartsWith("a.spvasm:2: "));
  CHECK_THROWS_WITH(Shader::from_words({1, 2, 3}, {}, "a.spv"),
                    Catch::StartsWith("a.spv: is no SPIR-V module"));
  CHECK_THROWS_WITH(Shader::load("/nowhere/at/all.comp"), Catch::Contains("cannot be read"));
}
