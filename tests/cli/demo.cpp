#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_program.hpp"
#include "io/npy.hpp"

namespace npy = lockstep::npy;
using nlohmann::json;

namespace {

std::vector<std::uint32_t> random_values(std::size_t count) {
  std::vector<std::uint32_t> values(count);
  std::mt19937 random(5);
  for (auto& value : values) value = static_cast<std::uint32_t>(random());
  return values;
}

std::vector<std::uint32_t> sums_of(const std::vector<std::uint32_t>& values) {
  std::vector<std::uint32_t> sums;
  std::uint32_t sum = 0;
  for (const std::uint32_t value : values) sums.push_back(sum += value);
  return sums;
}

json json_of(const std::string& arguments) {
  const Outcome outcome = run_program("demo --json " + arguments);
  CAPTURE(arguments, outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  return json::parse(outcome.out);
}

std::string quoted(const std::string& path) { return "'" + path + "'"; }

}  // namespace

TEST_CASE("demo --help shows an example") {
  const Outcome help = run_program("demo --help");
  CHECK(help.exit_code == 0);
  CHECK(help.err.empty());
  CHECK(help.out.find("Usage: lockstep demo ") != std::string::npos);
  CHECK(help.out.find("\nExamples:\n  lockstep demo") != std::string::npos);
  std::istringstream lines(help.out);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
}

TEST_CASE("demo prints a table with a row for each size") {
  const Outcome outcome = run_program("demo --elements 3000 --threads 2");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  std::istringstream lines(outcome.out);
  std::string line;
  std::getline(lines, line);
  CHECK(line == "Inclusive prefix sum of 3000 uint32 values, workgroups of 1024, 2 threads");
  std::getline(lines, line);
  CHECK_THAT(line, Catch::Matches(R"(memcpy of the same bytes, 2 threads: [\d.]+ (ns|µs|ms|s), )"
                                  R"([\d.]+ GB/s)"));
  for (int skipped = 0; skipped < 3; ++skipped) std::getline(lines, line);
  CHECK(line == "    size      workgroup       time     GB/s  of memcpy  result");
  for (const char* size_and_subgroups :
       {"8 +128", "16 +64", "24 +43", "32 +32", "64 +16", "128 +8"}) {
    std::getline(lines, line);
    CHECK_THAT(line, Catch::Matches(" *" + std::string(size_and_subgroups) +
                                    R"( +[\d.]+ (ns|µs|ms|s) +[\d.]+ +[\d.]+ %  ok)"));
  }
  CHECK_FALSE(std::getline(lines, line));
}

TEST_CASE("demo --json tells the same to programs") {
  const json report = json_of("--elements 3000 --threads 2");
  CHECK(report.at("elements") == 3000);
  CHECK(report.at("threads") == 2);
  CHECK(report.at("workgroup_size") == 1024);
  CHECK(report.at("ok") == true);
  const double memcpy_seconds = report.at("memcpy").at("seconds");
  CHECK(memcpy_seconds > 0);
  const std::vector<int> sizes{8, 16, 24, 32, 64, 128};
  const std::vector<int> subgroups{128, 64, 43, 32, 16, 8};
  REQUIRE(report.at("sizes").size() == sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const json& row = report.at("sizes").at(i);
    CHECK(row.at("subgroup_size") == sizes[i]);
    CHECK(row.at("subgroups_per_workgroup") == subgroups[i]);
    CHECK(row.at("ok") == true);
    CHECK_FALSE(row.contains("wrong"));
    const double seconds = row.at("seconds");
    CHECK(seconds > 0);
    CHECK(row.at("gigabytes_per_second").get<double>() == Approx(8 * 3000 / seconds * 1e-9));
    CHECK(row.at("ratio_to_memcpy").get<double>() == Approx(memcpy_seconds / seconds));
  }
}

TEST_CASE("demo is right at every number of elements") {
  for (const std::size_t count : {0u, 1u, 2u, 1023u, 1024u, 1025u, 5000u, 300'000u}) {
    const json report = json_of("--elements " + std::to_string(count));
    CHECK(report.at("elements") == count);
    CHECK(report.at("ok") == true);
    for (const json& row : report.at("sizes")) {
      CHECK(row.at("ok") == true);
      CHECK(row.at("gigabytes_per_second").is_null() == (count == 0));
      CHECK(row.at("ratio_to_memcpy").is_null() == (count == 0));
    }
  }
  CHECK(run_program("demo --elements 0").exit_code == 0);
}

TEST_CASE("demo runs the sizes it is given, in their order") {
  std::vector<int> sizes{128, 1, 2, 3, 4, 5, 31, 33, 100, 127, 24, 24};
  std::string arguments = "--elements 5000";
  for (const int size : sizes) arguments += " --subgroup-size " + std::to_string(size);
  const json report = json_of(arguments);
  REQUIRE(report.at("sizes").size() == sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    CHECK(report.at("sizes").at(i).at("subgroup_size") == sizes[i]);
    CHECK(report.at("sizes").at(i).at("subgroups_per_workgroup") ==
          (1024 + sizes[i] - 1) / sizes[i]);
    CHECK(report.at("sizes").at(i).at("ok") == true);
  }
}

TEST_CASE("demo sums the array it is given") {
  const Directory directory;
  const std::string input = directory / "in.npy";
  const std::string output = directory / "out.npy";
  for (const std::size_t count : {0u, 1u, 1000u, 1024u, 70'000u}) {
    const std::vector<std::uint32_t> values = random_values(count);
    npy::write<std::uint32_t>(input, values);
    for (const char* size : {"8", "24", "128"}) {
      const json report = json_of("--subgroup-size " + std::string(size) + " --input " +
                                  quoted(input) + " --output " + quoted(output));
      CHECK(report.at("elements") == count);
      CHECK(npy::read<std::uint32_t>(output) == sums_of(values));
    }
  }
  // One file may be both.
  const std::vector<std::uint32_t> values = npy::read<std::uint32_t>(input);
  json_of("--subgroup-size 32 --input " + quoted(input) + " --output " + quoted(input));
  CHECK(npy::read<std::uint32_t>(input) == sums_of(values));
}

TEST_CASE("demo takes the same values in every run") {
  const Directory directory;
  const std::string first = directory / "first.npy";
  const std::string second = directory / "second.npy";
  json_of("--elements 2000 --subgroup-size 8 --threads 1 --output " + quoted(first));
  json_of("--elements 2000 --subgroup-size 128 --threads 3 --output " + quoted(second));
  const auto sums = npy::read<std::uint32_t>(first);
  CHECK(sums.size() == 2000);
  CHECK(sums.front() != sums.back());
  CHECK(npy::read<std::uint32_t>(second) == sums);
}

TEST_CASE("demo explains wrong options in one line and ends with 2") {
  const auto check = [](const std::string& arguments, const std::string& line) {
    check_error("demo " + arguments, 2, line + "; see lockstep demo --help");
  };
  check("--subgroup-size 0", "--subgroup-size: Value 0 not in range 1 to 128");
  check("--subgroup-size 129", "--subgroup-size: Value 129 not in range 1 to 128");
  check("--subgroup-size 8 --subgroup-size x", "--subgroup-size: Value x not in range 1 to 128");
  check("--subgroup-size", "--subgroup-size: 1 required N missing");
  check("--subgroup-size 8 16", "The following argument was not expected: 16");
  check("--threads 0", "--threads: Value 0 not in range 1 to 1024");
  check("--elements -1", "--elements: Value -1 not in range 0 to 4294967295");
  check("--elements 4294967296", "--elements: Value 4294967296 not in range 0 to 4294967295");
  check("--input a.npy --elements 5", "--input excludes --elements");
}

TEST_CASE("demo explains a wrong input in one line and ends with 2") {
  const Directory directory;
  const std::string path = directory / "in.npy";
  const auto check = [&](const std::string& wrong) {
    check_error("demo --input " + quoted(path), 2, path + ": " + wrong);
    check_error("demo --json --input " + quoted(path), 2, path + ": " + wrong);
  };
  check("does not exist; give the path of a .npy file");
  npy::write<float>(path, std::vector<float>(3));
  check("holds float32 values where uint32 is needed; convert it in numpy with a.astype('uint32')");
  npy::write<std::uint32_t>(path, random_values(6), std::vector<std::size_t>{2, 3});
  check("has the shape (2, 3) where one dimension is needed; flatten it in numpy with a.ravel()");
  npy::write<std::uint32_t>(path, random_values(6));
  std::filesystem::resize_file(path, 128 + 23);
  check("is cut short: its header promises 24 bytes of values, 23 follow; save or copy it again");
  std::filesystem::resize_file(path, 60);
  check("is cut short inside its header; save or copy it again");
  std::ofstream(path) << "1 2 3\n";
  check("is not a .npy file; save the array with numpy.save");
}

TEST_CASE("demo explains an output that cannot be written before it starts") {
  const Directory directory;
  const std::string path = directory / "no/such/directory/out.npy";
  check_error("demo --output " + quoted(path), 2,
              path +
                  ": cannot be written: No such file or directory; check the directory, its "
                  "permissions and its free space");
  check_error("demo --output /dev/null", 2,
              "/dev/null: is not a regular file; give the path of a file");
}
