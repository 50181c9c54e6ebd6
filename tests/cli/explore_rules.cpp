#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <lockstep/exec/checks.hpp>

#include "cli/run_fixture.hpp"

/// \file
/// The rules that only comparing runs tells: their examples, and what is no case of them.

using namespace lockstep;

namespace {

struct RulesFixture {
  Directory directory;

  /// The rules that explore finds, as "rule:line".
  std::set<std::string> rules_of(const std::string& text, const std::string& options) const {
    write(directory / "shader.comp", text);
    const Outcome outcome =
        run_program("explore --json " + (directory / "shader.comp") + " --groups 2 " + options);
    INFO(text << "\n" << outcome.out << outcome.err);
    REQUIRE(outcome.exit_code <= 1);
    std::set<std::string> rules;
    const nlohmann::json report = nlohmann::json::parse(outcome.out);
    for (const auto& finding : report["findings"])
      rules.insert(finding["rule"].get<std::string>() + ":" + finding["line"].dump());
    return rules;
  }
};

const std::string example_data =
    "--buffer 0=iota:u32:128 --buffer 1=zeros:u32:128 --buffer 2=zeros:u32:1 "
    "--buffer 3=zeros:u32:2 --target-env vulkan1.2 --subgroup-size 32 --sizes 8,16,64 "
    "--vary subgroup-size,partial-subgroups --budget 60";

const std::string bug_data =
    "--buffer 0=iota:u32:512 --buffer 1=zeros:u32:512 --target-env vulkan1.2 --subgroup-size 32 "
    "--sizes 8,16,64 --vary subgroup-size,partial-subgroups --budget 60";

std::string example(std::string_view statements) {
  return std::string(check_declarations()) + "void main() {\n" + std::string(statements) + "\n}\n";
}

std::string counting(const std::string& statement) {
  return R"(#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
void main() {
)" + statement +
         "\n}\n";
}

const std::string counting_data =
    "--buffer 0=zeros:u32:128 --target-env vulkan1.2 --subgroup-size 32 --sizes 16,32 --budget 100 "
    "--vary subgroup-size,partial-subgroups";

}  // namespace

TEST_CASE_METHOD(RulesFixture,
                 "explore finds the wrong example of its rules, and nothing in the right one") {
  for (const CheckInfo& info : all_checks()) {
    if (!info.explored) continue;
    INFO(info.name);
    bool found = false;
    for (const std::string& rule : rules_of(example(info.wrong), example_data))
      found = found || rule.starts_with(std::string(info.name) + ":");
    CHECK(found);
    CHECK(rules_of(example(info.right), example_data).empty());
  }
}

TEST_CASE_METHOD(
    RulesFixture,
    "size-as-count names each read of the size, where the number of invocations mends it") {
  const auto found = rules_of(counting("if (subgroupElect())\n"
                                       "atomicAdd(o[0], gl_SubgroupSize * 3u);"),
                              counting_data);
  CHECK(found == std::set<std::string>{"size-as-count:8"});
  // The number of invocations would not mend it: it is the number of subgroups that differs.
  CHECK(rules_of(counting("if (subgroupElect()) atomicAdd(o[0], gl_SubgroupSize == 0u ? 2u : 1u);"),
                 counting_data)
            .empty());
  // Required by the specification, not by the shader.
  CHECK(rules_of(counting("if (subgroupElect()) atomicAdd(o[0], gl_SubgroupSize);"),
                 counting_data + " --full-subgroups")
            .empty());
}

TEST_CASE_METHOD(RulesFixture,
                 "hidden-size names numbers that are a size's, where the result depends on it") {
  const std::string data = counting_data + " --full-subgroups";
  const std::string sum = "uint i = gl_GlobalInvocationID.x, s = subgroupAdd(i);\n";
  CHECK(rules_of(counting(sum + "o[i] = i / 32u + s;"), data) ==
        std::set<std::string>{"hidden-size:8"});
  CHECK(rules_of(counting(sum + "o[i] = (i >> 5u) + s;"), data) ==
        std::set<std::string>{"hidden-size:8"});
  CHECK(rules_of(counting(sum + "o[i] = (i & 31u) + s;"), data) ==
        std::set<std::string>{"hidden-size:8"});
  // It depends on the size, but says so.
  CHECK(rules_of(counting(sum + "o[i] = i / gl_SubgroupSize + s;"), data).empty());
  // A number alone is none.
  CHECK(rules_of(counting(sum + "o[i] = i / 32u;"), data).empty());
}

TEST_CASE_METHOD(
    RulesFixture,
    "explore finds the bug of each shader, in its line, and none in the repaired one") {
  std::size_t shaders = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(LOCKSTEP_KERNELS_DIR "/../tests/bugs/explored")) {
    INFO(entry.path().filename().string());
    std::set<std::string> bugs;
    std::ostringstream text;
    std::ifstream file(entry.path());
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
      text << line << "\n";
      const std::string mark = "// BUG ";
      if (const std::size_t at = line.find(mark); at != std::string::npos)
        bugs.insert(line.substr(at + mark.size()) + ":" + std::to_string(number));
    }
    const bool repaired = entry.path().filename().string().ends_with(".repaired.comp");
    CHECK(bugs.size() == (repaired ? 0 : 1));
    CHECK(rules_of(text.str(), bug_data) == bugs);
    ++shaders;
  }
  CHECK(shaders == 4);
}
