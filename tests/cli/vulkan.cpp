#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "cli/run_fixture.hpp"
#include "io/npy.hpp"

/// \file
/// `lockstep vulkan --against`, with `lockstep capture` as the program that uses Vulkan.

namespace {

/// The sum of the numbers below 20, in a loop whose end only the buffer says.
const std::string looped = R"(#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer Out { uint data[]; } result;
void main() {
  uint n = 20 + result.data[32], sum = 0;
  for (uint k = 0; k < n; ++k) sum += k;
  result.data[gl_LocalInvocationIndex] = sum;
}
)";
const std::string capture_looped =
    "'" LOCKSTEP_PROGRAM "' capture @looped.comp --groups 1 --buffer 0=zeros:u32:64 -o ";

/// The same, but every invocation stores to one element, or what a shuffle gives beyond the subgroup.
std::string looped_with(const std::string& store) {
  std::string shader = looped;
  shader.replace(shader.find("  result.data[gl_Local"), std::string::npos, store + "\n}\n");
  const std::string extensions =
      "#extension GL_KHR_shader_subgroup_basic : enable\n"
      "#extension GL_KHR_shader_subgroup_shuffle_relative : enable\n";
  return shader.insert(shader.find("layout"), extensions);
}

struct AgainstFixture : RunFixture {
  AgainstFixture() { write(directory / "looped.comp", looped); }

  Outcome vulkan(const std::string& arguments, const std::string& before = "") const {
    return run_program("vulkan --modules " + (directory / "modules ") + expanded(arguments),
                       expanded(before));
  }
  /// Whether the driver is built, and a second device is there; says so if not.
  bool can_run() const {
    if (run_program("vulkan --manifest").exit_code == 0 &&
        contains(run_program("capture --list").out, "llvmpipe"))
      return true;
    WARN("no Vulkan driver of Lockstep, or no lavapipe: nothing is compared");
    return false;
  }
  std::vector<std::uint32_t> captured(const std::string& job) const {
    return lockstep::npy::read<std::uint32_t>(directory / (job + "/0_0.output.npy"));
  }
  void write_manifest() const {
    write(directory / "lockstep.json", run_program("vulkan --manifest").out);
  }
  std::size_t jobs_with_findings() const {
    std::size_t count = 0;
    if (!std::filesystem::exists(directory / "modules")) return 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory / "modules"))
      count += std::filesystem::exists(entry.path() / "job.json") ? 1 : 0;
    return count;
  }
};

/// A device that is wrong: Lockstep's driver ends loops too early, and checked runs go on after that. The client's has
/// another limit.
const std::string broken_device =
    "VK_DRIVER_FILES=@lockstep.json VK_ICD_FILENAMES=@lockstep.json LOCKSTEP_CHECK=all "
    "LOCKSTEP_MAX_STEPS=10";
const std::string against_broken_device = "--max-steps 1000 --against Lockstep ";

}  // namespace

TEST_CASE_METHOD(AgainstFixture, "--against finds nothing where a second device is right") {
  if (!can_run()) return;
  const Outcome done = vulkan("--against llvmpipe --fail-on-findings " + capture_looped + "@out");
  INFO(done.out << done.err);
  CHECK(done.exit_code == 0);
  CHECK(done.out == expanded("@out/looped\n"));
  // The other one is the probe of `lockstep capture`.
  CHECK_THAT(done.err,
             Catch::Contains("lockstep: vulkan: 2 dispatches, no findings; ran 2 kinds of "
                             "dispatches on llvmpipe") &&
                 Catch::Contains(": 2 right, "));
  std::vector<std::uint32_t> expected(64);
  std::fill_n(expected.begin(), 32, 190);
  CHECK(captured("out/looped") == expected);
  CHECK(jobs_with_findings() == 0);
}

TEST_CASE_METHOD(AgainstFixture,
                 "--against finds what is not allowed, and the client sees nothing") {
  if (!can_run()) return;
  write_manifest();
  const Outcome done = vulkan(
      against_broken_device + "--fail-on-findings " + capture_looped + "@out", broken_device);
  INFO(done.out << done.err);
  CHECK(done.exit_code == 1);
  CHECK(done.out == expanded("@out/looped\n"));
  CHECK_THAT(done.err,
             Catch::Contains("warning: the result on Lockstep (teaching, subgroups of 32) "
                             "is not allowed: ") &&
                 Catch::Contains("[0] is 0, where Lockstep has 190 (32 of 64)") &&
                 Catch::Contains("[against] in module 2, pipeline 2, dispatch 2") &&
                 Catch::Contains("findings by rule: against 1; ran 2 kinds"));
  CHECK(captured("out/looped")[0] == 190);
  // The job has what the second device left.
  REQUIRE(jobs_with_findings() == 1);
  CHECK(captured("modules/0002-shader.spv-against")[0] == 0);
  const Outcome judged = run_program("check " + expanded("@modules/0002-shader.spv-against"));
  CHECK(judged.exit_code == 1);
  CHECK(contains(judged.out, "32 wrong"));
}

TEST_CASE_METHOD(AgainstFixture, "--against blames the shader for its races and undefined values") {
  if (!can_run()) return;
  write_manifest();
  const auto [store, verdict, why] =
      GENERATE(std::tuple("  result.data[0] = sum + gl_LocalInvocationIndex;", "racy",
                          "several invocations access it"),
               std::tuple("  uint other = subgroupShuffleDown(sum, 1);\n"
                          "  if (gl_SubgroupInvocationID == 31) result.data[0] = other;",
                          "undefined", "edge"));
  CAPTURE(verdict);
  write(directory / "looped.comp", looped_with(store));
  const Outcome done = vulkan(
      against_broken_device + "--fail-on-findings " + capture_looped + "@out", broken_device);
  INFO(done.out << done.err);
  CHECK(done.exit_code == 1);
  CHECK_THAT(done.err, Catch::Contains(std::string("the result on Lockstep (teaching, subgroups "
                                                   "of 32) is ") +
                                       verdict + ", which is the shader's fault: ") &&
                           Catch::Contains(why) && Catch::Contains("against 1"));
}

TEST_CASE_METHOD(AgainstFixture, "without --fail-on-findings the exit code is the program's") {
  if (!can_run()) return;
  write_manifest();
  const Outcome done = vulkan(against_broken_device + capture_looped + "@out", broken_device);
  CHECK(done.exit_code == 0);
  CHECK(contains(done.err, "against 1"));
}

TEST_CASE_METHOD(AgainstFixture, "a second device that crashes does not end the program") {
  if (!can_run() || !std::filesystem::exists("/proc/thread-self/children")) return;
  write(directory / "client.sh",
        "for p in $(cat /proc/$PPID/task/$PPID/children); do [ $p = $$ ] || kill -9 $p; done\n" +
            expanded(capture_looped) + "'" + (directory / "out") + "'\n");
  const Outcome done = vulkan("--against llvmpipe sh @client.sh");
  INFO(done.err);
  CHECK(done.exit_code == 0);
  CHECK(captured("out/looped")[0] == 190);
  CHECK_THAT(done.err, Catch::Contains("is not compared with the second device: ") &&
                           Catch::Contains("no more are run on the second device") &&
                           Catch::Contains("nothing was run on a second device"));
}

TEST_CASE_METHOD(AgainstFixture, "--against names a device that is there") {
  if (!can_run()) return;
  const Outcome done = vulkan("--against nonesuch true");
  CHECK(done.exit_code == 2);
  CHECK_THAT(done.err,
             Catch::StartsWith("lockstep: --against nonesuch: ") && Catch::Contains("llvmpipe"));
}

TEST_CASE_METHOD(AgainstFixture, "the driver names variables that are misspelt, and no others") {
  if (!can_run()) return;
  const auto told = [&](const std::string& before) {
    return vulkan(capture_looped + "@own", before).err;
  };
  const std::string misspelt = told("LOCKSTEP_TREADS=2");
  CHECK(contains(misspelt, "LOCKSTEP_TREADS is not a variable of the driver; LOCKSTEP_THREADS is"));
  // Of the program, of benchmarks and of tests.
  const std::string known = told(
      "LOCKSTEP_THREADS=2 LOCKSTEP_CACHE=off LOCKSTEP_BENCH_ELEMENTS=8 LOCKSTEP_TEST_SEED=2 "
      "LOCKSTEP_UPDATE_DOCS=1");
  INFO(known);
  CHECK_FALSE(contains(known, "is not a variable"));
}
