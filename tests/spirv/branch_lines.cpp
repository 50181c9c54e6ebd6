#include <cstddef>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/module.hpp>

#include "shader/front/branch_lines.hpp"

/// \file
/// Branches have the lines where the source has their constructs.

namespace {

using namespace lockstep;

using Lines = std::set<std::uint32_t>;

/// The lines that branches, switches and loops have in the module, those of OpLine.
Lines lines_of_branches(const Module& module) {
  constexpr std::uint32_t line = 8, loop_merge = 246, branch_conditional = 250, switch_ = 251;
  Lines lines;
  std::uint32_t now = 0;
  const auto words = module.words();
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    const std::uint32_t opcode = words[at] & 0xffff;
    if (opcode == line) now = words[at + 2];
    if (opcode == loop_merge || opcode == branch_conditional || opcode == switch_)
      lines.insert(now);
  }
  return lines;
}

/// The lines of a text that end with the mark.
Lines marked(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.ends_with("//@")) lines.insert(number);
  }
  return lines;
}

void check_glsl(const std::string& body) {
  const std::string text = "#version 460\nlayout(local_size_x = 8) in;\n" + body;
  INFO(text);
  CHECK(lines_of_branches(Module::from_glsl(text)) == marked(text));
}

}  // namespace

TEST_CASE("branch lines: glslang gives no line to branches on variables") {
  check_glsl(R"(
layout(binding = 0) buffer Data { uint data[]; };
uint twice(bool b, uint x) {
  uint y = x;
  if (b)                                     //@
    return 2u * y;
  return y;
}
void main() {
  uint i = gl_LocalInvocationIndex;
  bool odd = (i & 1u) == 1u, small = i < 3u;
  uint x = i;
  if (odd) {                                 //@
    if (small) {                             //@
      x = 1u;
    }
  } else if (small) {                        //@
    x = 2u;
  } else if (i == 4u) {                      //@
    x = 3u;
  }
  while (small) {                            //@
    if (x > 7u) break;                       //@
    x += 1u;
    small = x < 6u;
  }
  if (odd)                                   //@
    x += twice(odd, x);
  do {
    x += 1u;
    odd = x < 9u;
  } while (odd);                             //@
  switch (i) {                               //@
    case 0u:
      if (small)                             //@
        x = 4u;
      break;
    case 1u:
      x = 5u;
      break;
    default:
      x = 6u;
  }
  if (odd) x = 7u;                           //@
  if (odd) x = 8u;                           //@
  if (odd) {                                 //@
    for (uint k = 0u; k < 3u; ++k) x += k;   //@
  }
  data[i] = x;
}
)");
}

TEST_CASE("branch lines: operators and conditions on several lines stay where they are") {
  check_glsl(R"(
layout(binding = 0) buffer Data { uint data[]; };
uint f(uint x) { return x + data[x]; }
void main() {
  uint i = gl_LocalInvocationIndex;
  bool odd = (i & 1u) == 1u;
  uint x = odd ? f(1u) : f(2u);              //@
  if (odd) {                                 //@
    x = 1u;
  }
  if (odd && f(x) > 3u) {                    //@
    if (odd) x = 2u;                         //@
  }
  if (f(x) > 1u ||                           //@
      f(x + 1u) > 2u) {
    x = 3u;
  }
  data[i] = x;
}
)");
}

TEST_CASE("branch lines: words of code that is not compiled do not count") {
  check_glsl(R"(
layout(binding = 0) buffer Data { uint data[]; };
#define SET(to) \
  if (false) {} \
  x = to
void main() {
  uint i = gl_LocalInvocationIndex;
  bool odd = (i & 1u) == 1u;
  uint x = 1u;
  // if (odd) in a comment
#if 0
  if (odd) x = 9u;
#endif
  if (odd) {                                 //@
    x = 2u;
  }
  data[i] = x;
}
)");
}

TEST_CASE("branch lines: of HLSL before functions are inlined") {
  const std::string text = R"(RWStructuredBuffer<uint> data : register(u0);
uint twice(bool b, uint x) {
  uint y = x;
  if (b) {                                   //@
    y = data[y];
  }
  return y;
}
[numthreads(8, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  bool odd = (id.x & 1) == 1;
  uint x = data[id.x];
  if (odd) {                                 //@
    x = data[x];
  }
  x += twice(odd, x);
  data[id.x] = x + twice(!odd, x);
}
)";
  CHECK(lines_of_branches(Module::from_hlsl(text)) == marked(text));
}

namespace {

/// A module whose main has that body; `%v` and `%x` are variables, `%file` is the name of a source with the text, unless that is
/// empty.
std::string module_of(const std::string& text, const std::string& body,
                      const std::string& debug = "") {
  return R"(OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%info = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 8 1 1
%file = OpString "a.comp"
%text = OpString ")" +
         text + "\"\nOpSource GLSL 460 %file" + (text.empty() ? "" : " \"" + text + "\"") + R"(
%void = OpTypeVoid
%start = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%c0 = OpConstant %uint 0
%c1 = OpConstant %uint 1
%c2 = OpConstant %uint 2
%c3 = OpConstant %uint 3
%c5 = OpConstant %uint 5
%true = OpConstantTrue %bool
%to_bool = OpTypePointer Private %bool
%to_uint = OpTypePointer Private %uint
%v = OpVariable %to_bool Private
%x = OpVariable %to_uint Private
)" + debug +
         "%main = OpFunction %void None %start\n%begin = OpLabel\n" + body +
         "OpReturn\nOpFunctionEnd\n";
}

Module assembled(const std::string& text) {
  ModuleOptions options;
  options.target = "spv1.3";
  return Module::from_assembly(text, options);
}

const std::string source = R"(
void main() {
  v = true;
  if (v) { x = 1u; }                         //@
  if (v)                                     //@
    x = 2u;
  switch (x) {                               //@
    case 2u: x = 3u;
  }
}
)";

}  // namespace

TEST_CASE("branch lines: newer glslang begins blocks with the line of the statement before") {
  const std::string body = R"(OpLine %file 3 0
OpStore %v %true
%1 = OpLoad %bool %v
OpSelectionMerge %m1 None
OpBranchConditional %1 %t1 %m1
%t1 = OpLabel
OpLine %file 4 0
OpStore %x %c1
OpBranch %m1
%m1 = OpLabel
OpLine %file 4 0
%2 = OpLoad %bool %v
OpSelectionMerge %m2 None
OpBranchConditional %2 %t2 %m2
%t2 = OpLabel
OpLine %file 6 0
OpStore %x %c2
OpBranch %m2
%m2 = OpLabel
OpLine %file 6 0
%3 = OpLoad %uint %x
OpSelectionMerge %m3 None
OpSwitch %3 %m3 2 %t3
%t3 = OpLabel
OpLine %file 8 0
OpStore %x %c3
OpBranch %m3
%m3 = OpLabel
)";
  CHECK(lines_of_branches(assembled(module_of(source, body))) == marked(source));
  // Without its text nothing is known.
  CHECK(lines_of_branches(assembled(module_of("", body))) == Lines{3, 4, 6});
}

TEST_CASE("branch lines: DXC places branches, and ends lines with their blocks") {
  const std::string body = R"(OpLine %file 3 5
OpStore %v %true
OpLine %file 4 7
%1 = OpLoad %bool %v
OpLine %file 4 3
OpSelectionMerge %m1 None
OpBranchConditional %1 %t1 %m1
%t1 = OpLabel
OpLine %file 4 14
OpStore %x %c1
OpLine %file 4 20
OpBranch %m1
%m1 = OpLabel
OpLine %file 5 7
%2 = OpLoad %bool %v
OpLine %file 5 3
OpSelectionMerge %m2 None
OpBranchConditional %2 %t2 %m2
%t2 = OpLabel
OpLine %file 6 7
OpStore %x %c2
OpNoLine
OpBranch %m2
%m2 = OpLabel
OpLine %file 7 11
%3 = OpLoad %uint %x
OpLine %file 7 3
OpSelectionMerge %m3 None
OpSwitch %3 %m3 2 %t3
%t3 = OpLabel
OpLine %file 8 16
OpStore %x %c3
OpBranch %m3
%m3 = OpLabel
)";
  const Module module = assembled(module_of(source, body));
  CHECK(lines_of_branches(module) == marked(source));
  const std::vector<std::uint32_t> words(module.words().begin(), module.words().end());
  CHECK(spirv::with_branch_lines(words) == words);
}

TEST_CASE("branch lines: Slang has DebugLine, and none for some branches") {
  const std::string debug = R"(%debug = OpExtInst %void %info DebugSource %file %text
)";
  const std::string body = R"(%l3 = OpExtInst %void %info DebugLine %debug %c3 %c3 %c0 %c0
OpStore %v %true
%1 = OpLoad %bool %v
OpSelectionMerge %m1 None
OpBranchConditional %1 %t1 %m1
%t1 = OpLabel
OpStore %x %c1
OpBranch %m1
%m1 = OpLabel
%l5 = OpExtInst %void %info DebugLine %debug %c5 %c5 %c0 %c0
%2 = OpLoad %bool %v
OpSelectionMerge %m2 None
OpBranchConditional %2 %t2 %m2
%t2 = OpLabel
OpStore %x %c2
OpBranch %m2
%m2 = OpLabel
)";
  // The branch on line 5 has its DebugLine, and no OpLine.
  CHECK(lines_of_branches(assembled(module_of(source, body, debug))) == Lines{4});
}

TEST_CASE("branch lines: what is no whole module stays as it is") {
  for (const std::vector<std::uint32_t>& words : {std::vector<std::uint32_t>{},
                                                  {1, 2, 3},
                                                  {1, 2, 3, 4, 5, 0},
                                                  {1, 2, 3, 4, 5, 0x000400fa, 1}})
    CHECK(spirv::with_branch_lines(words) == words);
}
