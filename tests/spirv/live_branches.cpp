#include "shader/run/live_branches.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

#include "shader/front/compile.hpp"
#include "shader/front/module.hpp"
#include "shader/lower/lower.hpp"
#include "support/with_native.hpp"

using namespace lockstep;

namespace {

std::string branching_shader(const std::string& functions, const std::string& body) {
  return R"(#version 460
layout(local_size_x = 8) in;
layout(constant_id = 0) const int mode = 3;
layout(constant_id = 1) const bool on = true;
layout(set = 0, binding = 0) buffer A { uint a[]; };
)" + functions +
         "void main() {\n  uint i = gl_GlobalInvocationID.x;\n" + body + "}\n";
}

/// What is left of a shader.
spirv::Ir live_part(const std::string& functions, const std::string& body) {
  const spirv::Module module(
      spirv::compile_glsl(branching_shader(functions, body), "live.comp", {}).words, "live.comp");
  return spirv::with_live_branches(spirv::lower(module, {}));
}
auto count_of(const spirv::Ir& ir, spirv::Code code) {
  return std::ranges::count_if(ir.ops, [&](const spirv::Op& op) { return op.code == code; });
}
/// How many constructs there are.
auto constructs_of(const spirv::Ir& ir) {
  return count_of(ir, spirv::Code::if_begin) + count_of(ir, spirv::Code::switch_begin) +
         count_of(ir, spirv::Code::loop_begin);
}

}  // namespace

TEST_CASE("of a branch that constants decide only the side that lanes take is left") {
  const spirv::Ir side = live_part("", "if (on) a[i] = 1; else { a[i] = 2; a[i + 8] = 3; }");
  CHECK(count_of(side, spirv::Code::store) == 1);
  CHECK(constructs_of(side) == 0);
  const spirv::Ir other =
      live_part("", "if (mode == 2) { a[i] = 1; a[i + 8] = 2; } else if (mode > 7) a[i] = 3;");
  CHECK(count_of(other, spirv::Code::store) == 0);
  CHECK(constructs_of(other) == 0);
  const spirv::Ir one =
      live_part("",
                "switch (mode) { case 1: a[i] = 1; break; case 3: a[i] = 2; break; "
                "default: a[i] = 3; a[i + 8] = 4; }");
  CHECK(count_of(one, spirv::Code::store) == 1);
  CHECK(constructs_of(one) == 0);
  const spirv::Ir rest =
      live_part("", "switch (mode) { case 1: a[i] = 1; break; default: a[i] = 3; a[i + 8] = 4; }");
  CHECK(count_of(rest, spirv::Code::store) == 2);
  const spirv::Ir through =
      live_part("",
                "switch (mode) { case 1: a[i] = 1; case 3: a[i] = 2; case 4: a[i] += 3; break; "
                "case 5: a[i] = 4; }");
  CHECK(count_of(through, spirv::Code::store) == 2);
  CHECK(constructs_of(through) == 0);
  CHECK(count_of(live_part("", "switch (mode) { case 1: a[i] = 1; }"), spirv::Code::store) == 0);
}

TEST_CASE("functions that return a constant decide branches") {
  const std::string kind =
      "int kind() { switch (mode) { case 1: case 2: return 5; case 3: if (on) return 6; } return "
      "7; }\n"
      "int twice() { return kind() * 2; }\n"
      "bool is_six(int k) { if (k == 6) return true; return false; }\n";
  const std::string stores =
      " { case 5: a[i] = 1; break; case 6: a[i] = 2; break; case 12: a[i] = 3; }";
  for (const char* selector : {"kind()", "twice()", "is_six(kind()) ? 5 : 9"}) {
    CAPTURE(selector);
    const spirv::Ir ir = live_part(kind, std::string("switch (") + selector + ")" + stores);
    CHECK(count_of(ir, spirv::Code::store) == 1);
  }
  // Here lanes return several constants.
  const spirv::Ir several =
      live_part("int f(uint n) { if (n > 3) return 5; return 6; }\n", "switch (f(i))" + stores);
  CHECK(count_of(several, spirv::Code::store) == 3);
}

TEST_CASE("a variable decides branches only where all lanes have written it") {
  CHECK(count_of(live_part("", "int m = mode; if (m == 3) a[i] = 1; else a[i] = 2;"),
                 spirv::Code::store) == 1);
  CHECK(count_of(
            live_part("", "int m = mode; if (i > 3) m = 4; if (m == 3) a[i] = 1; else a[i] = 2;"),
            spirv::Code::store) == 2);
  CHECK(count_of(
            live_part(
                "int m = 0;\n",
                "for (uint k = 0; k < i; ++k) { if (m == 3) a[i] = 1; else a[i] = 2; m = mode; }"),
            spirv::Code::store) == 2);
  CHECK(count_of(live_part("int m;\n", "if (i > 3) m = mode; if (m == 3) a[i] = 1; else a[i] = 2;"),
                 spirv::Code::store) == 2);
  CHECK(count_of(live_part("int m;\n",
                           "for (uint k = 0; k < 3; ++k) { if (k == i) continue; m = mode; } "
                           "if (m == 3) a[i] = 1; else a[i] = 2;"),
                 spirv::Code::store) == 2);
}

TEST_CASE("loops keep their tests and jumps") {
  const spirv::Ir leaves =
      live_part("", "for (uint k = 0; k < i; ++k) { a[i] = k; if (on) break; a[i] = 9; }");
  CHECK(count_of(leaves, spirv::Code::loop_test) == 1);
  CHECK(count_of(leaves, spirv::Code::leave_loop) == 1);
  CHECK(constructs_of(leaves) == 2);
  const spirv::Ir inner =
      live_part("",
                "for (uint k = 0; k < i; ++k) { switch (mode) { case 3: if (k > 2) "
                "continue; a[i] = 1; break; "
                "case 4: a[i] = 2; } a[i] += 3; }");
  CHECK(count_of(inner, spirv::Code::store) == 2);
  CHECK(count_of(inner, spirv::Code::switch_begin) == 1);
}

TEST_CASE("shaders whose branches constants decide compute the same") {
  const std::string functions =
      "uint pick(uint x) {\n"
      "  switch (mode) {\n"
      "    case 0: return x + 1u;\n"
      "    case 1: x *= 3u;\n"
      "    case 2: for (uint k = 0; k < 5; ++k) { if (k == x % 4u) continue; if (on && k > 3u) "
      "break; x += k; } return x;\n"
      "    case 3: if (on) { if (x > 4u) return 7u; } else return 8u; break;\n"
      "    default: x = 100u;\n"
      "  }\n"
      "  return x + 50u;\n"
      "}\n";
  const auto expected = [](std::uint32_t x, int mode, bool on) -> std::uint32_t {
    if (mode == 0) return x + 1;
    if (mode == 1) x *= 3;
    if (mode == 1 || mode == 2) {
      for (std::uint32_t k = 0; k < 5; ++k) {
        if (k == x % 4) continue;
        if (on && k > 3) break;
        x += k;
      }
      return x;
    }
    if (mode == 3) {
      if (!on) return 8;
      if (x > 4) return 7;
    } else {
      x = 100;
    }
    return x + 50;
  };
  for (const spirv::Target target : test::native_targets()) {
    const test::WithNative native(target);
    for (int mode = -1; mode < 6; ++mode) {
      for (const bool on : {false, true}) {
        CAPTURE(name_of(target), mode, on);
        ShaderOptions options;
        options.spec = {{0, mode}, {1, on ? 1 : 0}};
        std::vector<std::uint32_t> a(24);
        Shader::from_glsl(branching_shader(functions, "a[i] = pick(i) + pick(i + 3u) * 1000u;"),
                          options)
            .bind(0, a)
            .dispatch({3});
        for (std::uint32_t i = 0; i < a.size(); ++i)
          CHECK(a[i] == expected(i, mode, on) + expected(i + 3, mode, on) * 1000);
      }
    }
  }
}
