#include "subgroup/arithmetic.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions and scans: float, double") {
  check_types<ArithmeticCalls>(TypeList<float, double>{});
  check_at<ArithmeticCalls, float>(ManySizes{});
}

namespace {

/// The sum of the active lanes, added by lane distance: the upper half of the physical lanes onto
/// the lower half, until one is left. Other lanes count as -0, which changes no number.
template <class T, int W>
T tree_sum(LaneArray<T, W> values, Mask<W> active) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i >= W || !active.test(static_cast<int>(i))) values[i] = T(-0.0f);
  }
  for (std::size_t half = values.size() / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) values[i] += values[i + half];
  }
  return values[0];
}

}  // namespace

TEST_CASE("subgroupAdd of floats: one order of evaluation on every machine") {
  for_each_size(ManySizes{}, []<int W>(Size<W>) {
    Random random = make_random(W);
    for (const Mask<W> active : masks<W>()) {
      INFO(describe<float>(active));
      const auto values = sample_values<float, W>(random, Values::finite);
      const float sum = subgroupAdd(active, lanes_from<float, W>(values));
      CHECK(bits_of(sum) == bits_of(tree_sum<float, W>(values, active)));
    }
  });
}
