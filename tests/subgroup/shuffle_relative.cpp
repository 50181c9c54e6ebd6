#include "subgroup/shuffle_relative.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("subgroupShuffleUp, subgroupShuffleDown: each lane reads some way below or above") {
  check_moves<ShuffleRelativeCalls, float>();
}
