#include "misuse/expect_error.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

/// \file
/// Mistakes of the host with a shader's arrays. As tests/misuse: docs/reference/misuse.md lists the test cases' names.

namespace {

using namespace lockstep;
using namespace lockstep::test;

Shader doubling() {
  return Shader::from_glsl(R"(#version 450
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer In { uint from[]; };
layout(binding = 2) buffer Out { uint to[]; };
void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i < from.length()) to[i] = 2u * from[i];
}
)",
                           {}, "doubling.comp");
}

TEST_CASE(
    "shader.bind(5, data); that the shader lacks => Error: doubling.comp has no binding 5: it has "
    "binding 0 (In), binding 2 (Out)") {
  std::vector<std::uint32_t> data(8);
  Shader shader = doubling();
  CHECK_THROWS_WITH(shader.bind(5, data), promised_error());
  CHECK_THROWS_WITH(shader.bind(1, 0, data), Catch::Contains("has no binding 0 in set 1"));
}

TEST_CASE(
    "shader.bind(0, floats); for uint[] => Error: doubling.comp: an array of float is bound to "
    "binding 0 (In), whose numbers are uint; bind_bytes binds anything") {
  std::vector<float> floats(8);
  std::vector<double> doubles(8);
  Shader shader = doubling();
  CHECK_THROWS_WITH(shader.bind(0, floats), promised_error());
  CHECK_THROWS_WITH(shader.bind(2, doubles), Catch::Contains("an array of double is bound"));
}

}  // namespace
