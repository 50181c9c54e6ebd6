#include <lockstep/exec/divergent_write.hpp>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;

TEST_CASE("a divergent write says where and which lanes") {
  CHECK_THROWS_WITH(fail::divergent_write({"kernel.hpp", 12}, {0xf0}, {0x03}),
                    "kernel.hpp:12: a uniform variable is written by lanes 4-7 while lanes 0-1 are "
                    "not active: it would change for them, too; declare it with var, which has a "
                    "value for each lane");
}

TEST_CASE("lanes that have returned are in no tangle and on no frame") {
  const Convergence convergence;
  ReconvergenceStack stack({0xff}, convergence);
  CHECK(returned_lanes(stack) == LaneSet{});
  enter(stack, {0x0f}, {});
  CHECK(returned_lanes(stack) == LaneSet{});
  retire(stack, {});
  CHECK(returned_lanes(stack) == LaneSet{0x0f});
  flip(stack, {});
  leave(stack, {});
  CHECK(returned_lanes(stack) == LaneSet{0x0f});
  enter_loop(stack, {});
  test_loop(stack, {0x3f}, {});
  leave_trip(stack, {});
  CHECK(returned_lanes(stack) == LaneSet{0x0f});
}

}  // namespace
