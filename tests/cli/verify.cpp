#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cli/run_fixture.hpp"
#include "io/npy.hpp"

/// \file
/// `lockstep verify`, and suite files.

namespace {

using Json = nlohmann::ordered_json;

const std::string verify_start =
    "#version 450\n"
    "#extension GL_KHR_shader_subgroup_basic : enable\n"
    "layout(local_size_x = 16) in;\n"
    "layout(binding = 0) buffer B { uint o[]; };\n"
    "void main() {\n  const uint i = gl_GlobalInvocationID.x;\n";

/// One shader for each result, and a suite of them.
struct SuiteFixture : RunFixture {
  Json suite = Json::object();

  SuiteFixture() {
    add("double", "  o[i] = 2u * i;\n");
    add("partial", "  o[i] = i;\n  if (i > 100u)\n    o[i] = 0u;\n");
    add("racy", "  o[0] = i;\n");
    add("sized", "  o[i] = gl_SubgroupSize;\n");
    add("endless", "  while (o[1] == 0u) o[2] += 1u;\n");
    add("broken", "  nothing();\n");
    suite["endless"]["max-steps"] = 1000;
    suite["double"]["expected"]["0"] = "doubled.npy";
  }

  void add(const std::string& name, const std::string& body) {
    directory.write(name + ".comp", verify_start + body + "}\n");
    suite[name] = {{"file", name + ".comp"}, {"groups", 2}, {"buffers", {{"0", "zeros:u32:32"}}}};
  }
  /// Numbers by a plain loop, in a file.
  void write_numbers(const std::string& name, std::uint32_t times) const {
    std::vector<std::uint32_t> numbers(32);
    for (std::uint32_t i = 0; i < 32; ++i) numbers[i] = times * i;
    lockstep::npy::write<std::uint32_t>(directory / name, numbers);
  }
  std::string written() const {
    directory.write("lockstep.json", Json{{"entries", suite}}.dump());
    return directory / "lockstep.json";
  }
  void keep(const std::set<std::string>& names) {
    for (auto at = suite.begin(); at != suite.end();)
      at = names.contains(at.key()) ? std::next(at) : suite.erase(at);
  }
  Outcome verify(const std::string& arguments) const {
    return run_program("verify " + expanded(arguments));
  }
};

/// The entry of that name.
const Json& named(const Json& json, const std::string& name) {
  for (const Json& entry : json["entries"]) {
    if (entry["name"].get<std::string>().ends_with(":" + name)) return entry;
  }
  FAIL("no entry " << name);
  return json;
}

/// Whether a process has the text in its command line.
bool is_running(const std::string& text) {
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    try {
      if (contains(contents_of(process.path() / "cmdline"), text)) return true;
    } catch (const std::exception&) {  // a process that has just ended cannot be read
    }
  }
  return false;
}

}  // namespace

TEST_CASE_METHOD(SuiteFixture, "verify says what became of each entry of a suite") {
  write_numbers("doubled.npy", 2);
  const std::string file = written();
  const Outcome outcome = verify(
      "--json --seconds 20 --budget 40 --junit @junit.xml --sarif "
      "@found.sarif -o @page.html " +
      file);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  const Json json = Json::parse(outcome.out);
  const std::map<std::string, std::string> results{
      {"double", "clean"},  {"partial", "clean"},    {"racy", "findings"},
      {"sized", "depends"}, {"endless", "findings"}, {"broken", "cannot be run"}};
  CHECK(json["entries"].size() == results.size());
  for (const auto& [name, result] : results) {
    CAPTURE(name, named(json, name)["reasons"].dump());
    CHECK(named(json, name)["result"] == result);
  }
  const Json& doubled = named(json, "double");
  CHECK(doubled["sizes"].dump() == "[4,8,16,32,64,128]");
  CHECK(doubled["compared"] == 1);
  CHECK(doubled["exploration"]["verdict"] == "independent");
  CHECK(named(json, "partial")["coverage"]["text"] ==
        "1 of 4 lines never ran: 9; conditions that were always false: 8");
  CHECK(contains(named(json, "racy")["reasons"][0].get<std::string>(), "(at 4-128)"));
  CHECK(contains(named(json, "sized")["reasons"][0].get<std::string>(), "on subgroup-size"));
  CHECK(contains(named(json, "broken")["reasons"][0].get<std::string>(), "'nothing'"));
  CHECK(json["counts"]["clean"] == 2);

  const std::string junit = contents_of(directory / "junit.xml");
  CHECK(contains(junit, "tests=\"6\" failures=\"3\" errors=\"1\""));
  CHECK(contains(junit, "classname=\"verify\" name=\"" + file + ":racy\""));
  const Json sarif = Json::parse(contents_of(directory / "found.sarif"));
  std::multiset<std::string> rules;
  for (const Json& result : sarif["runs"][0]["results"]) rules.insert(result["ruleId"]);
  CHECK(rules.count("lockstep-exchange") == 2);  // of two entries, each at six sizes
  CHECK(rules.count("never-ran") >= 1);

  const std::string page = contents_of(directory / "page.html");
  CHECK(contains(page, "<title>Verified shaders</title>"));
  CHECK(contains(page, "\"result\":\"depends\""));
  CHECK(contains(page, "  if (i > 100u)\\n    o[i] = 0u;\\n"));
  CHECK(!contains(page, "@DATA@"));
}

TEST_CASE_METHOD(SuiteFixture, "verify prints a table, and compares with what is expected") {
  write_numbers("doubled.npy", 3);
  keep({"double", "partial"});
  suite["partial"]["expected"]["0"] = "iota:u32:32";
  suite["partial"]["sizes"] = {8, 32};
  const Outcome outcome = verify("--budget 20 " + written());
  INFO(outcome.out);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, "result  sizes  explored  compared  time\n"));
  CHECK(contains(outcome.out, "double   wrong   4-128"));
  CHECK(contains(outcome.out, "    buffer 0: 31 of 32 elements differ from " +
                                  (directory / "doubled.npy") + " (at 4-128)\n"));
  CHECK(contains(outcome.out, "partial  clean   8,32"));
  CHECK(contains(outcome.out, "    1 of 4 lines never ran: 9;"));
  CHECK(contains(outcome.out, "1 of 2 clean, 1 wrong\n"));
  CHECK(outcome.err.empty());
}

TEST_CASE_METHOD(SuiteFixture, "what may vary does not count against an entry") {
  keep({"sized"});
  suite["sized"]["same"] = {"subgroup-size"};
  CHECK(verify("--budget 40 " + written()).exit_code == 0);
  suite["sized"].erase("same");
  suite["sized"]["explore"] = false;
  CHECK(verify(written()).exit_code == 0);
  suite["sized"].erase("explore");
  suite["sized"]["sizes"] = {16};
  CHECK(verify("--budget 40 " + written()).exit_code == 0);
  suite["sized"]["expected"]["0"] = "fill:u32:32:16";
  CHECK(verify("--budget 40 " + written()).exit_code == 0);
  suite["sized"]["expected"]["0"] = "fill:u32:32:15";
  CHECK(verify("--budget 40 " + written()).exit_code == 1);
}

TEST_CASE_METHOD(SuiteFixture, "verify takes shaders, scripts, jobs and folders") {
  std::filesystem::create_directories(directory / "more");
  directory.write("more/twice.comp", verify_start + "  o[i] = i;\n}\n");
  directory.write("more/wrong.amber",
                  "#!amber\nSHADER compute s GLSL\n" + verify_start +
                      "  o[i] = i;\n}\nEND\n"
                      "BUFFER b DATA_TYPE uint32 SIZE 32 FILL 0\n"
                      "PIPELINE compute p\nATTACH s\n"
                      "BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n"
                      "RUN p 2 1 1\nEXPECT b IDX 0 EQ 0 1 3\n");
  const Outcome prepared = run_program(
      expanded("capture @double.comp --groups 2 --buffer 0=zeros:u32:32 --prepare -o @more/jobs"));
  REQUIRE(prepared.exit_code == 0);
  const Outcome outcome = verify("--json --budget 20 @more");
  INFO(outcome.out << outcome.err);
  const Json json = Json::parse(outcome.out);
  REQUIRE(json["entries"].size() == 3);
  CHECK(json["entries"][0]["result"] == "clean");
  CHECK(json["entries"][0]["file"] == directory / "more/jobs/double");
  CHECK(json["entries"][1]["result"] == "clean");
  CHECK(json["entries"][2]["result"] == "failed");
  CHECK(verify("@double.comp --groups 2 --buffer 0=zeros:u32:32 --budget 20").exit_code == 0);
}

TEST_CASE_METHOD(SuiteFixture, "verify --init writes entries that commands take") {
  const std::string file = directory / "made/lockstep.json";
  std::filesystem::create_directories(directory / "made");
  CHECK(verify("--init @double.comp --groups 2 --buffer B=zeros:u32:32 -o " + file).out ==
        "wrote " + file + ":double\n");
  CHECK(verify("--init @scan.comp -o " + file).exit_code == 0);
  check_error("verify --init " + (directory / "scan.comp") + " -o " + file, 2,
              file + " already has an entry 'scan'; edit it, or name another file with -o");
  const Json entries = Json::parse(contents_of(file))["entries"];
  CHECK(entries["double"]["file"] == "../double.comp");
  CHECK(entries["double"]["buffers"].dump() == R"({"B":"zeros:u32:32"})");
  CHECK(entries["scan"]["groups"] == "1");
  CHECK(entries["scan"]["buffers"]["1"] == "zeros:u32:1024");

  CHECK(verify("--budget 20 " + file).exit_code == 0);
  const Outcome run = run_program("run " + file + ":double --json");
  const Json ran = Json::parse(run.out);
  CHECK(ran["groups"][0] == 2);
  CHECK(ran["buffers"][0]["largest"] == "62");
  CHECK(contains(run_program("run " + file + ":double --groups 1").out, "0 to 30"));
  CHECK(contains(run_program("run " + file + ":double --buffer B=zeros:u32:48").out, "u32 x 48"));
  CHECK(contains(run_program("trace " + file + ":double --brief").out, "o[i] = 2u * i;"));
  CHECK(contains(run_program("explore " + file + ":double --budget 20").out, "independent"));
  const std::string jobs = directory / "jobs";
  CHECK(run_program("capture " + file + ":double --prepare -o " + jobs).out == jobs + "/double\n");
}

TEST_CASE_METHOD(SuiteFixture, "what is wrong with a suite is named") {
  const std::string file = directory / "lockstep.json";
  const auto refuses = [&](const std::string& text, const std::string& why) {
    directory.write("lockstep.json", text);
    check_error("verify " + file, 2, file + why);
  };
  refuses("{}",
          ": is not a suite: it has no object \"entries\"; lockstep verify --init writes one");
  refuses(R"({"entries": {}})", ": has no entries");
  refuses(R"({"entries": {"a": {"groups": 1}}})",
          ": entry 'a' has no \"file\": name a shader, a script or a job");
  refuses(R"({"entries": {"a": {"file": "double.comp", "bufers": {}}}})",
          ": entry 'a' has an unknown key \"bufers\"; did you mean \"buffers\"?");
  refuses(
      R"({"entries": {"a": {"file": "double.comp"}}})",
      ": entry 'a' has no \"groups\": give the number of workgroups, such as \"4\" or \"4,2,1\"");
  refuses(R"({"entries": {"a": {"file": "double.comp", "groups": 1, "sizes": [0]}}})",
          ": entry 'a' has \"sizes\" that are not subgroup sizes: write [8, 16, 32]");
  refuses(R"({"entries": {"a": {"file": "double.comp", "groups": 1, "sizes": {"x": 8}}}})",
          ": entry 'a' has \"sizes\" that are not subgroup sizes: write [8, 16, 32]");
  refuses(R"({"entries": {"a": {"file": "none.comp", "groups": 1}}})",
          ": entry 'a': " + (directory / "none.comp") + " does not exist");
  check_error("run " + file + ":b", 2, file + ": has no entry 'b'; it has a");
  directory.write("lockstep.json", "{");
  const Outcome outcome = run_program("verify " + file);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err.starts_with("lockstep: " + file + ": not valid JSON at byte 2: "));
  directory.write("lockstep.json", R"({"entries": {"a": {"file": "double.comp", "groups": 1}}})");
  check_error("verify " + file + " -D N=4", 2, "-D is not for suites; put it into their entries");
  check_error(
      "verify " + (directory / "") + "double.comp " + (directory / "racy.comp") + " --groups 2", 2,
      "--groups is for one shader; write entries with lockstep verify --init");
  check_error("verify", 2, "nothing to verify: name suites, shaders, scripts, jobs, or folders");
}

TEST_CASE_METHOD(SuiteFixture, "verify judges captured results") {
  REQUIRE(
      std::system(("tar -xzf '" LOCKSTEP_KERNELS_DIR "/../tests/data/gpu/swiftshader.tar.gz' -C '" +
                   directory.path().string() + "' ./subgroupAdd.u32 ./shuffle.u32")
                      .c_str()) == 0);
  keep({"double"});
  suite["double"].erase("expected");
  suite["double"]["captures"] = {"shuffle.u32", "subgroupAdd.u32"};
  suite["double"]["explore"] = false;
  suite["job"] = {{"file", "subgroupAdd.u32"}, {"explore", false}};
  const Outcome right = verify(written());
  INFO(right.out << right.err);
  CHECK(right.exit_code == 0);
  CHECK(contains(right.out, "double  clean   4-128  -         2"));
  CHECK(contains(right.out, "job     clean   4-128  -         1"));

  const std::string results = directory / "subgroupAdd.u32/0_1.output.npy";
  auto values = lockstep::npy::read<std::uint32_t>(results);
  values.at(9) += 3;
  lockstep::npy::write<std::uint32_t>(results, values);
  const Outcome wrong = verify("--junit @junit.xml " + written());
  INFO(wrong.out << wrong.err);
  CHECK(wrong.exit_code == 1);
  const std::string reason =
      (directory / "subgroupAdd.u32") + ": Vulkan does not allow these results";
  CHECK(contains(wrong.out, "double  wrong   4-128  -         2"));
  CHECK(contains(wrong.out, "job     wrong   4-128  -         1"));
  CHECK(contains(wrong.out, "    " + reason + "\n"));
  CHECK(contains(wrong.out, "0 of 2 clean, 2 wrong\n"));
  CHECK(contains(contents_of(directory / "junit.xml"), "message=\"wrong: " + reason + "\""));

  std::filesystem::remove(directory / "shuffle.u32/job.json");
  CHECK(contains(verify(written()).out, (directory / "shuffle.u32") + ": "));
}

TEST_CASE_METHOD(SuiteFixture, "verify names the loop in which an entry takes too long") {
  keep({"endless"});
  suite["endless"].erase("max-steps");
  const Outcome outcome = run_program("verify --seconds 3 " + written());
  INFO(outcome.out << outcome.err);
  CHECK_THAT(
      outcome.out,
      Catch::Matches("[^]*lockstep run took longer than 3 s; [^\n]*endless.comp:[0-9]+: this "
                     "loop has run [0-9]+ times in lanes [^\n]* of subgroup 0 of workgroup "
                     "\\(0, 0, 0\\); if it waits, then for B[^]*"));
}

TEST_CASE_METHOD(SuiteFixture, "no process or file outlives verify") {
  keep({"endless"});
  suite["endless"].erase("max-steps");
  const std::string words = "verify --sarif " + (directory / "found.sarif") + " " + written();
  const std::string shader = directory / "endless.comp";
  const std::string temporary = directory / "temporary";
  std::filesystem::create_directory(temporary);
  for (const std::string signal : {"INT", "TERM", "HUP"}) {
    const Outcome outcome = run_program(
        words, "TMPDIR=" + temporary + " timeout --preserve-status -s " + signal + " 1");
    CAPTURE(signal);
    CHECK(outcome.exit_code == 130);
    CHECK_THAT(outcome.err,
               Catch::Matches("(lockstep: [^\n]*endless.comp:[0-9]+: this loop has run [0-9]+ "
                              "times in [^\n]*\n)?lockstep: interrupted after 0 of 1 entries; "
                              "nothing was reported\n"));
    CHECK(outcome.out.empty());
    CHECK(!is_running(shader));
    CHECK(std::filesystem::is_empty(temporary));
  }
  run_program("verify " + written(), "timeout -s KILL 1");
  for (int k = 0; k < 100 && is_running(shader); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(!is_running(shader));
}
