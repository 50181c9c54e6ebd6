#include "subgroup/shuffle.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("subgroupShuffle, subgroupShuffleXor: each lane reads the lane it names") {
  check_moves<ShuffleCalls, float>();
}
