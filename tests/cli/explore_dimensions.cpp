#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_program.hpp"

/// \file
/// For each dimension a shader whose result depends on exactly that one, and a repaired copy that depends on none.

namespace {

const std::string dimension_shaders = LOCKSTEP_KERNELS_DIR "/../tests/explore/shaders/";
const std::string of_one_size = " --subgroup-size 8 --sizes 8 --full-subgroups";
const std::string spirv_1_5 = " --subgroup-size 32 --sizes 8,16 --target-env vulkan1.2";

struct DimensionCase {
  std::string shader, dimension, options, advice;
};
const std::vector<DimensionCase> dimension_cases = {
    {"late-break", "late-break", of_one_size,
     "the subgroupAdd in line 10 relies on lanes 0,4 alone, but lanes 0-7 of several iterations"},
    {"partial-subgroups", "partial-subgroups", spirv_1_5, "subgroups with gl_NumSubgroups"},
    {"subgroup-order", "subgroup-order", of_one_size, "put a barrier() between"},
    {"interleaving", "subgroup-order", of_one_size, "put a barrier() between the access in line"},
    {"side-order", "side-order", of_one_size, "one side of the branch in line 9"},
    {"atomic-order", "atomic-order", of_one_size, "what the atomic in line 8 returns"},
    {"reduction-order", "reduction-order", of_one_size + " --bitwise",
     "the reduction or scan of floats in line 9"},
    {"progress", "progress", of_one_size, "a subgroup waits in a loop for another one"},
};

nlohmann::json explored_dimension(const std::string& shader, const std::string& options,
                                  int exit_code) {
  const Outcome outcome = run_program(
      "explore --json " + dimension_shaders + shader + ".comp --groups 1 " +
      "--buffer 0=zeros:u32:64 --budget 700" + options +
      (contains(options, "--vary") || contains(options, "--same") ? "" : " --same mapping"));
  INFO(shader << options << "\n" << outcome.out << outcome.err);
  REQUIRE(outcome.exit_code == exit_code);
  return nlohmann::json::parse(outcome.out);
}

}  // namespace

TEST_CASE("explore finds each dimension by itself, and nothing in the repaired copy") {
  for (const DimensionCase& c : dimension_cases) {
    INFO(c.shader);
    const nlohmann::json found = explored_dimension(c.shader, c.options, 1);
    CHECK(found["on"] == nlohmann::json::array({c.dimension}));
    CHECK(contains(found["advice"], c.advice));
    const nlohmann::json repaired = explored_dimension(c.shader + ".repaired", c.options, 0);
    CHECK(repaired["verdict"] == "independent");
    CHECK(repaired["on"].empty());
    // What stays the same is not found.
    CHECK(explored_dimension(c.shader, c.options + " --same mapping," + c.dimension,
                             0)["verdict"] == "independent");
  }
}

TEST_CASE("explore prints a command that gives the other result again") {
  for (const DimensionCase& c : dimension_cases) {
    INFO(c.shader);
    const nlohmann::json found =
        explored_dimension(c.shader, c.options + " --vary " + c.dimension, 1);
    const std::string command =
        found["smallest"]["command"].get<std::string>().substr(std::string("lockstep ").size());
    INFO(command);
    if (found["smallest"].contains("error")) {
      const Outcome again = run_program(command);
      CHECK(again.exit_code == 1);
      const std::string error = found["smallest"]["error"];
      CHECK(contains(again.err, error.substr(error.find(": ") + 2, 60)));  // after the place
      continue;
    }
    const Directory directory;
    const std::string dump = directory / "first.npy";
    const std::string first =
        "run " + dimension_shaders + c.shader + ".comp --groups 1 " + "--buffer 0=zeros:u32:64" +
        (c.options != spirv_1_5 ? " --subgroup-size 8" : " --target-env vulkan1.2");
    CHECK(run_program(first + " --save 0=" + dump).exit_code == 0);
    const std::string other = directory / "other.npy", again = directory / "again.npy";
    CHECK(run_program(command + " --save 0=" + other).exit_code == 0);
    CHECK(run_program(command + " --save 0=" + again).exit_code == 0);
    CHECK(contents_of(other) != contents_of(dump));
    CHECK(contents_of(other) == contents_of(again));
  }
}

TEST_CASE("explore takes a sum of floats in another order for the same") {
  CHECK(explored_dimension("reduction-order", of_one_size, 0)["verdict"] == "independent");
}

TEST_CASE("explore says the same whatever the number of threads") {
  for (const DimensionCase& c : dimension_cases) {
    INFO(c.shader);
    CHECK(explored_dimension(c.shader, c.options + " --threads 1", 1) ==
          explored_dimension(c.shader, c.options + " --threads 3", 1));
  }
}

TEST_CASE("full subgroups are promised by SPIR-V 1.6, or required") {
  const std::string sizes = " --subgroup-size 32 --sizes 8,16";
  const nlohmann::json newer = explored_dimension("partial-subgroups", sizes, 0);
  CHECK(contains(newer["assumed_subgroups"], "SPIR-V 1.6 promises full subgroups"));
  const nlohmann::json older = explored_dimension("partial-subgroups", spirv_1_5, 1);
  CHECK(contains(older["assumed_subgroups"], "SPIR-V 1.5 does not promise full subgroups"));
  const nlohmann::json required =
      explored_dimension("partial-subgroups", spirv_1_5 + " --full-subgroups", 0);
  CHECK(contains(required["assumed_subgroups"], "required"));
}

TEST_CASE("real devices let all of a workgroup that has begun go on") {
  CHECK(explored_dimension("progress", of_one_size + " --progress occupancy-bound", 0)["verdict"] ==
        "independent");
  const nlohmann::json found = explored_dimension("progress", of_one_size, 1);
  CHECK(contains(found["smallest"]["error"], "subgroup 1"));
}
