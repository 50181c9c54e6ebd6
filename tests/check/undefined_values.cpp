#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// Undefined values in shaders: they travel silently and are reported, with their origin, where they become visible.

using namespace lockstep;
using Catch::Matchers::EndsWith;

namespace {

/// A statement of main, on lines of its own from line 24 on, and what is found in it.
struct Case {
  const char* name;
  std::string body;
  std::string rule;          ///< empty: nothing is found
  int line = 0, origin = 0;  ///< counted from the body's first line, which is 1
  std::string lanes = {};    ///< of 32
};

constexpr int first_line = 24;

std::string shader_of(const std::string& body) {
  std::string text = R"(#version 460
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_clustered : enable
#extension GL_KHR_shader_subgroup_quad : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_shader_atomic_int64 : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer In { uint a[]; };
layout(set = 0, binding = 1) buffer Out { uint o[]; };
struct Wide { uint x; uint y; uint64_t z; };
shared Wide pairs[4]; shared uint s[256]; shared uint16_t h[64]; shared uint64_t l[64]; shared uint counter;
struct Pair { uint x; float y; };
uint i; uint lane;
uint twice(uint x) { return x + x; }
uint first_time(bool first) { uint v; if (first) v = 1u; return v; }
uint first_element(bool first) { uint v[2]; if (first) v[i & 1u] = 1u; return v[i & 1u]; }
void main() { i = gl_GlobalInvocationID.x; lane = gl_SubgroupInvocationID;
)";
  return text + body + "\n}\n";
}

std::string lanes_of(const LaneSet& set) { return to_string(set); }

void check(const Case& c, const Convergence* convergence) {
  auto shader = Shader::from_glsl(shader_of(c.body));
  std::vector<std::uint32_t> in(256), out(256);
  for (std::uint32_t k = 0; k < in.size(); ++k) in[k] = k;
  DispatchSettings settings{.subgroup_size = 32, .threads = 1};
  settings.checks = undefined_checks();
  settings.convergence = convergence;
  const ShaderRun run = shader.bind(0, in).bind(1, out).dispatch({1}, settings);
  INFO(c.name << "\n" << c.body << "\n" << run.findings);
  if (c.rule.empty()) {
    CHECK(run.findings.findings().empty());
    return;
  }
  REQUIRE(run.findings.findings().size() == 1);
  const Finding& finding = run.findings.first();
  CHECK(std::string(finding.rule) == c.rule);
  if (c.line > 0) CHECK(finding.where.line == first_line + c.line - 1);
  if (c.origin > 0) CHECK(finding.origin.line == first_line + c.origin - 1);
  if (!c.lanes.empty()) CHECK(lanes_of(finding.lanes) == c.lanes);
}

const Case cases[] = {
    {"a guarded shuffle up", R"(uint x = subgroupShuffleUp(a[i], 1u);
if (lane >= 1u) o[i] = x;)",
     ""},
    {"a selected shuffle up", R"(uint x = subgroupShuffleUp(a[i], 1u);
o[i] = lane >= 1u ? x : 0u;)",
     ""},
    {"a shuffle up without its guard", R"(uint x = subgroupShuffleUp(a[i], 1u);
o[i] = x + 1u;)",
     "shuffle-past-edge", 2, 1, "0"},
    {"a shuffle down past the edge", "o[i] = subgroupShuffleDown(a[i], 3u);", "shuffle-past-edge",
     1, 1, "29-31"},
    {"a shuffle from inactive lanes", R"(if (lane < 8u)
o[i] = subgroupShuffle(a[i], lane + 4u);)",
     "undefined-shuffle", 2, 2, "4-7"},
    {"an index outside the subgroup", "o[i] = subgroupShuffleXor(a[i], 32u);", "undefined-shuffle",
     1, 1, "0-31"},
    {"a broadcast from an inactive lane", R"(if (lane < 8u)
o[i] = subgroupBroadcast(a[i], 9u);)",
     "undefined-broadcast", 2, 2, "0-7"},
    {"a quad without a partner", R"(if (lane != 1u)
o[i] = subgroupQuadSwapHorizontal(a[i]);)",
     "undefined-quad", 2, 2, "0"},
    {"nothing found in a ballot", R"(uvec4 m = subgroupBallot(lane > 40u);
uint f = subgroupBallotFindLSB(m);
o[i] = f;)",
     "find-in-empty-ballot", 3, 2, "0-31"},
    {"a ballot that is asked first", R"(uvec4 m = subgroupBallot(lane > 40u);
o[i] = 0u; if (m != uvec4(0u)) o[i] = subgroupBallotFindLSB(m);)",
     ""},
    {"a bit outside the subgroup",
     "o[i] = subgroupBallotBitExtract(uvec4(~0u), lane + 10u) ? 1u : 0u;", "ballot-bit-outside", 1,
     1, "22-31"},
    {"a wide shift", "o[i] = 1u << a[i];", "shift-too-wide", 1, 1, "0-31"},
    {"shifts that fit", "o[i] = 1u << (a[i] & 31u);", ""},
    {"a bit field beyond the number", "o[i] = bitfieldExtract(a[i], 20, int(lane));",
     "shift-too-wide", 1, 1, "13-31"},
    {"a division by zero", R"(uint q = 100u / (a[i] % 4u);
if (lane % 4u != 1u) q = 1u; o[i] = q;
if (lane == 4u) o[i] = 7u / (lane - 4u);)",
     "division-by-zero", 3, 3, "4"},
    {"the least number by -1", "o[i] = uint(int(0x80000000u) / (int(lane) - 1));",
     "division-by-zero", 1, 1, "0-1"},
    {"a conversion out of range", "o[i] = uint(float(lane) * 1e9);", "conversion-range", 1, 1,
     "5-31"},
    {"a negative number to unsigned", "o[i] = uint(2.0 - float(lane));", "conversion-range", 1, 1,
     "3-31"},
    {"a fraction above -1 to unsigned", "o[i] = uint(-0.5 * float(lane & 1u));", ""},
    {"the square root of a negative number", "o[i] = uint(int(sqrt(4.0 - float(lane))));",
     "math-domain", 1, 1, "5-31"},
    {"a clamp upside down", "o[i] = clamp(a[i], lane, 5u);", "math-domain", 1, 1, "6-31"},
    {"an uninitialised variable", R"(uint x;
if (lane < 3u) x = 1u;
o[i] = x;)",
     "uninitialised-variable", 3, 0, "3-31"},
    {"an uninitialised variable given to broadcastFirst", R"(uint x;
if (lane == 0u) x = 5u;
o[i] = subgroupBroadcastFirst(x);)",
     ""},
    {"an uninitialised array", R"(uint t[4]; t[lane & 1u] = 3u;
o[i] = t[1];)",
     "uninitialised-variable", 2, 0, "0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30"},
    {"a structure copied in part", R"(Pair p; p.x = 1u; Pair q = p;
o[i] = q.x;)",
     ""},
    {"a structure's other member", R"(Pair p; p.x = 1u; Pair q = p;
o[i] = uint(q.y > 0.0);)",
     "uninitialised-variable", 2, 0, "0-31"},
    {"uninitialised shared memory", R"(if (i != 5u) s[i] = a[i]; barrier();
o[i] = s[i];)",
     "uninitialised-shared", 2, 0, "5"},
    {"shared memory that is copied and overwritten", R"(s[i + 64u] = s[i]; barrier();
s[i + 64u] = 3u; barrier(); o[i] = s[i + 64u];)",
     ""},
    {"half words of shared memory", R"(if ((i & 1u) == 0u) h[i] = uint16_t(i); barrier();
o[i] = uint(h[i]);)",
     "uninitialised-shared", 2, 0, "1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31"},
    {"double words of shared memory", R"(if (i != 2u) l[i] = uint64_t(i); barrier();
o[i] = uint(l[i]);)",
     "uninitialised-shared", 2, 0, "2"},
    {"an atomic on shared memory without a value", R"(
atomicAdd(counter, 1u); barrier(); o[i] = counter;)",
     "uninitialised-shared", 2, 0, "0-31"},
    {"an atomic on shared memory with a value", R"(if (i == 0u) counter = 0u; barrier();
atomicAdd(counter, 1u); barrier(); o[i] = counter;)",
     ""},
    {"an exchange gives it to the lane that comes first", R"(uint x = atomicExchange(counter, 1u);
o[i] = x;)",
     "uninitialised-shared", 2, 0, "0"},
    {"a branch", R"(uint x = subgroupShuffleUp(a[i], 1u);
if (x > 3u)
o[i] = 1u;)",
     "shuffle-past-edge", 2, 1, "0"},
    {"a loop", R"(uint x = subgroupShuffleUp(a[i] & 3u, 1u), n = 0u;
while (n < x)
++n;)",
     "shuffle-past-edge", 2, 1, "0"},
    // glslang gives a switch the line of the statement before it.
    {"a switch", R"(uint x = subgroupShuffleUp(a[i], 1u);
switch (x) { case 1u: o[i] = 1u; break; default: o[i] = 2u; })",
     "shuffle-past-edge", 2, 1, "0"},
    {"an index", R"(uint x = subgroupShuffleUp(a[i], 1u);
o[x & 127u] = 1u;)",
     "shuffle-past-edge", 2, 1, "0"},
    {"an operand of an atomic", R"(uint x = subgroupShuffleUp(a[i], 1u);
atomicAdd(o[3], x);)",
     "shuffle-past-edge", 2, 1, "0"},
    {"a reduction", R"(uint x = subgroupShuffleUp(a[i], 1u);
o[i] = subgroupAdd(x);)",
     "shuffle-past-edge", 2, 1, "0-31"},
    {"a scan from the lane on", R"(uint x = subgroupShuffleDown(a[i], 3u);
o[i] = subgroupInclusiveAdd(x);)",
     "shuffle-past-edge", 2, 1, "29-31"},
    {"an exclusive scan", R"(uint x = subgroupShuffleDown(a[i], 3u);
o[i] = subgroupExclusiveAdd(x);)",
     "shuffle-past-edge", 2, 1, "30-31"},
    {"a cluster", R"(uint x = subgroupShuffleDown(a[i], 1u);
o[i] = subgroupClusteredAdd(x, 4u);)",
     "shuffle-past-edge", 2, 1, "28-31"},
    {"a vote", R"(uint x = subgroupShuffleDown(a[i], 1u);
o[i] = uint(subgroupAll(x < 100u));)",
     "shuffle-past-edge", 2, 1, "0-31"},
    {"a vote that another lane decides", R"(uint x = subgroupShuffleDown(a[i], 1u);
o[i] = uint(subgroupAny(x < 100u));)",
     ""},
    {"a product with zero", R"(uint x = subgroupShuffleDown(a[i], 1u);
o[i] = x * uint(lane < 31u);)",
     ""},
    {"a condition that is false anyway", R"(uint x = subgroupShuffleDown(a[i], 1u); bool b = x > 3u;
o[i] = uint(lane < 31u && b);)",
     ""},
    {"a value through a function", R"(uint x = subgroupShuffleDown(a[i], 1u);
o[i] = twice(x);)",
     "shuffle-past-edge", 2, 1, "31"},
    {"the same for all lanes", R"(uint x = subgroupShuffleUp(3u, lane & 1u);
o[i] = subgroupBroadcast(a[i], subgroupBroadcastFirst(x));)",
     ""},
    {"a variable of a function that is called again", R"(for (uint k = 0u; k < 2u; ++k)
o[i] = first_time(k == 0u);)",
     "uninitialised-variable", -1, 0, "0-31"},
    {"an array of a function that is called again", R"(for (uint k = 0u; k < 2u; ++k)
o[i] = first_element(k == 0u);)",
     "uninitialised-variable", -1, 0, "0-31"},
    {"an atomic on a member of a shared structure", R"(atomicAdd(pairs[lane & 3u].y, 1u);)",
     "uninitialised-shared", 1, 0, "0-31"},
    {"an atomic on a member with a value", R"(pairs[lane & 3u].y = 0u; barrier();
atomicAdd(pairs[lane & 3u].y, 1u); barrier(); o[i] = pairs[lane & 3u].y;)",
     ""},
    {"another member than the atomic's", R"(pairs[lane & 3u].y = 0u; barrier();
atomicAdd(pairs[lane & 3u].y, 1u);
barrier(); o[i] = pairs[lane & 3u].x;)",
     "uninitialised-shared", 3, 0, "0-31"},
    {"an exchange with a wide member", R"(uint64_t x = atomicExchange(pairs[0].z, 1ul);
o[i] = uint(x);)",
     "uninitialised-shared", 2, 0, "0"},
    {"an undefined lane of a broadcast", R"(uint x = subgroupShuffleUp(3u, 1u);
o[i] = subgroupBroadcast(a[i], subgroupBroadcastFirst(x));)",
     "shuffle-past-edge", 2, 1, "0-31"},
};

}  // namespace

TEST_CASE("a rule that is not checked is not reported") {
  auto shader = Shader::from_glsl(shader_of("o[i] = (1u << a[i]) + 100u / (a[i] & 3u);"));
  std::vector<std::uint32_t> in(256), out(256);
  for (std::uint32_t k = 0; k < in.size(); ++k) in[k] = k;
  shader.bind(0, in).bind(1, out);
  for (const Check check : {Check::shift_too_wide, Check::division_by_zero}) {
    DispatchSettings settings{.subgroup_size = 32, .threads = 1};
    settings.checks = {check};
    const ShaderRun run = shader.dispatch({1}, settings);
    REQUIRE(run.findings.findings().size() == 1);
    CHECK(run.findings.first().rule == to_string(check));
  }
}

TEST_CASE("a broadcast from lanes that differ is one finding, not also one from an inactive lane") {
  std::vector<std::uint32_t> in(256), out(256);
  for (std::uint32_t k = 0; k < in.size(); ++k) in[k] = k;
  const auto found = [&](const std::string& body, Checks checks) {
    auto shader = Shader::from_glsl(shader_of(body));
    DispatchSettings settings{.subgroup_size = 32, .threads = 1};
    settings.checks = checks;
    std::string rules;
    const ShaderRun run = shader.bind(0, in).bind(1, out).dispatch({1}, settings);
    for (const Finding& f : run.findings.findings())
      rules += fmt::format("{} in lanes {}; ", f.rule, lanes_of(f.lanes));
    return rules;
  };
  const std::string differ = "o[i] = subgroupBroadcast(a[i], lane & 1u);";
  CHECK(found(differ, Checks::all()) == "broadcast-not-uniform in lanes 0-31; ");
  CHECK(found(differ, {Check::broadcast_not_uniform, Check::undefined_broadcast}) ==
        "broadcast-not-uniform in lanes 0-31; ");
  CHECK(found(differ, {Check::broadcast_not_uniform}) == "broadcast-not-uniform in lanes 0-31; ");
  CHECK(found(differ, {Check::undefined_broadcast}) == "undefined-broadcast in lanes 0-31; ");
  // Where they agree on a lane that is not active, there is only one thing to say.
  CHECK(found("if (lane < 8u) o[i] = subgroupBroadcast(a[i], a[9] + 0u * lane);", Checks::all()) ==
        "undefined-broadcast in lanes 0-7; ");
  CHECK(found("o[i] = subgroupBroadcast(a[i], a[9] + 0u * lane);", Checks::all()).empty());
}

TEST_CASE("undefined values are reported where they become visible, with their origin") {
  for (const spirv::Target target : test::native_targets()) {
    const test::WithNative native(target);
    for (const Case& c : cases) check(c, nullptr);
  }
}

TEST_CASE("undefined values are reported on the tangled machine as well") {
  const Convergence maximal;
  for (const Case& c : cases) check(c, &maximal);
}

TEST_CASE("what has no value is named where it has no line") {
  const auto message = [](const std::string& body) {
    auto shader = Shader::from_glsl(shader_of(body));
    std::vector<std::uint32_t> in(64), out(64);
    DispatchSettings settings{.subgroup_size = 32, .threads = 1};
    settings.checks = undefined_checks();
    return shader.bind(0, in).bind(1, out).dispatch({1}, settings).findings.first().message;
  };
  CHECK_THAT(message("o[i] = s[i];"), EndsWith(": the shared variable s has no value yet"));
  CHECK_THAT(message("o[i] = uint(h[i]);"), EndsWith(": the shared variable h has no value yet"));
  CHECK(message("o[i] = 1u << (lane + 31u);") == "an undefined value is stored to Out");
}
