#include "kernels/sweep.hpp"

using namespace lockstep::test;

TEST_CASE("saxpy at every subgroup size, with ends inside subgroups and workgroups") {
  sweep("saxpy", {0, 1, 255, 256, 1000});
  check_notices("saxpy", 32, 300);
}
