#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// The functions of GL_INTEL_shader_integer_functions2, against plain arithmetic on wider numbers.

using namespace lockstep;

using Uint = std::uint32_t;

namespace {

using Wide = std::int64_t;

/// Numbers at the edges of both types, and some between.
std::vector<Uint> numbers() {
  std::vector<Uint> all{0,          1,          2,          3,          0x7ffffffe,
                        0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
  for (Uint k = 1; all.size() < 32; ++k) all.push_back(k * 0x9e3779b9u);
  return all;
}

/// What a shader makes of each pair of numbers.
std::vector<Uint> results_of(const std::string& expression) {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_INTEL_shader_integer_functions2 : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer In { uint numbers[32]; };
layout(binding = 1) buffer Out { uint o[]; };
void main() {
  uint a = numbers[gl_LocalInvocationIndex];
  for (uint k = 0u; k < 32u; ++k) {
    uint b = numbers[k];
    o[gl_LocalInvocationIndex * 32u + k] = )" +
                                  expression + ";\n  }\n}\n");
  std::vector<Uint> in = numbers(), out(32 * 32);
  shader.bind(0, in).bind(1, out).dispatch({1}, {.subgroup_size = 32});
  return out;
}

void check(const std::string& expression, const std::function<Uint(Uint, Uint)>& expected) {
  INFO(expression);
  const std::vector<Uint> in = numbers();
  for (const spirv::Target target : test::native_targets()) {
    const test::WithNative native(target);
    const std::vector<Uint> found = results_of(expression);
    for (std::size_t a = 0; a < in.size(); ++a) {
      for (std::size_t b = 0; b < in.size(); ++b) {
        if (found[a * 32 + b] == expected(in[a], in[b])) continue;
        CAPTURE(in[a], in[b]);
        REQUIRE(found[a * 32 + b] == expected(in[a], in[b]));
      }
    }
  }
  SUCCEED();
}

Wide of_int(Uint x) { return static_cast<std::int32_t>(x); }
Uint as_int(Wide x) {
  return static_cast<Uint>(std::clamp<Wide>(x, std::numeric_limits<std::int32_t>::min(),
                                            std::numeric_limits<std::int32_t>::max()));
}
Uint as_uint(Wide x) {
  return static_cast<Uint>(std::clamp<Wide>(x, 0, std::numeric_limits<Uint>::max()));
}
/// Halves are rounded down.
Wide half(Wide x) { return x < 0 ? -((1 - x) / 2) : x / 2; }

}  // namespace

TEST_CASE("saturating sums and differences") {
  check("addSaturate(a, b)", [](Uint a, Uint b) { return as_uint(Wide{a} + b); });
  check("uint(addSaturate(int(a), int(b)))",
        [](Uint a, Uint b) { return as_int(of_int(a) + of_int(b)); });
  check("subtractSaturate(a, b)", [](Uint a, Uint b) { return as_uint(Wide{a} - b); });
  check("uint(subtractSaturate(int(a), int(b)))",
        [](Uint a, Uint b) { return as_int(of_int(a) - of_int(b)); });
}

TEST_CASE("averages and absolute differences, also where the sum does not fit") {
  check("average(a, b)", [](Uint a, Uint b) { return as_uint(half(Wide{a} + b)); });
  check("uint(average(int(a), int(b)))",
        [](Uint a, Uint b) { return as_int(half(of_int(a) + of_int(b))); });
  check("averageRounded(a, b)", [](Uint a, Uint b) { return as_uint(half(Wide{a} + b + 1)); });
  check("uint(averageRounded(int(a), int(b)))",
        [](Uint a, Uint b) { return as_int(half(of_int(a) + of_int(b) + 1)); });
  check("absoluteDifference(a, b)",
        [](Uint a, Uint b) { return static_cast<Uint>(std::abs(Wide{a} - b)); });
  check("absoluteDifference(int(a), int(b))",
        [](Uint a, Uint b) { return static_cast<Uint>(std::abs(of_int(a) - of_int(b))); });
}

TEST_CASE("zeros before and after the bits of a number") {
  check("countLeadingZeros(a)",
        [](Uint a, Uint) { return static_cast<Uint>(std::countl_zero(a)); });
  check("countTrailingZeros(a)",
        [](Uint a, Uint) { return static_cast<Uint>(std::countr_zero(a)); });
  check("countTrailingZeros(uvec2(a, b)).y",
        [](Uint, Uint b) { return static_cast<Uint>(std::countr_zero(b)); });
}
