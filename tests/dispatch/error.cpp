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
  CHECK_THROWS_WITH(
      fail::partial_barrier({"some.hpp", 17}, {1, 2, 3}, {0, 2}, {1, 3}),
      "some.hpp:17: barrier() is not reached by all of workgroup (1, 2, 3): subgroups 0, 2 wait "
      "for 1, 3, which have ended; put the barrier where all invocations pass it");
  CHECK_THROWS_WITH(fail::subgroup_size(129, 64),
                    "subgroup size 129 does not fit the widths this dispatch was compiled for: use "
                    "1 to 64, or name a wider one");
  CHECK_THROWS_WITH(fail::local_size(),
                    "a kernel's local_size is zero in some dimension: give each at least 1");
  CHECK_THROWS_WITH(fail::buffer_size(), "a buffer has more than 2^32 - 1 elements: split it");
  CHECK_THROWS_AS(fail::subgroup_size(0, 1), Error);
  CHECK_THROWS_AS(fail::local_size(), Error);
  CHECK_THROWS_AS(fail::buffer_size(), Error);
  CHECK_THROWS_AS(fail::partial_barrier({}, {}, {}, {}), Error);
}

}  // namespace
