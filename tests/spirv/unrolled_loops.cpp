#include "shader/run/unrolled_loops.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "shader/front/compile.hpp"
#include "shader/front/module.hpp"
#include "shader/lower/lower.hpp"
#include "shader/run/forwarded_variables.hpp"
#include "spirv/native_check.hpp"
#include "support/settings.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using U = std::uint32_t;

/// What is left of a shader's body.
spirv::Ir unrolled(const std::string& body, const std::string& functions = "") {
  const std::string source = R"(#version 460
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x = 8) in;
layout(constant_id = 0) const int times = 3;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(push_constant) uniform Push { uint limit; };
)" + functions + "void main() {\n  uint i = gl_GlobalInvocationID.x;\n" +
                             body + "}\n";
  const spirv::Module module(spirv::compile_glsl(source, "unrolled.comp", {}).words,
                             "unrolled.comp");
  spirv::Ir ir = spirv::lower(module, {});
  if (spirv::unroll_loops(ir, 32)) spirv::forward_variables(ir);
  return ir;
}
auto count_of(const spirv::Ir& ir, spirv::Code code) {
  return std::ranges::count_if(ir.ops, [&](const spirv::Op& op) { return op.code == code; });
}
auto loops_of(const std::string& body, const std::string& functions = "") {
  return count_of(unrolled(body, functions), spirv::Code::loop_begin);
}

}  // namespace

TEST_CASE("loops whose iterations constants count become their iterations") {
  const auto stores = [](const std::string& body) {
    const spirv::Ir ir = unrolled(body);
    CHECK(count_of(ir, spirv::Code::loop_begin) == 0);
    return count_of(ir, spirv::Code::store);
  };
  CHECK(stores("for (uint k = 0; k < 4; ++k) a[i + k] = k;") == 4);
  CHECK(stores("for (int k = 9; k > 0; k -= 2) a[i + k] = k;") == 5);
  CHECK(stores("for (uint k = 1; k < 33; k <<= 1) a[i + k] = k;") == 6);
  CHECK(stores("for (int k = 0; k < times; ++k) a[i + k] = k;") == 3);
  CHECK(stores("for (uint k = gl_SubgroupSize / 2; k > 0; k /= 2) a[i + k] = k;") == 5);
  CHECK(stores("for (int k = 0; k < 0; ++k) a[i + k] = k;") == 0);
  CHECK(stores("uint k = 0; do { a[i + k] = k; ++k; } while (k < 3);") == 3);
  CHECK(stores("uint k = 7; while (k > 4) { --k; a[i + k] = k; }") == 3);
  CHECK(stores("for (uint k = 0; k < 3; ++k) for (uint j = 2; j < 4; ++j) a[i + k] = j;") == 6);
  CHECK(stores(
            "for (uint k = 0; k < 2; ++k) { if (i > 3) a[i] = k; else { a[k] = i; a[i] = 3; } }") ==
        6);
  CHECK(stores("for (uint k = 0; k < 2; ++k) switch (i) { case 0: a[i] = k; break; case 2: a[k] = "
               "1; }") == 4);
  // A loop of whole lanes around it stays.
  CHECK(count_of(unrolled("for (uint k = 0; k < i; ++k) for (uint j = 0; j < 2; ++j) a[k] = j;"),
                 spirv::Code::loop_begin) == 1);
}

TEST_CASE("loops that lanes leave, that wait or that are long stay loops") {
  CHECK(loops_of("for (uint k = 0; k < 4; ++k) { if (i == k) break; a[i + k] = k; }") == 1);
  CHECK(loops_of("for (uint k = 0; k < 4; ++k) { if (i == k) continue; a[i + k] = k; }") == 1);
  CHECK(loops_of("for (uint k = 0; k < 4; ++k) { if (i == k) return; a[i + k] = k; }") == 1);
  CHECK(loops_of("for (uint k = 0; k < 4; ++k) { a[i + k] = k; barrier(); }") == 1);
  CHECK(loops_of("for (uint k = 0; k < limit; ++k) a[i + k] = k;") == 1);
  CHECK(loops_of("for (uint k = 0; k < i; ++k) a[i + k] = k;") == 1);
  CHECK(loops_of("for (uint k = 0; k < 33; ++k) a[i + k] = k;") == 1);
  CHECK(loops_of("for (uint k = 0; k < 32; ++k) a[i + k] = k;") == 0);
  CHECK(loops_of("uint k = 0; for (;;) { if (k == 3) break; a[i + k] = k; ++k; }") == 1);
  // Loops use the few registers for numbers of 64 bits best, and a lane's index becomes much code.
  CHECK(loops_of("double d = i; for (uint k = 0; k < 4; ++k) d = d * 0.5LF; a[i] = uint(d);") == 1);
  CHECK(loops_of(
            "uint t[4]; for (uint k = 0; k < 32; ++k) t[(i + k) & 3] += k; a[i] = t[i & 3];") == 1);
  // Innermost loops come first.
  CHECK(loops_of("for (uint k = 0; k < 3; ++k) for (uint j = k; j < 4; ++j) a[i + k] = j;") == 2);
  // The number of iterations depends on lanes.
  CHECK(loops_of("uint n = 3; if (i > 2) n = 4; for (uint k = 0; k < n; ++k) a[i + k] = k;") == 1);
  CHECK(loops_of("for (uint k = 0; k < 4; ++k) { if (i > 2) k += 2; a[i + k] = k; }") == 1);
  CHECK(loops_of("for (uint j = 0; j < limit; ++j) { for (uint k = j; k < 4; ++k) a[k] = j; }") ==
        2);
  // A function that some lanes leave early is none of these.
  CHECK(loops_of("for (uint k = 0; k < 4; ++k) a[i + k] = f(i, k);",
                 "uint f(uint x, uint k) { if (x > k) return 3; return x; }\n") == 0);
  std::string many;
  for (int k = 0; k < 100; ++k) many += fmt::format("a[i * {} + k] = k;\n", k + 2);
  CHECK(loops_of("for (uint k = 0; k < 4; ++k) { " + many + " }") == 1);
}

TEST_CASE("indices that loops count up choose components, and other indices choose at run time") {
  const spirv::Ir plain = unrolled(
      "uint t[4]; for (uint k = 0; k < 4; ++k) t[k] = i + k; "
      "for (uint k = 0; k < 4; ++k) a[i + k] = t[3 - k];");
  CHECK(count_of(plain, spirv::Code::load_indexed) == 0);
  CHECK(count_of(plain, spirv::Code::store_indexed) == 0);
  const spirv::Ir mixed = unrolled(
      "uint t[4]; for (uint k = 0; k < 4; ++k) t[k] = i + k; "
      "for (uint k = 0; k < 4; ++k) a[i + k] = t[(i + k) & 3];");
  CHECK(count_of(mixed, spirv::Code::load_indexed) == 4);
  CHECK(count_of(mixed, spirv::Code::store_indexed) == 0);
  // Outside the array as without unrolling.
  CHECK(count_of(unrolled("uint t[4]; t[i & 3] = i; for (uint k = 2; k < 6; ++k) a[i + k] = t[k];"),
                 spirv::Code::load_indexed) == 2);
}

TEST_CASE("unrolled loops compute what their iterations do") {
  check(
      "uint p = x, q = i; for (uint k = 0; k < 5; ++k) { uint t = p; p = q; q = t + k; } result[i] "
      "= p * 3u + q;",
      [](U x, U i) {
        U p = x, q = i;
        for (U k = 0; k < 5; ++k) {
          const U t = p;
          p = q, q = t + k;
        }
        return p * 3 + q;
      });
  // Lanes that leave a loop around it keep what they had then.
  check(R"(uint p = x, last = 0u;
  for (uint n = 0; n < 6; ++n) {
    p = p * 5u + n;
    if (p % 7u == i % 7u) { last += n; break; }
    for (uint k = 0; k < 3; ++k) { p ^= k * 11u; if (p % 3u == k) p += i; }
    if (p % 5u == 1u) continue;
    p = p + 1u;
    last = p;
  }
  result[i] = p ^ last;)",
        [](U x, U i) {
          U p = x, last = 0;
          for (U n = 0; n < 6; ++n) {
            p = p * 5 + n;
            if (p % 7 == i % 7) {
              last += n;
              break;
            }
            for (U k = 0; k < 3; ++k) {
              p ^= k * 11;
              if (p % 3 == k) p += i;
            }
            if (p % 5 == 1) continue;
            p = p + 1;
            last = p;
          }
          return p ^ last;
        });
  // Values of the last iteration are used after the loop, and a loop may have none.
  check(R"(uint p = x, k = 2u, seen;
  do { seen = p * 3u; p = seen ^ k; ++k; } while (k < 6u);
  for (uint n = 5; n < 5; ++n) p = 0u;
  result[i] = p + seen * k;)",
        [](U x, U) {
          U p = x, k = 2, seen;
          do {
            seen = p * 3;
            p = seen ^ k;
            ++k;
          } while (k < 6);
          return p + seen * k;
        });
}

namespace {

constexpr std::size_t variables = 5;
constexpr const char* names[variables] = {"a", "b", "c", "d", "e"};

/// A random statement on a few variables, each of which is copied, changed under conditions and carried through loops.
struct Statement {
  enum class Kind { copy, combine, swap, when, loop, call, store, load } kind;
  std::size_t to = 0, x = 0, y = 0;
  U number = 0;
  std::vector<Statement> body, other;

  /// loop: the number of loops around it.
  std::string text(int loop) const {
    const auto list = [](const std::vector<Statement>& all, int around) {
      std::string out;
      for (const Statement& s : all) out += s.text(around);
      return out;
    };
    const char *t = names[to], *p = names[x], *q = names[y];
    switch (kind) {
      case Kind::copy:
        return fmt::format("{} = {};\n", t, p);
      case Kind::combine:
        return fmt::format("{} = {} * 5u + ({} ^ {}u);\n", t, p, q, number);
      case Kind::swap:
        return fmt::format("{{ uint s = {0}; {0} = {1}; {1} = s; }}\n", p, q);
      case Kind::when:
        return fmt::format("if ({} % 3u == {}u) {{\n{}}} else {{\n{}}}\n", p, number % 3,
                           list(body, loop), list(other, loop));
      case Kind::loop:
        return fmt::format("for (uint k{0} = 0; k{0} < {1}u; ++k{0}) {{\n{2} += k{0};\n{3}}}\n",
                           loop, number % 4, t, list(body, loop + 1));
      case Kind::call:
        return fmt::format("{} = pick({}, {});\n", t, p, q);
      case Kind::store:
        return fmt::format("many[{}] = {};\n", loop > 0 ? fmt::format("k{}", loop - 1) : "1", p);
      default:
        return fmt::format("{} ^= many[{} & 3u];\n", t,
                           number % 2 == 0 ? fmt::format("{}u", number) : p);
    }
  }
};
struct State {
  std::array<U, variables> v{};
  std::array<U, 4> many{};

  static U pick(U p, U q) {
    if (p % 4 == 1) return q + 7;
    return p ^ q;
  }
  void run(const std::vector<Statement>& all, U k) {
    for (const Statement& s : all) run(s, k);
  }
  void run(const Statement& s, U k) {
    using Kind = Statement::Kind;
    const U p = v[s.x], q = v[s.y];
    switch (s.kind) {
      case Kind::copy:
        v[s.to] = p;
        return;
      case Kind::combine:
        v[s.to] = p * 5 + (q ^ s.number);
        return;
      case Kind::swap:
        std::swap(v[s.x], v[s.y]);
        return;
      case Kind::when:
        return run(p % 3 == s.number % 3 ? s.body : s.other, k);
      case Kind::loop:
        for (U j = 0; j < s.number % 4; ++j) {
          v[s.to] += j;
          run(s.body, j);
        }
        return;
      case Kind::call:
        v[s.to] = pick(p, q);
        return;
      case Kind::store:
        many[k] = p;
        return;
      case Kind::load:
        v[s.to] ^= many[(s.number % 2 == 0 ? s.number : p) & 3];
        return;
    }
  }
};

std::vector<Statement> statements(std::mt19937& random, int count, int deep) {
  std::vector<Statement> all;
  for (int n = 0; n < count; ++n) {
    Statement s;
    s.kind = static_cast<Statement::Kind>(random() % 8);
    s.to = random() % variables, s.x = random() % variables, s.y = random() % variables;
    s.number = static_cast<U>(random() % 12);
    const bool nests = s.kind == Statement::Kind::when || s.kind == Statement::Kind::loop;
    if (nests && deep == 0) s.kind = Statement::Kind::combine;
    if (nests && deep > 0)
      s.body = statements(random, 1 + static_cast<int>(random() % 4), deep - 1);
    if (s.kind == Statement::Kind::when)
      s.other = statements(random, static_cast<int>(random() % 3), deep - 1);
    all.push_back(std::move(s));
  }
  return all;
}

std::string source_of(const std::vector<Statement>& program) {
  std::string body;
  for (const Statement& s : program) body += s.text(0);
  return R"(#version 460
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) readonly buffer In { uint values[]; };
layout(set = 0, binding = 1) buffer Out { uint result[]; };
uint pick(uint p, uint q) { if (p % 4u == 1u) return q + 7u; return p ^ q; }
void main() {
  uint i = gl_GlobalInvocationID.x, x = values[i];
  uint a = x, b = i, c = x >> 7, d = x * 3u, e = 9u, many[4] = {x, i, 5u, x ^ i};
)" + body +
         "result[i] = a + b * 3u + c * 5u + d * 7u + e * 11u + many[0] + many[1] * 3u + many[2] * "
         "5u + many[3] * 7u;\n}\n";
}
U result_of(const std::vector<Statement>& program, U x, U i) {
  State state;
  state.v = {x, i, x >> 7, x * 3, 9};
  state.many = {x, i, 5, x ^ i};
  state.run(program, 1);
  const auto& [a, b, c, d, e] = state.v;
  const auto& many = state.many;
  return a + b * 3 + c * 5 + d * 7 + e * 11 + many[0] + many[1] * 3 + many[2] * 5 + many[3] * 7;
}

}  // namespace

TEST_CASE("random statements in loops that are unrolled compute what they say") {
  const auto in = numbers();
  const unsigned count = full_run() ? 400 : 40;
  for (unsigned seed = 0; seed < count; ++seed) {
    std::mt19937 random(seed);
    const std::vector<Statement> program = statements(random, 8, 3);
    const std::string source = source_of(program);
    INFO(source);
    for (const spirv::Target target : native_targets()) {
      const WithNative native(target);
      auto shader = Shader::from_glsl(source);
      for (const int size : {1, 24, 32, 128}) {
        std::vector<U> out(in.size(), 77);
        shader.bind(0, in).bind(1, out).dispatch({3}, {.subgroup_size = size});
        CAPTURE(name_of(target), size, seed);
        for (U i = 0; i < in.size(); ++i) {
          CAPTURE(i, in[i]);
          REQUIRE(out[i] == result_of(program, in[i], i));
        }
      }
    }
  }
}

TEST_CASE("a limit on iterations below those of a short loop still holds") {
  std::vector<U> out(8);
  auto shader = Shader::from_glsl(
      "#version 460\nlayout(local_size_x = 8) in;\nlayout(set = 0, binding = 0) buffer A { uint "
      "a[]; };\n"
      "void main() { for (uint k = 0; k < 8; ++k) a[gl_GlobalInvocationID.x] += k; }");
  shader.bind(0, out).dispatch({1}, {.max_steps = 9});
  CHECK(out == std::vector<U>(8, 28));
  CHECK_THROWS_WITH(shader.dispatch({1}, {.max_steps = 5}), Catch::Contains("does not end"));
}
