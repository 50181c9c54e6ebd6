#include <cstdint>
#include <string>

#include <catch2/catch.hpp>

#include "shader/front/compile.hpp"
#include "shader/front/module.hpp"
#include "shader/ir/steps.hpp"
#include "shader/lower/lower.hpp"
#include "shader/run/assemble.hpp"
#include "support/with_native.hpp"

/// \file
/// What passes do for a shader is in proportion to its size. It is counted, as times differ.

namespace {

namespace spirv = lockstep::spirv;

std::string shader_with(const std::string& functions, const std::string& body) {
  return "#version 460\nlayout(local_size_x = 32) in;\n"
         "layout(set = 0, binding = 0) buffer A { uint a[]; };\n" +
         functions + "void main() {\n  uint x = a[gl_GlobalInvocationID.x];\n" + body +
         "  a[gl_GlobalInvocationID.x] = x;\n}\n";
}

std::string blocks(int count) {
  std::string body;
  for (int k = 0; k < count; ++k) {
    const std::string n = std::to_string(k);
    body += "  if ((x & " + std::to_string(1 << k % 8) +
            "u) != 0u) { for (uint k = 0; k < (x & 3u); ++k) x += " + n + "u; }\n";
  }
  return shader_with("", body);
}

/// Functions each of which calls the one before it twice.
std::string calls(int depth) {
  std::string functions = "uint f0(uint x) { if (x > 9u) return x; return x * 3u + 1u; }\n";
  for (int k = 1; k <= depth; ++k) {
    const std::string before = "f" + std::to_string(k - 1);
    functions += "uint f" + std::to_string(k) + "(uint x) { return " + before + "(x) + " + before +
                 "(x + 1u); }\n";
  }
  return shader_with(functions, "  x = f" + std::to_string(depth) + "(x);\n");
}

/// Selections and loops side by side in one another.
std::string nested(int count) {
  std::string body;
  for (int k = 0; k < count; ++k)
    body +=
        "  for (uint i = 0; i < 3u; ++i) { if (x > i) { if (x > 7u) { x += 3u; for (uint j = 0; j "
        "< i; ++j) "
        "x ^= j; } else { x += a[i]; } } else { for (uint j = 0; j < x; ++j) { if (j == 5u) break; "
        "x += i; } } }\n";
  return shader_with("", body);
}

/// The steps of passes, and operations as lowered.
struct Work {
  std::uint64_t steps = 0, operations = 0;
};
Work work_of(const std::string& text, bool tangled) {
  spirv::CompileOptions options;
  options.validate = false;
  const spirv::Module module(spirv::compile_glsl(text, "large.comp", options).words, "large.comp");
  const spirv::Ir ir = spirv::lower(module, {});
  const std::uint64_t before = spirv::steps_of_passes;
  spirv::assemble(ir, 32, {.tangled = tangled});
  return {spirv::steps_of_passes - before, ir.ops.size()};
}

}  // namespace

TEST_CASE("passes over a shader of twice the size take twice as many steps") {
  struct Kind {
    const char* name;
    std::string (*text)(int);
    int small, large;
  };
  for (const Kind& kind : {Kind{"blocks", blocks, 500, 1000}, Kind{"calls", calls, 9, 10},
                           Kind{"nested", nested, 60, 120}}) {
    for (const bool tangled : {false, true}) {
      const Work small = work_of(kind.text(kind.small), tangled),
                 large = work_of(kind.text(kind.large), tangled);
      CAPTURE(kind.name, tangled, small.steps, large.steps, small.operations, large.operations);
      CHECK(large.operations > small.operations * 19 / 10);
      CHECK(small.steps > small.operations / 2);
      CHECK(large.steps < small.steps * 21 / 10);
      CHECK(large.steps < 40 * large.operations);
    }
  }
}
