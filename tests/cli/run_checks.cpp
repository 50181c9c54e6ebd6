#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_fixture.hpp"

namespace {

const std::string racy_source =
    "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer B { uint data[]; };\n"
    "shared uint tile[64];\nvoid main() {\n  uint i = gl_LocalInvocationIndex;\n"
    "  tile[i] = i;\n  data[i] = tile[63 - i];\n}\n";
const std::string spinning_source =
    "#version 450\nlayout(binding = 0) buffer B { uint data[]; };\n"
    "void main() {\n  while (atomicOr(data[0], 0u) == 0u) {\n  }\n}\n";

const std::string one_buffer = " --groups 1 --buffer 0=zeros:u32:64 ";

}  // namespace

TEST_CASE_METHOD(RunFixture, "run --check finds a missing barrier, and prints both ends") {
  write(directory / "racy.comp", racy_source);
  CHECK(run("@racy.comp" + one_buffer).exit_code == 0);
  const Outcome checked = run("--check @racy.comp" + one_buffer);
  CHECK(checked.exit_code == 1);
  INFO(checked.err);
  CHECK(contains(checked.err,
                 "racy.comp:7: error: write to tile[32], which lane 31 of "
                 "subgroup 0 of workgroup (0, 0, 0) reads: nothing orders them"));
  CHECK(contains(checked.err, "64 times) [data-race]\n"));
  CHECK(contains(checked.err,
                 "racy.comp:8: note: lane 31 of subgroup 0 of workgroup (0, 0, 0) "
                 "reads it here\n"));
  CHECK(checked.err.find("data-race") == checked.err.rfind("data-race"));
  CHECK(run("--check=data-race @racy.comp" + one_buffer).exit_code == 1);
  CHECK(run("--check=-data-race,-uninitialised-shared @racy.comp" + one_buffer).exit_code == 0);
  CHECK(run("--check=out-of-bounds @racy.comp" + one_buffer).exit_code == 0);
  const Outcome unknown = run("--check=race @racy.comp" + one_buffer);
  CHECK(unknown.exit_code == 2);
  CHECK(contains(unknown.err, "lockstep: --check: there is no rule 'race'; the rules are all, "));
}

TEST_CASE("run --check prints where an undefined value became undefined") {
  const std::string shader = LOCKSTEP_KERNELS_DIR "/../tests/bugs/neighbour_difference.comp";
  const Outcome outcome = run_program("run " + shader +
                                      " --groups 1 --check --buffer 0=iota:u32:1024 "
                                      "--buffer 1=zeros:u32:1024");
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.err,
                 "neighbour_difference.comp:11: error: an undefined value is stored to Out "
                 "(workgroup (0, 0, 0), subgroup 0, lane 0, 2 times) [shuffle-past-edge]\n"));
  CHECK(contains(outcome.err,
                 "neighbour_difference.comp:10: note: subgroupShuffleUp reads beyond "
                 "the edge of the subgroup\n"));
}

TEST_CASE_METHOD(RunFixture, "a comment allows a rule in its line") {
  std::string allowed = racy_source;
  allowed.insert(allowed.find("tile[63 - i];") + 13, "  // lockstep: allow data-race");
  write(directory / "allowed.comp", allowed);
  const Outcome outcome = run("--check=data-race @allowed.comp" + one_buffer);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE_METHOD(RunFixture, "findings are JSON and SARIF, also those that end a run") {
  write(directory / "racy.comp", racy_source);
  const auto told = nlohmann::json::parse(
      run("--check=data-race --json --sarif @out.sarif @racy.comp" + one_buffer).out);
  CHECK(told.at("outcome") == "failed");
  const auto& finding = told.at("findings").at(0);
  CHECK(finding.at("rule") == "data-race");
  CHECK(finding.at("severity") == "error");
  CHECK(finding.at("memory") == "shared");
  CHECK(finding.at("line") == 7);
  CHECK(finding.at("other").at("line") == 8);
  CHECK(told.at("buffers").size() == 1);
  const auto sarif = nlohmann::json::parse(contents_of(directory / "out.sarif"));
  CHECK(sarif.at("runs").at(0).at("results").at(0).at("ruleId") == "data-race");

  write(directory / "spinning.comp", spinning_source);
  const Outcome ended = run("--json --max-steps 100 @spinning.comp" + one_buffer);
  CHECK(ended.exit_code == 1);
  CHECK(contains(ended.err, "spinning.comp:4: error: the loop does not end: "));
  CHECK(contains(ended.err, " [no-progress]\n"));
  const auto end = nlohmann::json::parse(ended.out);
  CHECK(end.at("outcome") == "failed");
  CHECK(end.at("findings").at(0).at("rule") == "no-progress");
}

TEST_CASE_METHOD(RunFixture, "what was found before a run had to end is told") {
  std::string source = racy_source;
  const std::string end = "  data[i] = tile[63 - i];\n";
  source.replace(source.find(end), end.size(),
                 "  data[i] = tile[i ^ 1u];\n  data[i + 64] = 1u;\n"
                 "  while (atomicOr(data[0], 0u) < 99u) {\n  }\n");
  write(directory / "racy.comp", source);
  for (const std::string rules :
       {"--check=lockstep-exchange,out-of-bounds,no-progress ", "--check "}) {
    const Outcome ended = run(rules + "--json --max-steps 100 @racy.comp" + one_buffer);
    CHECK(ended.exit_code == 1);
    const auto told = nlohmann::json::parse(ended.out);
    std::vector<std::string> found;
    for (const auto& finding : told.at("findings")) found.push_back(finding.at("rule"));
    REQUIRE(found.size() >= 3);
    CHECK(std::ranges::count(found, "lockstep-exchange") > 0);
    CHECK(std::ranges::count(found, "out-of-bounds") == 1);
    CHECK(found.back() == "no-progress");
    CHECK(contains(ended.err, "[out-of-bounds]\n"));
  }
}

TEST_CASE_METHOD(RunFixture, "a script whose shaders have findings fails") {
  write(directory / "racy.amber",
        "#!amber\nSHADER compute s GLSL\n" + racy_source +
            "END\nBUFFER b DATA_TYPE uint32 SIZE 64 FILL 0\nPIPELINE compute p\n  ATTACH s\n"
            "  BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 1 1 1\n"
            "EXPECT b IDX 128 EQ 31\n");
  CHECK(run("@racy.amber").exit_code == 0);
  const Outcome checked = run("--check=data-race --json @racy.amber");
  CHECK(checked.exit_code == 1);
  const auto told = nlohmann::json::parse(checked.out).at(0);
  CHECK(told.at("verdict") == "FAIL");
  CHECK(told.at("findings").at(0).at("rule") == "data-race");
  CHECK(told.at("findings").at(0).at("line") == 9);
  CHECK(contains(checked.err, "racy.amber:9: error: "));
}

TEST_CASE_METHOD(RunFixture, "a check says which lines and sides of branches never ran") {
  write(directory / "partly.comp",
        "#version 450\nlayout(local_size_x = 64) in;\n"
        "layout(binding = 0) buffer B { uint data[]; };\n"
        "void main() {\n"
        "  uint i = gl_GlobalInvocationID.x;\n"
        "  if (data[i] > 200u) {\n"
        "    data[i] = i;\n"
        "    data[i] += 7u;\n"
        "  }\n"
        "  if (i < 200u) data[i] += 1u;\n"
        "}\n");
  const std::string text =
      "2 of 5 lines never ran: 7-8; conditions that were always true: 10; conditions that were "
      "always false: 6";
  // Where something is looked for that needs events, and where not.
  for (const std::string rules : {"--check", "--check=out-of-bounds"}) {
    CAPTURE(rules);
    const Outcome partly = run(rules + " @partly.comp" + one_buffer);
    CHECK(partly.exit_code == 0);
    CHECK(partly.err == "lockstep: note: " + text + "\n");
    const auto told = nlohmann::json::parse(
        run(rules + " --json --sarif @out.sarif @partly.comp" + one_buffer).out);
    CHECK(told.at("coverage").at("text") == text);
    CHECK(told.at("coverage").at("never_ran") == 2);
    const auto sarif = nlohmann::json::parse(contents_of(directory / "out.sarif"));
    const auto& results = sarif.at("runs").at(0).at("results");
    CHECK(results.size() == 3);
    CHECK(results.at(0).at("ruleId") == "never-ran");
    CHECK(results.at(0).at("level") == "note");
  }
  CHECK(run("@partly.comp" + one_buffer).err.empty());
  const Outcome all = run("--check @partly.comp --groups 4 --buffer 0=iota:u32:256");
  CHECK(all.err.empty());
}

TEST_CASE_METHOD(RunFixture, "run takes several subgroup sizes") {
  const Outcome outcome = run(scan + "--json --check --subgroup-size 8,16,32");
  REQUIRE(outcome.exit_code == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  REQUIRE(json["sizes"].size() == 3);
  std::size_t size = 8;
  for (const auto& one : json["sizes"]) {
    CHECK(one["subgroup_size"] == size);
    const std::vector<std::uint32_t> right = sums(256, size);
    CHECK(one["buffers"][0]["largest"] == std::to_string(*std::ranges::max_element(right)));
    size *= 2;
  }
  CHECK(contains(run(scan + "--subgroup-size 8,16").out, "subgroups of 16:\nbuffer 1"));
  refused(scan + "--subgroup-size 8,16 --save 1=@x.npy",
          "--save is for one run, but --subgroup-size names 2 sizes");
  refused(scan + "--subgroup-size 8,129",
          "--subgroup-size: Value 129 not in range 1 to 128; see lockstep run --help");
}
