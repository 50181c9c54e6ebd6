#include <catch2/catch.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/run_fixture.hpp"
#include "io/npy.hpp"

/// \file
/// `lockstep verify --mutate`, `inspect --mutants`, and --mutant.

namespace {

using Json = nlohmann::ordered_json;

/// Reverses the numbers of each workgroup through shared memory, and counts those below 40.
const std::string reverse =
    "#version 450\n"
    "layout(local_size_x = 16) in;\n"
    "layout(binding = 0) buffer In { uint in_[]; };\n"
    "layout(binding = 1) buffer Out { uint out_[]; };\n"
    "layout(binding = 2) buffer Count { uint small; };\n"
    "shared uint s[16];\n"
    "void main() {\n"
    "  const uint i = gl_LocalInvocationID.x, g = gl_GlobalInvocationID.x;\n"
    "  s[i] = in_[g];\n"
    "  barrier();\n"
    "  out_[g] = s[15u - i];\n"
    "  if (in_[g] < 20u)\n"
    "    atomicAdd(small, 1u);\n"
    "  if (in_[g] > 1000u)\n"
    "    out_[g] = 0u;\n"
    "}\n";

struct MutateFixture : RunFixture {
  Json entry = {{"file", "reverse.comp"},
                {"groups", 2},
                {"buffers", {{"0", "iota:u32:32"}, {"1", "zeros:u32:32"}, {"2", "zeros:u32:1"}}}};

  MutateFixture() {
    directory.write("reverse.comp", reverse);
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t k = 0; k < 32; ++k) numbers.push_back(k / 16 * 16 + 15 - k % 16);
    lockstep::npy::write<std::uint32_t>(directory / "reversed.npy", numbers);
  }
  std::string written() const {
    directory.write("lockstep.json", Json{{"entries", {{"reverse", entry}}}}.dump());
    return directory / "lockstep.json";
  }
};

/// Mutants by what noticed them, as "12 <= instead of <".
std::multiset<std::string> mutants(const Json& json, const Json& noticed_by) {
  std::multiset<std::string> all;
  for (const Json& mutant : json["entries"][0]["mutants"]) {
    if (mutant["noticed_by"] == noticed_by)
      all.insert(std::to_string(mutant["line"].get<int>()) + " " +
                 mutant["change"].get<std::string>());
  }
  return all;
}

using Lines = std::multiset<std::string>;

}  // namespace

TEST_CASE_METHOD(MutateFixture, "verify --mutate says what noticed each planted fault") {
  entry["expected"] = {{"1", "reversed.npy"}, {"2", "fill:u32:1:20"}};
  const Outcome outcome = run_program("verify --mutate --json --budget 20 " + written());
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  const Json json = Json::parse(outcome.out);
  CHECK(json["entries"][0]["result"] == "clean");
  CHECK(mutants(json, "check") ==
        Lines{"10 barrier() deleted",
              "10 barrier's scope of execution subgroup instead of workgroup",
              "10 barrier's scope of memory subgroup instead of workgroup",
              "13 atomic's scope workgroup instead of device"});
  CHECK(mutants(json, "expected result") == Lines{"12 <= instead of <"});
  CHECK(mutants(json, nullptr) == Lines{"14 >= instead of >"});
  const Json sum{{"all", 6}, {"noticed", 5}, {"not_noticed", 1}, {"never_ran", 0}, {"invalid", 0}};
  CHECK(json["mutants"] == sum);
}

TEST_CASE_METHOD(MutateFixture, "verify --mutate tells of mutants in all of its reports") {
  entry["expected"] = {{"1", "reversed.npy"}, {"2", "fill:u32:1:20"}};
  const std::string page = directory / "v.html", junit = directory / "v.xml",
                    sarif = directory / "v.sarif";
  const Outcome outcome = run_program("verify --mutate --budget 20 " + written() + " -o " + page +
                                      " --junit " + junit + " --sarif " + sarif);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  const std::string html = contents_of(page), xml = contents_of(junit);
  CHECK(contains(html, R"("change":">= instead of >")"));
  CHECK(contains(html, R"("mutants":{"all":6,"noticed":5,"not_noticed":1)"));
  CHECK(contains(html, R"("noticed_by":"expected result")"));
  CHECK(contains(xml, "tests=\"7\""));
  CHECK(contains(xml, "failures=\"1\""));
  CHECK(contains(xml, "reverse.comp:14: &gt;= instead of &gt;: nothing noticed it"));
  const Json log = Json::parse(contents_of(sarif));
  std::vector<Json> mutants;
  for (const Json& result : log["runs"][0]["results"])
    if (result["ruleId"] == "unnoticed-mutant") mutants.push_back(result);
  REQUIRE(mutants.size() == 1);
  CHECK(mutants[0]["message"]["text"] == "reverse, mutant 6: >= instead of >: nothing notices it");
  CHECK(mutants[0]["locations"][0]["physicalLocation"]["region"]["startLine"] == 14);
}

TEST_CASE_METHOD(MutateFixture,
                 "without expected results, a comparison that is off goes unnoticed") {
  const Outcome outcome = run_program("verify --mutate --budget 20 " + written());
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out,
                 "\nmutants  noticed  by checks  by exploring  by results  by time  by crashes  "
                 "never ran\n"
                 "reverse  4 of 6   4          -             -           -        -           -\n"
                 "    mutant 4, line 12: <= instead of <\n"
                 "    mutant 6, line 14: >= instead of >\n"));
}

TEST_CASE_METHOD(MutateFixture, "verify --mutate succeeds once everything is noticed") {
  std::string text = reverse;
  text.erase(text.find("  if (in_[g] > 1000u)"),
             text.rfind('}') - text.find("  if (in_[g] > 1000u)"));
  directory.write("reverse.comp", text);
  entry["expected"] = {{"1", "reversed.npy"}, {"2", "fill:u32:1:20"}};
  const Outcome outcome = run_program("verify --mutate --budget 20 " + written());
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "reverse  5 of 5   4"));
}

TEST_CASE_METHOD(MutateFixture, "verify --mutate names mutants whose lines never ran") {
  std::string text = reverse;
  text.replace(text.find("    out_[g] = 0u;"), 17, "    out_[g] = g == 2u ? 1u : 0u;");
  directory.write("reverse.comp", text);
  const Outcome outcome = run_program("verify --mutate --budget 20 " + written());
  INFO(outcome.out << outcome.err);
  CHECK(contains(outcome.out, "    mutant 7, line 15: == to one more (its line never ran)\n"));
  CHECK(contains(outcome.out, "reverse  4 of 7 "));
}

TEST_CASE_METHOD(MutateFixture, "entries that are not clean, and scripts, have no mutants") {
  std::string text = reverse;
  text.replace(text.find("  barrier();\n"), 13, "\n");
  directory.write("reverse.comp", text);
  directory.write("nothing.amber",
                  "#!amber\nSHADER compute s GLSL\n#version 450\nvoid main() {}\nEND\n"
                  "PIPELINE compute p\nATTACH s\nEND\nRUN p 1 1 1\n");
  const Outcome outcome =
      run_program("verify --mutate --budget 20 " + written() + " " + (directory / "nothing.amber"));
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, "    not clean, so that mutants would tell nothing\n"));
  CHECK(contains(outcome.out, "    scripts have no mutants\n"));
}

TEST_CASE_METHOD(MutateFixture, "a captured job's results notice mutants") {
  const std::string jobs = directory / "jobs";
  REQUIRE(run_program("capture " + written() + ":reverse --prepare -o " + jobs).exit_code == 0);
  const std::string job = jobs + "/reverse";
  REQUIRE(run_program("run " + job + " --save 1=" + job + "/0_1.output.npy --save 2=" + job +
                      "/0_2.output.npy")
              .exit_code == 0);
  Json described = Json::parse(contents_of(job + "/job.json"));
  for (Json& binding : described["bindings"]) {
    if (binding["binding"] != 0)
      binding["output"] = "0_" + std::to_string(binding["binding"].get<int>()) + ".output.npy";
  }
  std::ofstream(job + "/job.json") << described;
  const Outcome listed = run_program("inspect --mutants " + job);
  CHECK(contains(listed.out, "reverse.comp:12: <= instead of <\n"));
  const Outcome outcome = run_program("verify --mutate --json --budget 20 " + job);
  INFO(outcome.out << outcome.err);
  const Json json = Json::parse(outcome.out);
  CHECK(mutants(json, "check").size() == 4);
  CHECK(mutants(json, "expected result") == Lines{"12 <= instead of <"});
  CHECK(run_program("check " + job).exit_code == 0);
  CHECK(run_program("check --mutant 4 " + job).exit_code == 1);
}

TEST_CASE_METHOD(MutateFixture, "inspect --mutants lists the mutants that --mutant runs") {
  const std::string file = directory / "reverse.comp";
  const Outcome listed = run_program("inspect --mutants " + file);
  CHECK(listed.exit_code == 0);
  CHECK(listed.out ==
        "   1  line 10: barrier() deleted\n"
        "   2  line 10: barrier's scope of execution subgroup instead of workgroup\n"
        "   3  line 10: barrier's scope of memory subgroup instead of workgroup\n"
        "   4  line 12: <= instead of <\n"
        "   5  line 13: atomic's scope workgroup instead of device\n"
        "   6  line 14: >= instead of >\n");
  const std::string inputs =
      " --groups 2 --buffer 0=iota:u32:32 --buffer 1=zeros:u32:32 --buffer 2=zeros:u32:1 ";
  CHECK(contains(run_program("run " + file + inputs + "--mutant 4").out, "21 to 21"));
  CHECK(contains(run_program("run " + file + inputs).out, "20 to 20"));
  CHECK(run_program("run " + file + inputs + "--check --mutant 1").exit_code == 1);
  CHECK(contains(run_program("trace " + file + inputs + "--mutant 1").out, "reverse.comp"));
  check_error("run " + file + inputs + "--mutant 9", 2, file + ": has no mutant 9: it has 1 to 6");
}
