#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "oracle/run_shader.hpp"

/// \file
/// What the oracle knows of the results of shaders: rounding, order, and what depends on them.

namespace {

using lockstep::judgement::Verdict;
using lockstep::oracle::Allowed;
using lockstep::oracle_test::BoundedRun;
using Kind = Allowed::Kind;

/// A shader of eight invocations on floats, with `a` as input, `out` as output and i as number.
std::string shader(const std::string& body, const std::string& declarations = "", int size = 8) {
  return "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
         "#extension GL_KHR_shader_subgroup_shuffle : enable\n"
         "#extension GL_EXT_shader_atomic_float : enable\n"
         "layout(local_size_x = " +
         std::to_string(size) +
         ") in;\nlayout(binding = 0) readonly buffer A { float a[]; };\n"
         "layout(binding = 1) buffer Out { float res[]; };\n" +
         declarations + "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  " + body + "\n}\n";
}

BoundedRun run(const std::string& body, const std::vector<float>& a, std::size_t outputs = 8,
               const std::string& declarations = "") {
  return BoundedRun(shader(body, declarations), {a, std::vector<float>(outputs)});
}

const std::vector<float> thirds{1 / 3.f, 2 / 3.f, 4 / 3.f,  5 / 3.f,
                                7 / 3.f, 8 / 3.f, 10 / 3.f, 11 / 3.f};

float next(float x, int steps = 1) {
  for (; steps > 0; --steps) x = std::nextafter(x, std::numeric_limits<float>::infinity());
  for (; steps < 0; ++steps) x = std::nextafter(x, -std::numeric_limits<float>::infinity());
  return x;
}

TEST_CASE("copies are exact, and one operation has one or two results") {
  const BoundedRun copied = run("res[i] = a[7u - i];", thirds);
  CHECK(copied.allowed(0).kind == Kind::exact);
  CHECK(copied.verdict(0, next(copied.values()[0])) == Verdict::wrong);

  const BoundedRun product = run("res[i] = a[i] * a[i];", thirds);
  const float mine = product.values()[1];
  const double exact = static_cast<double>(thirds[1]) * thirds[1];
  const float other = mine < exact ? next(mine) : next(mine, -1);
  CHECK(product.verdict(1, other) == Verdict::allowed);
  CHECK(product.verdict(1, mine < exact ? next(mine, -1) : next(mine)) == Verdict::wrong);
  CHECK(product.verdict(1, next(mine, 2)) == Verdict::wrong);
}

TEST_CASE("fusing and reordering are allowed unless the code is precise") {
  // (x + y) - x may be y.
  const std::vector<float> a(8, 0x1p-20f);
  const BoundedRun plain = run("res[i] = (16.0 + a[i] * 0.3) - 16.0;", a);
  CHECK(plain.verdict(0, 0x1p-20f * 0.3f) == Verdict::allowed);
  CHECK(plain.verdict(0, 0x1p-18f) == Verdict::allowed);
  // 16 or the next number, minus 16.
  const BoundedRun precise = run("precise float x = (16.0 + a[i] * 0.3) - 16.0; res[i] = x;", a);
  CHECK(precise.verdict(0, 0x1p-19f) == Verdict::allowed);
  CHECK(precise.verdict(0, 0x1p-18f) == Verdict::wrong);
  CHECK(precise.verdict(0, -0x1p-24f) == Verdict::wrong);
}

TEST_CASE("reductions and float atomics may add in any order") {
  std::vector<float> a{1e8f, 1, -1e8f, 1, 1, 1, 1, 1};
  for (const char* const body : {"res[0] = subgroupAdd(a[i]);", "atomicAdd(res[0], a[i]);"}) {
    const BoundedRun sum = run(body, a);
    CHECK(sum.verdict(0, 0) == Verdict::allowed);
    CHECK(sum.verdict(0, 8) == Verdict::allowed);
    CHECK(sum.verdict(0, 1e8f) == Verdict::wrong);
  }
  // Whatever the order, this has one result, and without one term another.
  const BoundedRun whole = run("res[i] = subgroupInclusiveAdd(float(i));", a);
  CHECK(whole.verdict(7, 28) == Verdict::equal);
  CHECK(whole.verdict(7, 27) == Verdict::wrong);
  CHECK(whole.verdict(6, 28) == Verdict::wrong);
}

TEST_CASE("conditions that rounding decides leave open what depends on them") {
  const std::vector<float> a{0.5f, 0.5f, 3, 4, 5, 6, 7, 8};
  // exp(log(x)) may be on either side of x; of 3 times x it is not.
  const std::string test = "float x = i < 2u ? a[i] : 3.0 * a[i]; float y = exp(log(x));\n";
  const BoundedRun branch =
      run(test + "if (y < a[i]) res[i] = 1.0; else res[i + 8u] = 2.0;", a, 16);
  CHECK(branch.verdict(0, 1) == Verdict::open);
  CHECK(branch.verdict(8, 0) == Verdict::open);
  CHECK(branch.explain(0).find("rounding decides a comparison") != std::string::npos);
  // Only what these lanes may write.
  CHECK(branch.verdict(2, 3) == Verdict::wrong);
  CHECK(branch.verdict(10, 3) == Verdict::wrong);

  // The index is computed behind the condition.
  const BoundedRun inside =
      run(test + "if (y < a[i]) { uint k = 2u * i + 1u; res[k] = 1.0; }", a, 16);
  CHECK(inside.verdict(1, 1 - inside.values()[1]) == Verdict::open);
  CHECK(inside.verdict(5, 1) == Verdict::wrong);
  CHECK(inside.verdict(2, 1) == Verdict::wrong);

  const BoundedRun returned = run(test + "if (y < a[i]) return; res[i] = 1.0;", a);
  CHECK(returned.verdict(0, 1 - returned.values()[0]) == Verdict::open);
  CHECK(returned.verdict(4, 0) == Verdict::wrong);

  // Before the condition nothing depends on it.
  const BoundedRun before =
      run(test + "res[i + 8u] = 5.0; if (y < a[i]) return; res[i] = 1.0;", a, 16);
  CHECK(before.verdict(8, 4) == Verdict::wrong);

  // An index that another trip changes may be any.
  const BoundedRun trips = run(test +
                                   "for (uint k = 0u; k < 3u; ++k) { if (y < a[i] && k == 1u) "
                                   "break; res[3u * i + k] = 1.0; }",
                               a, 32);
  CHECK(trips.verdict(2, 1 - trips.values()[2]) == Verdict::open);

  const BoundedRun variable = run(test + "float z = 0.0; if (y < a[i]) z = 1.0; res[i] = z;", a);
  CHECK(variable.verdict(0, 1 - variable.values()[0]) == Verdict::open);
  CHECK(variable.verdict(4, 1) == Verdict::wrong);

  const BoundedRun loop =
      run(test +
              "float z = 0.0; for (int k = 0; k < 4; ++k) { if (y < a[i]) break; z += 1.0; }\n"
              "res[i] = z;",
          a);
  CHECK(loop.verdict(0, 9) == Verdict::open);
  CHECK(loop.verdict(4, 9) == Verdict::wrong);

  // Other lanes are in the sum, or not.
  const BoundedRun group = run(test + "if (y < a[i]) res[i] = subgroupAdd(1.0);", a);
  CHECK(group.verdict(0, 2) == Verdict::open);

  const BoundedRun chosen = run(test + "res[i] = y < a[i] ? 1.0 : 2.0;", a);
  CHECK(chosen.verdict(0, 1) != Verdict::wrong);
  CHECK(chosen.verdict(0, 3) == Verdict::wrong);
}

TEST_CASE("integers of floats are exact where no rounding can change them") {
  const BoundedRun whole = run("res[i] = float(int(a[i] * 3.0 + 0.5));", thirds);
  CHECK(whole.verdict(0, 2) == Verdict::wrong);
  const BoundedRun edge = run("res[i] = float(int(a[i] * 3.0));", thirds);
  CHECK(edge.verdict(6, edge.values()[6] == 10 ? 9.f : 10.f) == Verdict::allowed);
  CHECK(edge.verdict(6, 8) == Verdict::wrong);
}

TEST_CASE("what may be one of several integers is an integer") {
  for (const std::string body :
       {"floor(a[i] * 3.0)", "trunc(a[i] * 3.0)", "round(a[i] * 3.0 - 0.5)",
        "ceil(a[i] * 3.0 - 1.0)", "float(int(a[i] * 3.0))"}) {
    CAPTURE(body);
    const BoundedRun whole = run("res[i] = " + body + ";", thirds);
    CHECK(whole.verdict(6, 9) != Verdict::wrong);
    CHECK(whole.verdict(6, 10) != Verdict::wrong);
    CHECK(whole.verdict(6, 9.5f) == Verdict::wrong);
    CHECK(whole.verdict(6, next(10, -1)) == Verdict::wrong);
    // Sums and products of integers.
    const BoundedRun more = run("res[i] = max(2.0 * " + body + " + 1.0, -3.0);", thirds);
    CHECK(more.verdict(6, 19) != Verdict::wrong);
    CHECK(more.verdict(6, 21) != Verdict::wrong);
    CHECK(more.verdict(6, 19.5f) == Verdict::wrong);
    const BoundedRun half = run("res[i] = 0.5 * " + body + ";", thirds);
    CHECK(half.verdict(6, 4.5f) != Verdict::wrong);
    CHECK(half.verdict(6, 4.75f) != Verdict::wrong);
  }
  const BoundedRun edge = run("res[i] = step(10.0, a[i] * 3.0);", thirds);
  CHECK(edge.verdict(6, 0) != Verdict::wrong);
  CHECK(edge.verdict(6, 1) != Verdict::wrong);
  CHECK(edge.verdict(6, 0.5f) == Verdict::wrong);
}

TEST_CASE("roots and powers of zero are bounded") {
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> a = thirds;
  a[0] = 0;
  a[1] = 1e-40f;
  for (const std::string body : {"sqrt(a[i])", "length(vec2(a[i]))", "pow(a[i], 1.5)"}) {
    CAPTURE(body);
    const BoundedRun zero = run("res[i] = " + body + ";", a);
    CHECK(zero.verdict(0, 0) != Verdict::wrong);
    CHECK(zero.verdict(0, 1) == Verdict::wrong);
    CHECK(zero.verdict(0, -1) == Verdict::wrong);
    CHECK(zero.verdict(0, not_a_number) == Verdict::wrong);
  }
  // log2(0) may be that of a denormal.
  const BoundedRun root = run("res[i] = pow(a[i], 0.5);", a);
  CHECK(root.verdict(0, 0x1p-64f) == Verdict::allowed);
  CHECK(root.verdict(0, 0x1p-62f) == Verdict::wrong);
  // A denormal may be zero.
  const BoundedRun tiny = run("res[i] = sqrt(a[i]);", a);
  CHECK(tiny.verdict(1, 0) == Verdict::allowed);
  CHECK(tiny.verdict(1, 1e-20f) != Verdict::wrong);
  CHECK(tiny.verdict(1, 1e-15f) == Verdict::wrong);
  CHECK(run("res[i] = pow(a[i], 0.0);", a).verdict(0, 42) == Verdict::undefined);
  CHECK(run("res[i] = sqrt(-a[i]);", a).verdict(2, 42) == Verdict::undefined);
}

TEST_CASE("undefined results are named") {
  const BoundedRun shuffled = run("if (i < 4u) res[i] = subgroupShuffle(a[i], i + 4u);", thirds);
  CHECK(shuffled.verdict(0, 42) == Verdict::undefined);
  CHECK(shuffled.verdict(4, 42) == Verdict::wrong);
  const BoundedRun root = run("res[i] = sqrt(a[i] - 2.0);", thirds);
  CHECK(root.verdict(0, 42) == Verdict::undefined);
  CHECK(root.verdict(7, 42) == Verdict::wrong);
  CHECK(root.explain(0).find("domain") != std::string::npos);
  const BoundedRun shared =
      run("if (i < 4u) s[i] = a[i]; res[i] = s[i];", thirds, 8, "shared float s[8];\n");
  CHECK(shared.verdict(0, 42) == Verdict::wrong);
  CHECK(shared.verdict(5, 42) == Verdict::undefined);
  const BoundedRun variable = run("float x; if (i < 4u) x = a[i]; res[i] = x;", thirds);
  CHECK(variable.verdict(0, 42) == Verdict::wrong);
  CHECK(variable.verdict(5, 42) == Verdict::undefined);
}

TEST_CASE("what depends on the order of atomics is judged as a whole") {
  const BoundedRun slots =
      run("uint at = atomicAdd(next, 1u); res[at] = a[i];", thirds, 8, "shared uint next;\n");
  std::vector<float> device(slots.values().rbegin(), slots.values().rend());
  CHECK(slots.judge(device).count(Verdict::unordered) == 8);
  device[3] = device[4];
  CHECK(slots.judge(device).count(Verdict::open) > 0);
}

TEST_CASE("bounds go through shared memory, arrays and functions") {
  const BoundedRun through = BoundedRun(
      shader("s[i] = twice(a[i]); barrier(); float t[3] = float[3](s[7u - i], 1.0, 2.0);\n"
             "t[i % 2u] *= 1.1; res[i] = t[0];",
             "shared float s[8];\nfloat twice(float x) { if (x < 0.0) return 0.0; return x * 2.2; "
             "}\n"),
      {thirds, std::vector<float>(8)});
  for (const std::size_t k : {0u, 1u}) {
    const Allowed allowed = through.allowed(k);
    INFO(through.explain(k));
    REQUIRE(allowed.kind == Kind::within);
    CHECK(allowed.values.contains(through.values()[k]));
    CHECK(allowed.values.high - allowed.values.low < 1e-5);
    CHECK(through.verdict(k, next(through.values()[k], 40)) == Verdict::wrong);
  }
}

TEST_CASE("mediump values may have the precision of 16 bits") {
  const BoundedRun medium =
      run("mediump float x = a[i]; mediump float y = x * 1.5; res[i] = y;", thirds);
  const float mine = medium.values()[0];
  CHECK(medium.verdict(0, mine * (1 + 0x1p-11f)) == Verdict::allowed);
  CHECK(medium.verdict(0, mine * (1 + 0x1p-7f)) == Verdict::wrong);
}

}  // namespace

TEST_CASE("a counter before the elements that it numbers stays exact") {
  const std::string glsl =
      "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) readonly buffer In { float "
      "x[]; };\n"
      "layout(binding = 1) buffer Out { uint first, counter; float res[]; };\nvoid main() {\n"
      "  uint i = gl_LocalInvocationIndex;\n  if (i == 0u) first = 7u;\n"
      "  uint k = atomicAdd(counter, 1u);\n  res[k] = x[i];\n}\n";
  std::vector<float> numbers(64);
  for (std::size_t i = 0; i < 64; ++i) numbers[i] = static_cast<float>(i + 1);
  const BoundedRun kept(glsl, {numbers, std::vector<float>(66)});
  CHECK(kept.allowed(0).kind == Allowed::Kind::exact);
  CHECK(kept.allowed(1).kind == Allowed::Kind::exact);
  CHECK(kept.verdict(0, 3) == Verdict::wrong);
  CHECK(kept.verdict(1, 3) == Verdict::wrong);
  CHECK(kept.allowed(2).kind == Allowed::Kind::unordered);
  CHECK(kept.verdict(2, 3) == Verdict::open);
}
