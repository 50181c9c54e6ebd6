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
  const BarrierArrival at17{.where = {"some.hpp", 17}, .waiting = {0xff}}, ended{.ended = true};
  CHECK_THROWS_WITH(
      fail::partial_barrier({1, 2, 3}, {at17, ended, at17, ended}),
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
  const BarrierArrival at18{.where = {"some.hpp", 18}, .waiting = {0xff}};
  CHECK_THROWS_WITH(
      fail::partial_barrier({}, {at18, at17, at18, ended}),
      "some.hpp:18: barrier() is not reached by all of workgroup (1, 1, 1): subgroups 1 wait at "
      "another one, some.hpp:17; subgroups 0, 2 wait for 3, which have ended; put the barrier "
      "where "
      "all invocations pass it");
  const BarrierArrival part{
      .where = {"some.hpp", 17}, .waiting = {0x0f}, .returned = {0x30}, .elsewhere = {0x8000, 1}};
  CHECK_THROWS_WITH(
      fail::partial_barrier({}, {at17, part}),
      "some.hpp:17: barrier() is not reached by all of workgroup (1, 1, 1): of subgroup "
      "1 lanes 0-3 wait, lanes 4-5 have returned, lanes 15,64 are in another branch or "
      "trip; put the barrier where all invocations pass it");
  CHECK_THROWS_WITH(fail::partial_barrier({}, std::vector(7, part)),
                    Catch::Contains("of subgroup 3 lanes") && !Catch::Contains("of subgroup 4") &&
                        Catch::Contains("; and so in 3 more subgroups; put"));
  CHECK_THROWS_WITH(fail::lost_barrier({"some.hpp", 17}),
                    Catch::Contains("some.hpp:17: ") && Catch::Contains("without co_await"));
  CHECK_THROWS_WITH(
      fail::endless_loop(EndlessLoop({"some.hpp", 17}, {6}, 100), "Spin", {1, 2, 3}, 4),
      "some.hpp:17: the loop of kernel Spin does not end: lanes 1-2 of subgroup 4 of workgroup (1, "
      "2, "
      "3) are still in it after 100 trips; raise max_trips if it is only long");
  CHECK_THROWS_WITH(
      fail::shared_memory(100),
      "a kernel's shared arrays take more than the device's maxComputeSharedMemorySize "
      "of 100 bytes: make them smaller or take another profile");
  CHECK_THROWS_WITH(fail::pixels("Mip", 3, 5, 5), Catch::Contains("subgroup size 3"));
  CHECK_THROWS_WITH(fail::pixels("Mip", 4, 1u << 20, 1u << 20),
                    Catch::Contains("1048576 x 1048576 pixels"));
  CHECK_THROWS_WITH(fail::pixels_under_core("Mip"),
                    Catch::Contains("kernel Mip runs on pixels, and rule core"));
}

}  // namespace
