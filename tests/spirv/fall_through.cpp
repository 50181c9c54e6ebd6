#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

using namespace lockstep;
using Uint = std::uint32_t;

namespace {

/// The result of each of 8 invocations of a switch on its index.
std::vector<Uint> run(const std::string& cases) {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex, r = 0u;
  switch (i) {)" + cases + "}\n  o[i] = r;\n}");
  std::vector<Uint> out(8);
  shader.bind(0, out).dispatch({1}, {.subgroup_size = 8});
  return out;
}

}  // namespace

// glslang puts the default's block before those of the cases.
TEST_CASE("cases fall through into the default wherever it stands") {
  const auto last = run("case 2: r += 1u; case 5: r += 10u; default: r += 100u;");
  const auto middle = run("case 2: r += 1u; default: r += 10u; case 5: r += 100u;");
  const auto first =
      run("default: r += 1u; case 2: r += 10u; case 5: r += 100u; break; case 6: break;");
  for (Uint i = 0; i < 8; ++i) {
    INFO("invocation " << i);
    CHECK(last[i] == (i == 2 ? 111u : i == 5 ? 110u : 100u));
    CHECK(middle[i] == (i == 2 ? 111u : i == 5 ? 100u : 110u));
    CHECK(first[i] == (i == 6 ? 0u : i == 5 ? 100u : i == 2 ? 110u : 111u));
  }
}

TEST_CASE("cases fall through from inside selections and loops") {
  const auto out = run(R"(
    case 1: for (uint k = 0u; k < i + 2u; ++k) { r += 1u; if (k == 1u) continue; r += 2u; }
    default: if (i == 3u) break; else r += 10u;
    case 4: r += 100u;)");
  for (Uint i = 0; i < 8; ++i) {
    INFO("invocation " << i);
    CHECK(out[i] == (i == 1 ? 7u + 110u : i == 3 ? 0u : i == 4 ? 100u : 110u));
  }
}
