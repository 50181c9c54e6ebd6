#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/shader.hpp>

#include "shader/front/newer_operations.hpp"
#include "spirv/assembly.hpp"

/// \file
/// Modules that no validator has seen: those that are too new for it run, and wrong ones are refused.

using namespace lockstep;
using lockstep::test::AssemblyParts;
using lockstep::test::one_buffer;

namespace {

ModuleOptions unchecked() {
  ModuleOptions options;
  options.validate = false;
  return options;
}

/// What the engine says of a module with these parts.
std::string message_of(const AssemblyParts& parts) {
  std::vector<std::uint32_t> numbers(8);
  try {
    const Module module = Module::from_assembly(one_buffer(parts), unchecked(), "a.spvasm");
    Shader::from_module(module).bind(0, numbers).dispatch({1});
  } catch (const Error& error) {
    return error.what();
  }
  return "it runs";
}

std::string message_of(const std::string& declarations, const std::string& body) {
  return message_of({.declarations = declarations, .body = body});
}

/// The words with an instruction of two before the first.
std::vector<std::uint32_t> with_capability(std::span<const std::uint32_t> words,
                                           std::uint32_t number) {
  std::vector<std::uint32_t> made(words.begin(), words.end());
  made.insert(made.begin() + 5, {2u << 16 | 17u, number});
  return made;
}

}  // namespace

TEST_CASE("a capability that the validator does not know is no obstacle without it") {
  const Module known =
      Module::from_assembly(one_buffer({.body = "OpStore %place %i\n"}), unchecked());
  const auto words = with_capability(known.words(), 6912);
  CHECK_THROWS_WITH(Module::from_words(words), Catch::Contains("is not valid"));
  std::vector<std::uint32_t> out(8);
  Shader::from_module(Module::from_words(words, unchecked())).bind(0, out).dispatch({1});
  CHECK(out == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("a capability without its operand is an error, also at the end of the module") {
  const std::vector<std::uint32_t> words{0x07230203, 0x00010300, 0, 1, 0, 1u << 16 | 17u};
  // The vector ends there, too, which sanitizers notice.
  CHECK_FALSE(spirv::is_beyond_validator(words));
  CHECK_THROWS_WITH(Module::from_words(words), Catch::Contains("is not valid"));
  CHECK_THROWS_WITH(Module::from_words(words, unchecked()), Catch::Contains("too few operands"));
}

TEST_CASE("features that are newer than the headers are refused by name") {
  const Module known =
      Module::from_assembly(one_buffer({.body = "OpStore %place %i\n"}), unchecked());
  const std::pair<std::uint32_t, const char*> newer[] = {
      {4174, "tensors"},          {4495, "tiles of an image"},   {5120, "aborts"},
      {5128, "descriptor heaps"}, {5394, "cooperative vectors"},
  };
  for (const auto& [number, name] : newer) {
    const auto words = with_capability(known.words(), number);
    CHECK_THROWS_WITH(Module::from_words(words, unchecked()),
                      Catch::EndsWith("OpCapability: " + std::string(name) + " (capability " +
                                      std::to_string(number) + ") are not supported"));
  }
}

TEST_CASE("operands of the wrong type are refused without a validator") {
  const std::string doubles = "%double = OpTypeFloat 64\n%d = OpConstant %double 1\n";
  const std::string pairs =
      "%pair = OpTypeVector %uint 2\n%two = OpConstantComposite %pair %zero %zero\n";
  const std::string yes = "%yes = OpConstantTrue %bool\n";
  CHECK_THAT(message_of(doubles, "%x = OpIAdd %uint %i %d\n"),
             Catch::EndsWith("has an operand or result of the wrong type"));
  CHECK_THAT(message_of(doubles, "%x = OpIAdd %double %i %i\n"),
             Catch::EndsWith("has an operand or result of the wrong type"));
  CHECK_THAT(message_of(yes, "%x = OpIAdd %uint %i %yes\n"),
             Catch::EndsWith("has an operand or result of the wrong type"));
  CHECK_THAT(message_of("", "%x = OpSelect %uint %i %i %i\n"),
             Catch::EndsWith("has an operand or result of the wrong type"));
  CHECK_THAT(message_of(doubles + "%mixed = OpTypeStruct %double %uint\n",
                        "%x = OpCompositeConstruct %mixed %i %d\n"),
             Catch::EndsWith("OpCompositeConstruct: has a result whose type differs from its own"));
  CHECK_THAT(message_of(doubles + "%both = OpTypeVector %double 2\n"
                                  "%c = OpConstantComposite %both %zero %zero\n",
                        ""),
             Catch::EndsWith("OpConstantComposite: has a result whose type differs from its own"));
  CHECK_THAT(message_of(pairs, "%x = OpIAdd %uint %i %two\n"),
             Catch::EndsWith("has operands of unequal sizes"));
  CHECK_THAT(message_of(doubles, "OpStore %place %d\n"),
             Catch::EndsWith("has an operand or result of the wrong type"));
  CHECK_THAT(message_of("%set = OpExtInstImport \"GLSL.std.450\"\n%one = OpConstant %float 1\n",
                        "%x = OpExtInst %float %set Pow %one %one\n"),
             Catch::Equals("it runs"));
}

TEST_CASE("types of floats that are not IEEE's are refused by name") {
  // The assembler of today knows no third operand, so the word is put in by hand.
  const Module known =
      Module::from_assembly(one_buffer({.declarations = "%half = OpTypeFloat 16\n"}), unchecked());
  std::vector<std::uint32_t> words(known.words().begin(), known.words().end());
  for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xffff) != 22 || words[at + 2] != 16) continue;
    words[at] += 1u << 16;
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(at) + 3, 0u);
    break;
  }
  CHECK_THROWS_WITH(
      Shader::from_module(Module::from_words(words, unchecked())),
      Catch::EndsWith("floats of other encodings, such as bfloat16, are not supported"));
}

TEST_CASE("control flow that is not structured is refused without a validator") {
  const std::string yes = "%yes = OpConstantTrue %bool\n";
  CHECK_THAT(message_of(yes, "OpBranch %entry\n%rest = OpLabel\n"),
             Catch::Contains("not structured"));
  CHECK_THAT(message_of(yes, "OpBranch %nowhere\n%rest = OpLabel\n"),
             Catch::Contains("has no block"));
  CHECK_THAT(message_of(yes,
                        "OpSelectionMerge %rest None\nOpBranchConditional %i %left %rest\n"
                        "%left = OpLabel\nOpBranch %rest\n%rest = OpLabel\n"),
             Catch::EndsWith("has an operand or result of the wrong type"));
}

TEST_CASE("every truncated or changed module is refused or runs, without a validator") {
  const Module known = Module::from_glsl(
      "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : require\n"
      "layout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint d[]; };\n"
      "void main() { uint i = gl_GlobalInvocationID.x; uint s = 0u;\n"
      "for (uint k = 0u; k < i; ++k) { if (k == 5u) break; s += d[k]; }\n"
      "d[i] = subgroupAdd(s); }\n");
  std::mt19937 random(7);
  std::size_t refused = 0, ran = 0;
  for (int turn = 0; turn < 1500; ++turn) {
    std::vector<std::uint32_t> words(known.words().begin(), known.words().end());
    const std::size_t at = 5 + random() % (words.size() - 5);
    words[at] = turn % 2 == 0 ? static_cast<std::uint32_t>(random() % words[3])
                              : words[5 + random() % (words.size() - 5)];
    std::vector<std::uint32_t> numbers(8, 1);
    try {
      DispatchSettings settings;
      settings.max_steps = 10;
      settings.threads = 1;
      Shader::from_module(Module::from_words(words, unchecked()))
          .bind(0, numbers)
          .dispatch({1}, settings);
      ++ran;
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(ran > 100);
  CHECK(refused > 100);
}
