#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include <lockstep/dispatch/detail/needs.hpp>

#include "shader/front/compile.hpp"
#include "shader/ir/built_ins.hpp"
#include "shader/lower/lower.hpp"
#include "shader/lower/needs.hpp"
#include "shader/run/ops/functions.hpp"

/// \file
/// Each row of the table of built-ins from GLSL to the function that runs: glslang says which opcode and capability
/// a call has.

using namespace lockstep;
using namespace lockstep::spirv;

namespace {

/// The types of GLSL that the row takes, one of each kind.
std::vector<std::string> types_of(const spec::BuiltIn& built_in) {
  if (built_in.types == "T5") return {"float", "double", "int", "uint", "bool"};
  if (built_in.types == "TN") return {"float", "double", "int", "uint"};
  if (built_in.types == "TI") return {"int", "uint", "bool"};
  if (built_in.types == "float, int, uint") return {"float", "int", "uint"};
  return {"bool"};
}

/// Its arguments in GLSL, with a value of that type.
std::string arguments_of(const spec::BuiltIn& built_in, const std::string& type) {
  const std::string value = type == "bool" ? "u < 9u" : type + "(u)";
  switch (built_in.form) {
    case spec::Form::nothing:
      return "";
    case spec::Form::condition:
    case spec::Form::condition_to_ballot:
    case spec::Form::comparison:
    case spec::Form::value:
    case spec::Form::value_to_ballot:
      return value;
    case spec::Form::value_index:
      return value + ", 1u";
    case spec::Form::value_index_cluster:
      return value + ", 1u, 4u";
    case spec::Form::value_cluster:
      return value + ", 4u";
    case spec::Form::value_ballot:
      return value + ", uvec4(~0u)";
    case spec::Form::ballot:
      return "uvec4(u)";
    case spec::Form::ballot_index:
      return "uvec4(u), u";
  }
  return "";
}

std::string shader_of(const spec::BuiltIn& built_in, const std::string& type) {
  std::string text = "#version 460\n#extension GL_KHR_shader_subgroup_basic : require\n";
  if (built_in.place.extension.starts_with("GL_"))
    text += fmt::format("#extension {} : require\n", built_in.place.extension);
  const std::string call = fmt::format("{}({})", built_in.name, arguments_of(built_in, type));
  const bool makes_ballot = built_in.form == spec::Form::value_to_ballot ||
                            built_in.form == spec::Form::condition_to_ballot;
  const bool of_64_bits = built_in.name == "ballotARB";
  if (of_64_bits) text += "#extension GL_ARB_gpu_shader_int64 : require\n";
  return text + fmt::format(R"(layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data {{ uint data[]; }};
void main() {{
  uint u = gl_LocalInvocationIndex;
  data[u] = uint({}{});
}}
)",
                            call, makes_ballot && !of_64_bits ? ".x" : "");
}

/// Of the row's opcodes, those that the module has.
std::set<int> opcodes_in(const Module& module, const spec::BuiltIn& built_in) {
  std::set<int> found;
  const auto words = module.words();
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16)
    for (const spec::Opcode& opcode : built_in.opcodes)
      if (!opcode.name.empty() && static_cast<int>(words[at] & 0xffff) == opcode.number)
        found.insert(opcode.number);
  return found;
}

/// The function that runs the operation, as the assembler chooses it.
Run function_of(const Op& op) {
  const spec::Name name = name_of(op);
  if (spec::function(name).form == spec::Form::value_ballot)
    return functions().find_partitioned(op.type, 128);
  return std::holds_alternative<Reduction>(op.detail)
             ? functions().find_reduction(name, op.type, 128)
             : functions().find_subgroup(name, op.type, 128);
}

/// Checks a call of the function with a value of that type; returns the opcodes that it has.
std::set<int> check_call(spec::Name name, const std::string& type) {
  const spec::BuiltIn& built_in = spec::function(name);
  const std::string text = shader_of(built_in, type);
  INFO(text);
  const Module module(compile_glsl(text, "row.comp", {}).words, "row.comp");
  CHECK(module.has_capability(static_cast<spv::Capability>(built_in.place.capability.number)));
  const Ir ir = lower(module, {});
  int calls = 0;
  for (const Op& op : ir.ops) {
    if (!is_subgroup(op.code)) continue;
    ++calls;
    CHECK(row_of(name_of(op)).code == row_of(name).code);
    CHECK(function_of(op) != nullptr);
    // Older names are told by that of the operation's first row.
    const bool is_first = is_first_of_operation(name);
    CHECK((spec::function(name_of(op)).name == built_in.name) == is_first);
    CHECK(is_first == (built_in.name.starts_with("subgroup")));
  }
  CHECK(calls == 1);
  const Features needs = needs_of(module, ir);
  CHECK(needs.contain(lockstep::detail::features_of_built_in(name)));
  return opcodes_in(module, built_in);
}

}  // namespace

TEST_CASE("each row of the table of built-ins runs in shaders, with its opcodes and features") {
  for (std::size_t k = 0; k < spec::functions().size(); ++k) {
    const auto name = static_cast<spec::Name>(k);
    const spec::BuiltIn& built_in = spec::function(name);
    INFO(built_in.name);
    std::set<int> expected, found;
    for (const spec::Opcode& opcode : built_in.opcodes)
      if (!opcode.name.empty()) expected.insert(opcode.number);
    for (const std::string& type : types_of(built_in)) found.merge(check_call(name, type));
    CHECK(found == expected);
  }
}

TEST_CASE("built-in variables and barriers of the table run in shaders") {
  std::string text =
      "#version 460\n#extension GL_KHR_shader_subgroup_basic : require\n"
      "#extension GL_KHR_shader_subgroup_ballot : require\n"
      "layout(local_size_x = 32) in;\n"
      "layout(set = 0, binding = 0) buffer Data { uint data[]; };\nvoid main() {\n";
  std::set<int> variables, decorated;
  for (const spec::BuiltIn& variable : spec::variables()) {
    const bool is_mask = variable.name.ends_with("Mask");
    text += fmt::format("  data[gl_LocalInvocationIndex] += {}{};\n", variable.name,
                        is_mask ? ".x" : "");
    variables.insert(variable.opcodes[0].number);
  }
  std::set<int> barriers;
  for (const spec::BuiltIn& barrier : spec::barriers()) {
    text += fmt::format("  {}();\n", barrier.name);
    barriers.insert(barrier.opcodes[0].number);
  }
  const Module module(compile_glsl(text + "}\n", "row.comp", {}).words, "row.comp");
  std::set<int> found;
  const auto words = module.words();
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16)
    if (barriers.contains(static_cast<int>(words[at] & 0xffff)))
      found.insert(static_cast<int>(words[at] & 0xffff));
  CHECK(found == barriers);
  for (const BuiltInUse& use : lower(module, {}).built_ins)
    decorated.insert(static_cast<int>(use.built_in));
  decorated.erase(static_cast<int>(spv::BuiltIn::LocalInvocationIndex));
  CHECK(decorated == variables);
}
