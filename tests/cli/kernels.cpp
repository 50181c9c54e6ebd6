#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "io/npy.hpp"
#include "run_program.hpp"

namespace npy = lockstep::npy;

namespace {

TEST_CASE("kernels lists each kernel in one line with its source") {
  const Outcome outcome = run_program("kernels");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find("max_reduce") == 0);
  CHECK(outcome.out.find("[Vulkan Subgroup Tutorial]\n") != std::string::npos);
  const auto json = nlohmann::json::parse(run_program("kernels --json").out);
  const auto lines = std::count(outcome.out.begin(), outcome.out.end(), '\n');
  CHECK(json.size() == static_cast<std::size_t>(lines));
  CHECK(json[0]["name"] == "max_reduce");
}

TEST_CASE("run-kernel runs on generated inputs at any subgroup size") {
  for (const char* arguments : {"max_reduce", "radix_sort --subgroup-size 24 --size 5000",
                                "compact --subgroup-size 1 --size 0 --threads 1 --seed 7"}) {
    INFO(arguments);
    const Outcome outcome = run_program(std::string("run-kernel ") + arguments);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK(outcome.out.find(": ok, ") != std::string::npos);
  }
}

TEST_CASE("run-kernel takes arrays and writes what comes out") {
  const Directory directory;
  const std::string objects = directory / "objects.npy", counter = directory / "counter.npy",
                    out = directory / "out.npy";
  npy::write<std::int32_t>(objects, std::vector<std::int32_t>{5, -1, 7, -2, 0});
  const Outcome outcome = run_program("run-kernel compact --threads 1 --input " + objects +
                                      " --output " + counter + " --output " + out);
  CHECK(outcome.err.empty());
  CHECK(outcome.exit_code == 0);
  CHECK(npy::read<std::uint32_t>(counter) == std::vector<std::uint32_t>{3});
  CHECK(npy::read<std::int32_t>(out) == std::vector<std::int32_t>{5, 7, 0, 0, 0});
}

TEST_CASE("run-kernel --json says the same to programs") {
  const Outcome outcome = run_program("run-kernel bitonic_sort --size 100 --json");
  CHECK(outcome.exit_code == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["ok"] == true);
  CHECK(json["kernel"] == "bitonic_sort");
  CHECK(json["arrays"][0]["elements"] == 100);
  CHECK(json["arrays"][1]["role"] == "output");
}

TEST_CASE("run-kernel says in one line what is wrong") {
  const Directory directory;
  const std::string floats = directory / "floats.npy", large = directory / "large.npy",
                    three = directory / "three.npy", two = directory / "two.npy";
  npy::write<float>(floats, std::vector<float>{1, 2});
  npy::write<std::uint32_t>(large, std::vector<std::uint32_t>{200000});
  npy::write<std::int32_t>(three, std::vector<std::int32_t>{1, 2, 3});
  npy::write<std::int32_t>(two, std::vector<std::int32_t>{1, 2});
  check_error("run-kernel nothing", 2, "'nothing' is not a kernel; lockstep kernels lists them");
  check_error("run-kernel matrix_product --subgroup-size 8", 2,
              "matrix_product does not support subgroup size 8: its groups have 16 lanes; use a "
              "multiple of 16");
  check_error(
      "run-kernel max_reduce --input " + floats, 2,
      floats + ": the input values takes uint32 values, but the file has another element type");
  check_error("run-kernel vote --input " + two, 2,
              "vote takes 2 --input, for foo (int32), bar (int32), not 1");
  check_error("run-kernel vote --input " + three + " --input " + two, 2,
              "vote: the input bar has 2 elements, but foo has 3; use equal lengths");
  check_error("run-kernel collatz --input " + large, 2,
              "collatz: the input numbers has 200000, whose sequence may exceed 32 bits; use "
              "numbers below 159487");
  CHECK(run_program("run-kernel max_reduce --output /no/such/a.npy").err.find("/no/such/a.npy") !=
        std::string::npos);
  check_error("run-kernel max_reduce --output a.npy --output b.npy", 2,
              "max_reduce has the outputs maximum; use at most that many --output");
  CHECK(run_program("run-kernel max_reduce --input " + large + " --size 4").exit_code == 2);
  CHECK(run_program("run-kernel max_reduce --subgroup-size 129").exit_code == 2);
  CHECK(run_program("run-kernel").exit_code == 2);
}

TEST_CASE("kernels and run-kernel have help with an example") {
  CHECK(run_program("kernels --help").out.find("lockstep kernels") != std::string::npos);
  CHECK(run_program("run-kernel --help").out.find("lockstep run-kernel compact") !=
        std::string::npos);
}

}  // namespace
