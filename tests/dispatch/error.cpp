#include <lockstep/dispatch/error.hpp>

#include <stdexcept>

#include <catch2/catch.hpp>

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
  CHECK_THROWS_WITH(fail::buffer_size(), "a buffer has more than 2^32 - 1 elements: split it");
  CHECK_THROWS_AS(fail::subgroup_size(0, 1), Error);
  CHECK_THROWS_AS(fail::local_size(), Error);
  CHECK_THROWS_AS(fail::buffer_size(), Error);
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

}  // namespace
