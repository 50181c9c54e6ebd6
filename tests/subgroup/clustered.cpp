#include "subgroup/clustered.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions of clusters: bool") { check_at<ClusteredCalls, bool>(ManySizes{}); }

TEST_CASE("Reductions of clusters: the same value in all lanes") {
  ClusteredCalls<AsUniform<float, 33>>::check();
  ClusteredCalls<AsUniform<std::uint32_t, 24>>::check();
  ClusteredCalls<AsUniform<bool, 128>>::check();
}

TEST_CASE("Reductions of clusters: a cluster size that is not legal changes nothing") {
  for_each_size(FewSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    const auto values = sample_values<std::uint32_t, W>(random, Values::special);
    const auto lanes = lanes_from<std::uint32_t, W>(values);
    const auto all = Mask<W>::all();
    for (const std::uint32_t cluster : {0u, 3u, 6u, 129u, 256u, 0x80000000u, 0xffffffffu}) {
      INFO("W = " << W << ", cluster = " << cluster);
      CHECK(difference(subgroupClusteredAdd(all, lanes, cluster), values) == "");
      CHECK(difference(subgroupClusteredMin(all, lanes, cluster), values) == "");
      CHECK(difference(subgroupClusteredXor(all, lanes, cluster), values) == "");
    }
  });
}

TEST_CASE("Reductions of clusters: all lanes of a cluster get the same bits") {
  for_each_size(FewSizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    for (const Mask<W> active : masks<W>()) {
      INFO(describe<float>(active));
      const auto lanes = lanes_from<float, W>(sample_values<float, W>(random, Values::finite));
      for (std::uint32_t cluster = 1; cluster <= W; cluster *= 2) {
        const auto sums = subgroupClusteredAdd(active, lanes, cluster);
        bool same = true;
        for (int i = 0; i < W; ++i) {
          const int start = i - i % static_cast<int>(cluster);
          for (int j = start; j < i; ++j) {
            if (active.test(i) && active.test(j)) same = same && bit_equal(sums[i], sums[j]);
          }
        }
        CHECK(same);
      }
    }
  });
}
