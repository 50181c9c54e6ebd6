#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// What checked runs expect of single accesses and values: indices inside their own arrays, aligned addresses, and
/// values declared subgroupuniformEXT. Shaders on 64 invocations in subgroups of 32; a[n] is n.

using namespace lockstep;
using Words = std::vector<std::uint32_t>;

namespace {

/// A statement on one line of main, and what is found in it.
struct Case {
  const char* name;
  std::string body;
  std::string rule;     ///< empty: nothing is found
  std::string message;  ///< all of it
  std::string lanes;    ///< of all subgroups
  std::uint64_t count = 0;
};

constexpr int line = 30;

std::string shader_of(const std::string& body) {
  std::string text = R"(#version 460
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_spirv_intrinsics : require
#extension GL_EXT_subgroupuniform_qualifier : require
#extension GL_KHR_shader_subgroup_ballot : require
spirv_instruction(extensions = ["SPV_KHR_expect_assume"], capabilities = [5629], id = 5630)
void assume(bool condition);
layout(local_size_x = 64) in;
struct Row { uint cells[4]; vec2 at; };
layout(binding = 0) buffer In { uint a[]; };
layout(binding = 1) buffer Out { uint o[]; };
layout(binding = 2) buffer Rows { uint head[8]; Row rows[4]; mat4 m; vec4 v; uint tail[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word { uint word; };
layout(buffer_reference, std430) buffer Block { uint word; uint second; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Cells { uint cells[4]; uint last; };
layout(binding = 3) buffer Link { uvec2 link; };
shared uint s[8][8];
shared Row shared_rows[4];
uint i; uint lane;
uint chosen(uint k) { uint t[4] = uint[4](1u, 2u, 3u, 4u); return t[k]; }
subgroupuniformEXT uint kept;
void main() { i = gl_GlobalInvocationID.x; lane = gl_SubgroupInvocationID;
)";
  for (auto lines = std::count(text.begin(), text.end(), '\n'); lines + 1 < line; ++lines)
    text += '\n';
  return text + body + "\n}\n";
}

/// `address` becomes that of the object behind link, as findings write it.
ShaderRun run(const std::string& body, Checks checks, const Convergence* convergence = nullptr,
              std::string* address = nullptr) {
  auto shader = Shader::from_glsl(shader_of(body));
  Words in(256), out(256), rows(256), object(64);
  for (std::uint32_t k = 0; k < in.size(); ++k) in[k] = k;
  std::vector<std::uint64_t> link{shader.address_of(object)};
  shader.bind(0, in).bind(1, out).bind(2, rows).bind(3, link);
  if (address != nullptr) *address = fmt::format("{:#x}", link[0]);
  DispatchSettings settings{.subgroup_size = 32, .threads = 1};
  settings.checks = checks;
  settings.convergence = convergence;
  return shader.dispatch({1}, settings);
}

const Case cases[] = {
    {"an array in a buffer, whose next member is inside", "o[i] = head[i % 9u];", "out-of-bounds",
     "read of element 8 of an array of 8 in Rows", "3,8,12,17,21,26,30", 7},
    {"an array in an element of an array", "rows[1].cells[a[i] & 7u] = 1u;", "out-of-bounds",
     "write to element 4 of an array of 4 in Rows", "4-7,12-15,20-23,28-31", 32},
    {"the outer index", "rows[i & 7u].cells[0] = i;", "out-of-bounds",
     "write to element 4 of an array of 4 in Rows", "4-7,12-15,20-23,28-31", 32},
    {"indices inside", "rows[i & 3u].cells[i >> 4u] = i;", "", "", ""},
    {"a column", "o[i] = uint(m[i >> 3u].x);", "out-of-bounds",
     "read of element 4 of an array of 4 in Rows", "0-31", 32},
    {"a component of a vector", "v[lane >> 2u] = 1.0;", "out-of-bounds",
     "write to element 4 of an array of 4 in Rows", "16-31", 32},
    {"a row of shared memory", "s[1][lane] = i;", "out-of-bounds",
     "write to element 8 of an array of 8 in s", "8-31", 48},
    {"beyond all of shared memory", "s[lane][0] = i;", "out-of-bounds",
     "write to element 8 of an array of 8 in s", "8-31", 48},
    {"an atomic", "atomicAdd(shared_rows[0].cells[lane & 7u], 1u);", "out-of-bounds",
     "atomic on element 4 of an array of 4 in shared_rows", "4-7,12-15,20-23,28-31", 32},
    {"one for all lanes", "o[i] = head[gl_NumWorkGroups.x + 7u];", "out-of-bounds",
     "read of element 8 of an array of 8 in Rows", "0", 2},
    {"an array of the invocation", "uint t[3]; t[0] = 1u; t[lane & 3u] = 2u; o[i] = t[0];",
     "out-of-bounds", "write to element 3 of an array of 3 in t", "3,7,11,15,19,23,27,31", 16},
    {"an array of a function", "o[i] = chosen(lane & 7u);", "out-of-bounds", "",
     "4-7,12-15,20-23,28-31", 32},
    {"a component of a value", "uvec3 t = uvec3(i); o[i] = t[lane & 3u];", "out-of-bounds",
     "read of element 3 of an array of 3 in t", "3,7,11,15,19,23,27,31", 16},
    {"an index that is negative", "o[i] = head[int(lane) - 1];", "out-of-bounds", "", "0,9-31", 48},
    {"an array behind an address", "Cells c = Cells(link); o[i] = c.cells[lane & 7u];",
     "out-of-bounds", "read of element 4 of an array of 4 in memory at address @",
     "4-7,12-15,20-23,28-31", 32},
    {"addresses of words", "o[i] = Word(link + uvec2(4u * lane, 0u)).word;", "", "", ""},
    {"an address between words",
     "o[i] = Word(link + uvec2(4u * lane + (lane == 5u ? 2u : 0u), 0u)).word;", "misaligned",
     "read at byte 22 of memory at address @, which should be a multiple of 4", "5", 2},
    {"blocks are at multiples of 16", "o[i] = Block(link + uvec2(8u * lane, 0u)).word;",
     "misaligned", "read at byte 8 of memory at address @, which should be a multiple of 16",
     "1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31", 32},
    {"a member of a block", "o[i] = Block(link + uvec2(16u * (lane & 3u), 0u)).second;", "", "",
     ""},
    {"a write", "Word(link + uvec2(lane == 3u ? 5u : 4u * lane, 0u)).word = 1u;", "misaligned",
     "write at byte 5 of memory at address @, which should be a multiple of 4", "3", 2},
    {"an atomic at no word", "atomicAdd(Word(link + uvec2(4u * lane + 1u, 0u)).word, 1u);",
     "misaligned", "atomic at byte 1 of memory at address @, which should be a multiple of 4",
     "0-31", 64},
    {"an assumption that holds", "assume(lane < 32u); o[i] = i;", "", "", ""},
    {"an assumption that does not", "assume(lane < 5u); o[i] = i;", "false-assumption",
     "the condition that the shader assumes to be true is false", "5-31", 54},
    {"an assumption of the active lanes", "if (lane > 28u) { assume(lane > 29u); o[i] = i; }",
     "false-assumption", "the condition that the shader assumes to be true is false", "29", 2},
    {"an assumption about all lanes", "assume(gl_NumWorkGroups.x > 1u); o[i] = i;",
     "false-assumption", "the condition that the shader assumes to be true is false", "0-31", 64},
    {"a value that is the same", "subgroupuniformEXT uint x = a[gl_SubgroupID]; o[i] = i;", "", "",
     ""},
    {"a value that is not", "subgroupuniformEXT uint x = a[lane / 4u]; o[i] = i;",
     "subgroupuniform-broken",
     "x, declared subgroupuniformEXT, differs: lane 0 has 0, lane 4 has 1", "0-31", 64},
    {"on each side of a branch", "subgroupuniformEXT uint x; if (lane < 7u) x = 1u; else x = 2u;",
     "", "", ""},
    {"and after it", "subgroupuniformEXT uint x; if (lane < 7u) x = 1u; else x = 2u; o[i] = x;",
     "subgroupuniform-broken",
     "x, declared subgroupuniformEXT, differs: lane 0 has 1, lane 7 has 2", "0-31", 64},
    {"a vector", "subgroupuniformEXT vec2 x = vec2(1.0, float(a[0]) / float(a[lane & 1u]));",
     "subgroupuniform-broken", "", "0-31", 64},
    {"NaN is the same as itself", "subgroupuniformEXT float x = uintBitsToFloat(0x7fc00000u);", "",
     "", ""},
    {"a global variable", "kept = subgroupBroadcastFirst(lane) + lane;", "subgroupuniform-broken",
     "kept, declared subgroupuniformEXT, differs: lane 0 has 0, lane 1 has 1", "0-31", 64},
};

void check(const Case& c, const Convergence* convergence) {
  std::string address, message = c.message;
  const FaultLog log = run(c.body, expected_checks(), convergence, &address).findings;
  if (const auto at = message.find('@'); at != std::string::npos) message.replace(at, 1, address);
  INFO(c.name << "\n" << c.body << "\n" << log);
  if (c.rule.empty()) {
    CHECK(to_string(log) == "no findings");
    return;
  }
  REQUIRE(log.findings().size() >= 1);
  const Finding& finding = log.first();
  CHECK(finding.rule == c.rule);
  CHECK(finding.where.line >= (c.message.empty() ? 1 : line));
  if (!c.message.empty()) CHECK(finding.message == message);
  CHECK(to_string(finding.lanes) == c.lanes);
  CHECK(finding.count == c.count);
}

}  // namespace

TEST_CASE("indices, addresses and uniform values are what accesses and declarations say") {
  for (const spirv::Target target : test::native_targets()) {
    const test::WithNative native(target);
    for (const Case& c : cases) check(c, nullptr);
  }
}

TEST_CASE("the same on the tangled machine") {
  const Convergence maximal;
  for (const Case& c : cases) check(c, &maximal);
}

TEST_CASE("lanes that stay apart need not agree on a subgroupuniform value") {
  Chooser apart = Chooser::rejoin_none();
  const Convergence core{.rule = Rule::core, .chooser = &apart};
  const auto found = [](const Convergence* convergence) {
    return to_string(run("if (lane < 20u) { uint n = 0u; if (lane < 7u) n = 1u;\n"
                         "subgroupuniformEXT uint x = n; o[i] = n; }",
                         {Check::subgroupuniform_broken}, convergence)
                         .findings);
  };
  CHECK(found(&core) == "no findings");
  CHECK(found(nullptr) != "no findings");
}

TEST_CASE("accesses outside rows are made all the same, and unchecked runs do not look") {
  const std::string body = "o[i] = i == 0u ? 5u : 6u; rows[0].cells[4u + (i & 1u)] = 7u;";
  const auto unchecked = run(body, {});
  CHECK(unchecked.findings.count() == 0);
  CHECK(unchecked.faults == 0);
  CHECK(run(body, {Check::data_race, Check::out_of_bounds}).findings.count() > 0);
  const FaultLog others = run(body, Checks::all().without(Check::out_of_bounds)).findings;
  for (const Finding& f : others.findings()) CHECK(f.rule != "out-of-bounds");
}

TEST_CASE("subgroupuniformEXT is no constructor here, and the compiler says so") {
  CHECK_THROWS_WITH(run("uint x = subgroupuniformEXT(i);", {}),
                    Catch::Matchers::Contains("declare a variable subgroupuniformEXT"));
}

TEST_CASE("one run cannot be checked for what only comparing runs tells") {
  CHECK_THROWS_WITH(
      run("o[i] = i;", {Check::hidden_size}),
      Catch::Matchers::Contains("hidden-size") && Catch::Matchers::Contains("lockstep explore"));
}

TEST_CASE("comments in a text that is no file allow what is found in their lines") {
  const std::string body = "o[i] = head[8u + i]; // lockstep: allow ";
  CHECK(run(body + "data-race", expected_checks()).findings.count() == 64);
  CHECK(run(body + "out-of-bounds", expected_checks()).findings.count() == 0);
}
