#include "subgroup/rotate.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE(
    "subgroupRotate, subgroupClusteredRotate: each lane reads some way above, around the end") {
  check_moves<RotateCalls, std::int32_t>();
}

TEST_CASE("subgroupClusteredRotate: a cluster size that is not legal changes nothing") {
  for_each_size([]<int W>(Size<W>) {
    Random random = make_random(W);
    const auto values = sample_values<float, W>(random, Values::special);
    for (const std::uint32_t cluster : {0u, 3u, 6u, 129u, 256u, 0x80000000u, 0xffffffffu}) {
      for (const std::uint32_t delta : {0u, 1u, 5u}) {
        INFO("W = " << W << ", cluster = " << cluster << ", delta = " << delta);
        const auto lanes = lanes_from<float, W>(values);
        CHECK(difference(subgroupClusteredRotate(Mask<W>::all(), lanes, delta, cluster), values) ==
              "");
      }
    }
  });
}
