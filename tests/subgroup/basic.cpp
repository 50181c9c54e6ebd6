#include <lockstep/subgroup/basic.hpp>

#include <catch2/catch.hpp>

#include "support/corpus.hpp"

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("subgroupElect: the lowest active lane, and no other") {
  for_each_size([]<int W>(Size<W>) {
    for (const Mask<W> active : masks<W>()) {
      INFO(describe(active));
      LaneArray<bool, W> expected = {};
      for (int i = 0; i < W; ++i) {
        if (!active.test(i)) continue;
        expected[static_cast<std::size_t>(i)] = true;
        break;
      }
      // In all lanes: inactive ones get false.
      CHECK(difference(subgroupElect(active), expected) == "");
    }
  });
}
