#include "kernels/sweep.hpp"

namespace {

using namespace lockstep::test;

TEST_CASE("prefix_sum_lookback at every subgroup size") {
  sweep("prefix_sum_lookback", {0, 1, 1023, 1024, 1025, 5000, 200000});
}

}  // namespace
