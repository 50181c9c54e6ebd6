#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_fixture.hpp"
#include "io/npy.hpp"

/// \file
/// `lockstep check` on captures of a device with subgroups of 4.

namespace {

struct CheckFixture : RunFixture {
  CheckFixture() {
    const std::string command =
        "tar -xzf '" LOCKSTEP_KERNELS_DIR "/../tests/data/gpu/swiftshader.tar.gz' -C '" +
        directory.path().string() + "' ./subgroupAdd.u32 ./subgroupAdd.f32 ./shuffle.u32";
    REQUIRE(std::system(command.c_str()) == 0);
  }
  Outcome check(const std::string& arguments) const {
    return run_program("check " + expanded(arguments));
  }
  /// Changes an element of a result.
  void spoil(const std::string& job, std::size_t index) const {
    const std::string file = directory / (job + "/0_1.output.npy");
    auto values = lockstep::npy::read<std::uint32_t>(file);
    values.at(index) += 3;
    lockstep::npy::write<std::uint32_t>(file, values);
  }
};

}  // namespace

TEST_CASE_METHOD(CheckFixture, "all jobs below a folder are checked") {
  const Outcome fine = check("@");
  INFO(fine.out << fine.err);
  CHECK(fine.exit_code == 0);
  CHECK(contains(fine.out, expanded("right      @shuffle.u32  (SwiftShader Device (Subzero), ")));
  CHECK(contains(fine.out, "3 jobs: 3 right, 0 allowed, 0 undefined, 0 racy, 0 open, 0 wrong\n"));

  spoil("subgroupAdd.u32", 9);
  const Outcome wrong = check("@");
  INFO(wrong.out << wrong.err);
  CHECK(wrong.exit_code == 1);
  CHECK(contains(wrong.out, "3 jobs: 2 right, 0 allowed, 0 undefined, 0 racy, 0 open, 1 wrong\n"));
  CHECK(contains(wrong.out, "  buffer 1 (Out): 383 equal, 1 wrong\n"));
  CHECK(contains(wrong.out, "    wrong: [9] is "));
  CHECK(contains(wrong.out, "; written by workgroup (0, 0, 0), subgroup 2, lane 1, "));

  const Outcome json = check("@ --json -o @report.html");
  const auto told = nlohmann::json::parse(json.out);
  CHECK(told.at("counts").at("wrong") == 1);
  REQUIRE(told.at("jobs").size() == 3);
  const auto job = told.at("jobs").at(2);
  CHECK(job.at("name") == "subgroupAdd.u32");
  CHECK(job.at("outcome") == "wrong");
  const auto buffer = job.at("buffers").at(0);
  CHECK(buffer.at("counts").at("wrong") == 1);
  CHECK(buffer.at("first").at(0).at("index") == 9);
  CHECK(buffer.at("first").at(0).at("writer").at("lane") == 1);
  CHECK(buffer.at("lanes").at(9) == 2 * 4 + 1);
  const std::string page = contents_of(directory / "report.html");
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(contains(page, "subgroupAdd.u32"));
  CHECK_FALSE(contains(page, "http"));
}

TEST_CASE_METHOD(CheckFixture, "lines are shown where no file of the shader is") {
  spoil("subgroupAdd.u32", 9);
  const auto told = nlohmann::json::parse(check("@ --json").out);
  const auto job = told.at("jobs").at(2);
  const auto writer = job.at("buffers").at(0).at("first").at(0).at("writer");
  const std::string file = writer.at("file");
  CHECK(file.starts_with("shaders/"));
  REQUIRE_FALSE(std::filesystem::exists(file));
  REQUIRE(job.at("lines").size() == 1);
  const auto line = job.at("lines").at(0);
  CHECK(line.at("file") == file);
  CHECK(line.at("line") == writer.at("line"));
  // What the archive's shader has in that line.
  const std::string known = contents_of(LOCKSTEP_KERNELS_DIR "/../tests/data/gpu/" + file);
  CHECK(contains(known, line.at("text").get<std::string>() + "\n"));
  CHECK(contains(line.at("text"), "="));
  const Outcome traced = run_program("trace " + expanded("@subgroupAdd.u32"));
  INFO(traced.out << traced.err);
  CHECK(traced.exit_code == 0);
  CHECK(contains(traced.out, "NAME(subgroupInclusive)(v);"));
  CHECK_FALSE(contains(traced.out + traced.err, "cannot be read"));
  // In the page of verify as well.
  const std::string command = "tar -xzf '" LOCKSTEP_KERNELS_DIR
                              "/../tests/data/gpu/swiftshader.tar.gz' -C '" +
                              directory.path().string() + "' ./colliding";
  REQUIRE(std::system(command.c_str()) == 0);
  const Outcome verified = run_program("verify --budget 1 " + expanded("@colliding -o @v.html"));
  INFO(verified.out << verified.err);
  const std::string page = contents_of(directory / "v.html");
  CHECK(contains(page, R"("sources":{"shaders/colliding.comp":"#version)"));
}

TEST_CASE_METHOD(CheckFixture, "an element is explained, and an order can be demanded") {
  const Outcome told = check("@subgroupAdd.f32 --explain 1:5");
  INFO(told.out << told.err);
  CHECK(told.exit_code == 0);
  CHECK(contains(told.out, "buffer 1 (Out)[5] = "));
  CHECK(contains(told.out, "written by workgroup (0, 0, 0), subgroup 1, lane 1, "));
  CHECK(check("@subgroupAdd.f32 --strict-order left_fold").exit_code <= 1);
  CHECK(check("@subgroupAdd.f32 --strict-order right").exit_code == 2);
  CHECK(check("@ --explain 1:5").exit_code == 2);
}

TEST_CASE_METHOD(CheckFixture, "of open elements it is said whether another rounding gives them") {
  const std::string command = "mkdir '" + directory.path().string() +
                              "/more'; tar -xzf '" LOCKSTEP_KERNELS_DIR
                              "/../tests/data/gpu/swiftshader.tar.gz' -C '" +
                              directory.path().string() + "/more' ./branch.f32";
  REQUIRE(std::system(command.c_str()) == 0);
  const Outcome told = check("@more");
  INFO(told.out << told.err);
  CHECK(told.exit_code == 0);
  CHECK(contains(told.out, expanded("open       @more/branch.f32  (SwiftShader Device")));
  CHECK(contains(told.out, "rounding decides a comparison; "));
  CHECK((contains(told.out, "; a run that rounds ") ||
         contains(told.out, "that round differently gives this")));
  CHECK(check("@more --strict").exit_code == 1);
}

TEST_CASE_METHOD(CheckFixture,
                 "jobs that depend on a race are racy where the device agrees as well") {
  const std::string command = "mkdir '" + directory.path().string() +
                              "/more'; tar -xzf '" LOCKSTEP_KERNELS_DIR
                              "/../tests/data/gpu/llvmpipe.tar.gz' -C '" +
                              directory.path().string() + "/more' ./colliding";
  REQUIRE(std::system(command.c_str()) == 0);
  // 128 invocations write four elements each, in steps of three.
  const Outcome told = check("@more -o @report.html");
  INFO(told.out << told.err);
  CHECK(told.exit_code == 0);
  CHECK(contains(told.out, expanded("racy       @more/colliding  (llvmpipe")));
  CHECK(contains(told.out, "  buffer 1 (Out): 261 equal, 127 racy\n"));
  CHECK(contains(told.out, "several invocations access it in shaders/colliding.comp:9 without an"));
  CHECK(contains(told.out, ", and the device agrees by chance"));
  CHECK(contains(contents_of(directory / "report.html"), ", and the device agrees by chance"));
  const auto json = nlohmann::json::parse(check("@more --json").out);
  CHECK(json.at("counts").at("racy") == 1);
  CHECK(json.at("counts").at("right") == 0);
  CHECK(check("@more --strict").exit_code == 1);
  const Outcome verified =
      run_program("verify --budget 1 --junit " + expanded("@v.xml -o @v.html @more/colliding"));
  INFO(verified.out << verified.err);
  CHECK(contains(contents_of(directory / "v.xml"), "the results are racy"));
  CHECK(contains(contents_of(directory / "v.html"), "the results are racy"));
}

TEST_CASE_METHOD(CheckFixture, "a folder that is damaged is an error of its own") {
  write(directory / "shuffle.u32/job.json", "{");
  const Outcome damaged = check("@");
  INFO(damaged.out << damaged.err);
  CHECK(damaged.exit_code == 2);
  CHECK(contains(damaged.out,
                 expanded("error      @shuffle.u32: @shuffle.u32/job.json: is not JSON")));
  CHECK(contains(damaged.out,
                 "3 jobs: 2 right, 0 allowed, 0 undefined, 0 racy, 0 open, 0 wrong, 1 in error\n"));
  check_error("check " + expanded("@nothing"), 2,
              expanded("@nothing: is not a job, nor a folder of jobs"));
}

TEST_CASE_METHOD(CheckFixture, "a job whose shader writes nothing has nothing to compare") {
  write(directory / "nothing.comp",
        "#version 450\nlayout(local_size_x = 4) in;\n"
        "layout(binding = 0) readonly buffer A { uint a[]; };\nvoid main() {}\n");
  const Outcome prepared = run_program(
      expanded("capture @nothing.comp --groups 1 --buffer 0=zeros:u32:4 --prepare -o @prepared"));
  INFO(prepared.out << prepared.err);
  REQUIRE(prepared.exit_code == 0);
  const Outcome told = check("@prepared");
  INFO(told.out << told.err);
  CHECK(told.exit_code == 0);
  CHECK(contains(told.out, "nothing to compare  "));
  const auto json = nlohmann::json::parse(check("@prepared --json").out);
  CHECK(json.at("jobs").at(0).at("outcome") == "nothing to compare");
  CHECK(json.at("counts").at("nothing to compare") == 1);
}
