#include <lockstep/dispatch/error.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/checks.hpp>

namespace {

using namespace lockstep;

TEST_CASE("an error is a runtime_error with its text") {
  const Error error("what is wrong");
  CHECK(std::string(static_cast<const std::runtime_error&>(error).what()) == "what is wrong");
}

TEST_CASE("errors say what is wrong and what to do") {
  CHECK_THROWS_WITH(fail::subgroup_size(129, 64),
                    "subgroup size 129 does not fit the widths this dispatch was compiled for: use "
                    "1 to 64, or name a wider one");
  CHECK_THROWS_WITH(fail::local_size(),
                    "a kernel's local_size is zero in some dimension: each must be at least 1");
  CHECK_THROWS_WITH(fail::no_coroutine("Mip"),
                    "Barriers main() of kernel Mip contains neither co_await nor co_return: end it "
                    "with co_return;");
  CHECK_THROWS_AS(fail::subgroup_size(0, 1), Error);
  CHECK_THROWS_AS(fail::local_size(), Error);
  CHECK_THROWS_WITH(fail::lost_barrier({"some.hpp", 17}),
                    Catch::Contains("some.hpp:17: ") && Catch::Contains("without co_await"));
  CHECK_THROWS_WITH(
      fail::shared_memory(100),
      "a kernel's shared arrays take more than the device's maxComputeSharedMemorySize "
      "of 100 bytes: make them smaller or use another profile");
  CHECK_THROWS_WITH(fail::pixels("Mip", 3, 5, 5), Catch::Contains("subgroup size 3"));
  CHECK_THROWS_WITH(fail::pixels("Mip", 4, 1u << 20, 1u << 20),
                    Catch::Contains("1048576 x 1048576 pixels"));
  CHECK_THROWS_WITH(fail::pixels_under_core("Mip"),
                    Catch::Contains("kernel Mip runs on pixels, but rule core"));
}

TEST_CASE("arrays that are too long or overlap are named") {
  std::vector<std::uint32_t> data(8);
  const auto part = [&](std::size_t first, std::size_t count, int number, bool is_written) {
    return ArgumentArray{&data[first], 4 * count, count, number, is_written};
  };
  const auto check = [](const std::vector<ArgumentArray>& arrays) {
    fail::unless_arrays_fit("Copy", arrays);
  };
  CHECK_THROWS_WITH(
      check({part(0, std::size_t{1} << 32, 3, false)}),
      "argument 3 of kernel Copy: a buffer has more than 2^32 - 1 elements: split it");
  CHECK_NOTHROW(check({}));
  CHECK_NOTHROW(check({part(0, 4, 1, true), part(4, 4, 2, true)}));
  CHECK_NOTHROW(check({part(4, 4, 1, true), part(0, 4, 2, true)}));
  CHECK_NOTHROW(check({part(0, 5, 1, false), part(4, 4, 2, false)}));
  CHECK_NOTHROW(check({part(2, 4, 1, true), part(2, 3, 2, true)}));
  CHECK_NOTHROW(check({part(1, 0, 1, true), part(0, 8, 2, false)}));
  CHECK_THROWS_WITH(check({part(0, 5, 1, false), part(5, 1, 2, true), part(4, 4, 5, true)}),
                    Catch::StartsWith("arguments 1 and 5 of kernel Copy overlap") &&
                        Catch::Contains("writes to argument 5"));
  CHECK_THROWS_WITH(check({part(4, 4, 1, true), part(0, 5, 2, false)}),
                    Catch::StartsWith("arguments 1 and 2 of kernel Copy overlap") &&
                        Catch::Contains("writes to argument 1"));
}

TEST_CASE("integers that do not fit are named") {
  CHECK_THROWS_WITH(fail::integer_argument("Copy", 2, true, 1, false, 32),
                    "argument 2 of kernel Copy is -1, which the kernel's member, a uint of 32 "
                    "bits, cannot hold");
  CHECK_THROWS_WITH(fail::integer_argument("Copy", 3, false, 128, true, 8),
                    "argument 3 of kernel Copy is 128, which the kernel's member, an int of 8 "
                    "bits, cannot hold");
}

Finding fault(int line, std::uint64_t count) {
  Finding finding = finding_of(Check::out_of_bounds);
  finding.where = {"kernel.hpp", line};
  finding.message = "read of element 9";
  finding.count = count;
  return finding;
}

TEST_CASE("an error of faults has the first one's text, and all of them") {
  const std::string first =
      "kernel.hpp:7: error: read of element 9 [out-of-bounds], workgroup (0, 0, 0), subgroup 0, 3 "
      "times";
  const std::string advice =
      "; a Device with .faults = Faults::counted returns them instead of throwing";
  FaultLog log;
  log.record(fault(7, 3));
  CHECK_THROWS_WITH(fail::faults(log), first + advice);
  log.record(fault(8, 2));
  CHECK_THROWS_WITH(fail::faults(log), first + "; 2 more in other places" + advice);
  try {
    fail::faults(log);
  } catch (const FaultError& error) {
    CHECK(error.faults.count() == 5);
    CHECK(error.faults.findings().size() == 2);
  }
}

TEST_CASE("notes and warnings are no errors, but what is only counted may be one") {
  FaultLog log;
  CHECK_FALSE(has_errors(log));
  Finding note = fault(7, 3);
  note.severity = Severity::note;
  log.record(note);
  note.where.line = 8;
  note.severity = Severity::warning;
  log.record(note);
  CHECK_FALSE(has_errors(log));
  FaultLog many = log;
  log.record(fault(9, 1));
  CHECK(has_errors(log));
  CHECK_THROWS_WITH(fail::faults(log), Catch::StartsWith("kernel.hpp:9: error: "));
  for (int line = 10; line < 400; ++line) {
    note.where.line = line;
    many.record(note);
  }
  CHECK(has_errors(many));
}

}  // namespace
