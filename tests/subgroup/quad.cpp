#include "subgroup/quad.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE(
    "subgroupQuadBroadcast, subgroupQuadSwapHorizontal, subgroupQuadSwapVertical, "
    "subgroupQuadSwapDiagonal: each lane reads a member of its quad") {
  check_moves<QuadCalls, double>();
}

TEST_CASE("subgroupQuadAll, subgroupQuadAny: one answer for the active lanes of each quad") {
  for_each_size([]<int W>(Size<W>) {
    Random random = make_random(W);
    for (const Mask<W> active : masks<W>()) {
      INFO(describe(active));
      // Mostly true, evenly mixed, mostly false.
      for (const std::uint64_t of_four : {1u, 2u, 3u}) {
        LaneArray<bool, W> values = {};
        for (std::size_t i = 0; i < W; ++i) values[i] = random() % 4 < of_four;
        LaneArray<bool, W> all = {}, any = {};
        for (int i = 0; i < W; ++i) {
          const auto lane = static_cast<std::size_t>(i);
          all[lane] = true;
          for (int j = 0; j < W; ++j) {
            if (j / 4 != i / 4 || !active.test(j)) continue;
            all[lane] = all[lane] && values[static_cast<std::size_t>(j)];
            any[lane] = any[lane] || values[static_cast<std::size_t>(j)];
          }
        }
        for (int garbage = 0; garbage < 2; ++garbage) {
          const auto lanes = lanes_from<bool, W>(with_garbage<bool, W>(values, active, random));
          CHECK(difference(subgroupQuadAll(active, lanes), all, active) == "");
          CHECK(difference(subgroupQuadAny(active, lanes), any, active) == "");
        }
      }
    }
  });
}
