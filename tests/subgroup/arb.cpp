#include "subgroup/arb.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("readInvocationARB, readFirstInvocationARB: all lanes read one lane") {
  check_types<ArbCalls>(TypeList<float, std::int32_t>{});
  check_at<ArbCalls, std::uint32_t>(ManySizes{});
}

TEST_CASE("ballotARB: one bit a lane of the first 64") {
  for_each_size([]<int W>(Size<W>) {
    Random random = make_random(W);
    for (const Mask<W> active : masks<W>()) {
      INFO(describe(active));
      const auto values = sample_values<bool, W>(random, Values::special);
      std::uint64_t expected = 0;
      for (int i = 0; i < W && i < 64; ++i) {
        if (active.test(i) && values[static_cast<std::size_t>(i)])
          expected |= std::uint64_t{1} << i;
      }
      for (int garbage = 0; garbage < 2; ++garbage) {
        const auto lanes = lanes_from<bool, W>(with_garbage<bool, W>(values, active, random));
        CHECK(ballotARB(active, lanes) == expected);
      }
    }
  });
}

TEST_CASE("anyInvocationARB, allInvocationsARB, allInvocationsEqualARB and their core names") {
  for_each_size([]<int W>(Size<W>) {
    Random random = make_random(W);
    for (const Mask<W> active : masks<W>()) {
      INFO(describe(active));
      for (int kind = 0; kind < 4; ++kind) {
        // All true, all false, mixed, and all but one true.
        LaneArray<bool, W> values = {};
        for (bool& value : values) value = kind == 2 ? random_bits<bool>(random) : kind != 1;
        if (kind == 3) values[static_cast<std::size_t>(active.last())] = false;
        int trues = 0, falses = 0;
        for (int i = 0; i < W; ++i) {
          if (active.test(i)) ++(values[static_cast<std::size_t>(i)] ? trues : falses);
        }
        const auto lanes = lanes_from<bool, W>(with_garbage<bool, W>(values, active, random));
        CHECK(anyInvocationARB(active, lanes) == (trues > 0));
        CHECK(anyInvocation(active, lanes) == (trues > 0));
        CHECK(allInvocationsARB(active, lanes) == (falses == 0));
        CHECK(allInvocations(active, lanes) == (falses == 0));
        CHECK(allInvocationsEqualARB(active, lanes) == (trues == 0 || falses == 0));
        CHECK(allInvocationsEqual(active, lanes) == (trues == 0 || falses == 0));
      }
    }
  });
}
