#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/checks.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/shader.hpp>

/// \file
/// Modules in assembly have the lines and the names of their text.

namespace {

using namespace lockstep;

constexpr std::uint32_t op_name = 5, op_line = 8;

/// Line 1 is that of OpCapability.
const std::string assembled_text = R"(OpCapability Shader
OpExtension "SPV_KHR_storage_buffer_storage_class"  ; "OpLabel" in a comment ; OpLabel
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "OpLabel \" main" %index
OpExecutionMode %main
  LocalSize 4 1 1
OpSource GLSL 450
OpName %named "given"
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %array ArrayStride 4
OpDecorate %Data Block
OpMemberDecorate %Data 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
OpDecorate %named DescriptorSet 0 OpDecorate %named Binding 1

%void = OpTypeVoid
%start = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%two = OpConstant %uint 2
%array = OpTypeArray %uint %two
%Data = OpTypeStruct
  %array
%pointer = OpTypePointer StorageBuffer %Data
%element = OpTypePointer StorageBuffer %uint
%input = OpTypePointer Input %uint
%index = OpVariable %input Input
%data = OpVariable %pointer StorageBuffer
%named = OpVariable %pointer StorageBuffer
%main = OpFunction %void None %start
%1 = OpLabel
%i = OpLoad %uint %index
%less = OpULessThan %bool %i %two
OpSelectionMerge %3 None
OpBranchConditional
  %less %2 %3
%2 = OpLabel
%at = OpAccessChain %element %data %zero %i
OpStore
  %at %i
OpBranch %3
%3 = OpLabel
%other = OpAccessChain %element %named %zero %zero
OpStore %other %i
OpReturn
OpFunctionEnd
)";

struct WrittenPlaces {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;  ///< opcode and line
  std::map<std::uint32_t, std::string> names;
};

/// What the words say of an instruction with a line: that of the OpLine before it.
WrittenPlaces written_places(std::span<const std::uint32_t> words) {
  WrittenPlaces places;
  std::uint32_t line = 0;
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    const std::uint32_t opcode = words[at] & 0xffff;
    if (opcode == op_line)
      line = words[at + 2];
    else if (opcode == op_name)
      places.names[words[at + 1]] = reinterpret_cast<const char*>(&words[at + 2]);
    else if (line > 0)
      places.lines.emplace_back(opcode, line);
  }
  return places;
}

}  // namespace

TEST_CASE("assembly: each instruction has the line of its opcode, but a branch that of its merge") {
  const Module module = Module::from_assembly(assembled_text);
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected = {
      {19, 17},  {33, 18},  {20, 19},  {21, 20},  {43, 21},  {43, 22}, {28, 23}, {30, 24},
      {32, 26},  {32, 27},  {32, 28},  {59, 29},  {59, 30},  {59, 31}, {54, 32}, {248, 33},
      {61, 34},  {176, 35}, {247, 36}, {250, 36}, {248, 39}, {65, 40}, {62, 41}, {249, 43},
      {248, 44}, {65, 45},  {62, 46},  {253, 47}, {56, 48}};
  CHECK(written_places(module.words()).lines == expected);
}

TEST_CASE("assembly: variables and structures have their names, unless they have others") {
  const WrittenPlaces places = written_places(Module::from_assembly(assembled_text).words());
  std::map<std::string, int> count;
  for (const auto& [id, name] : places.names) ++count[name];
  CHECK(count == std::map<std::string, int>{{"Data", 1}, {"data", 1}, {"given", 1}, {"index", 1}});
}

TEST_CASE("assembly: a finding says its line") {
  std::vector<std::uint32_t> data(2), other(2);
  ShaderOptions options;
  options.entry = "OpLabel \" main";
  Shader shader = Shader::from_assembly(assembled_text, options, "a.spvasm");
  shader.bind(0, data).bind(1, other);
  const auto run = shader.dispatch({1}, {.checks = Checks::all()});
  CHECK(data == std::vector<std::uint32_t>{0, 1});
  REQUIRE(run.findings.findings().size() == 1);
  const Finding& finding = run.findings.findings().front();
  CHECK(finding.rule == "lockstep-exchange");
  CHECK(std::string(finding.where.file) == "a.spvasm");
  CHECK(finding.where.line == 46);
}

TEST_CASE("assembly: a module with lines of its own keeps them") {
  std::string lines = assembled_text;
  lines.insert(lines.find("OpName"), "%file = OpString \"b.comp\"\n");
  lines.insert(lines.find("OpStore %other"), "OpLine %file 7 3\n");
  const WrittenPlaces places = written_places(Module::from_assembly(lines).words());
  CHECK(places.lines ==
        std::vector<std::pair<std::uint32_t, std::uint32_t>>{{62, 7}, {253, 7}, {56, 7}});
  CHECK(places.names.size() == 1);
}

TEST_CASE("assembly: instructions that the assembler does not know have lines, too") {
  std::string newer = assembled_text;
  newer.replace(0, newer.find('\n'),
                "OpCapability Shader OpCapability GroupNonUniform OpCapability QuadControlKHR");
  newer.insert(newer.find("OpMemoryModel"), "OpExtension \"SPV_KHR_quad_control\" ");
  newer.insert(newer.find("OpSelectionMerge"), "%all = OpGroupNonUniformQuadAllKHR %bool %less\n");
  ModuleOptions options;
  options.target = "spv1.3";
  const WrittenPlaces places = written_places(Module::from_assembly(newer, options).words());
  constexpr std::uint32_t quad_all = 5110;
  CHECK(std::ranges::count(places.lines, std::pair{quad_all, 36u}) == 1);
  REQUIRE(!places.lines.empty());
  CHECK(places.lines.back() == std::pair{56u, 49u});
}
