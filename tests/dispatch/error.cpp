#include <lockstep/dispatch/error.hpp>

#include <catch2/catch.hpp>

namespace fail = lockstep::fail;

TEST_CASE("Error: each says what is wrong and what to do") {
  CHECK_THROWS_WITH(
      fail::partial_barrier({"k.hpp", 12}, {1, 2, 3}, {0, 2}, {1}),
      "k.hpp:12: barrier() is not reached by all of workgroup (1, 2, 3): subgroups "
      "0, 2 wait for 1, which have ended; put the barrier where all invocations pass it");
  CHECK_THROWS_WITH(
      fail::subgroup_size(64, 32),
      "subgroup size 64 does not fit the widths this dispatch was compiled for: use 1 "
      "to 32, or name a wider one");
  CHECK_THROWS_WITH(fail::local_size(),
                    "a kernel's local_size is zero in some dimension: give each at least 1");
  CHECK_THROWS_WITH(fail::buffer_size(), "a buffer has more than 2^32 - 1 elements: split it");
  CHECK_THROWS_AS(fail::buffer_size(), lockstep::Error);
}
