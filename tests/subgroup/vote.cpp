#include <lockstep/subgroup/vote.hpp>

#include <catch2/catch.hpp>

#include "support/corpus.hpp"
#include "support/expected.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

// Compiled once per T: whether every active lane equals the first one, as IEEE ==.
template <class T>
bool all_equal(const T* values, MaskBits active, int width) {
  int first = 0;
  while (first < width && !active.test(first)) ++first;
  for (int i = first; i < width; ++i) {
    if (!active.test(i)) continue;
    if constexpr (std::is_same_v<T, bool>) {
      if (values[i] != values[first]) return false;
    } else {
      if (!expected::equal(values[i], values[first])) return false;
    }
  }
  return true;
}

template <class T, int W>
void check_all_equal() {
  Random random = make_random(W);
  for (const Mask<W> active : masks<W>()) {
    for (int round = 0; round < 8; ++round) {
      const T common = random_special<T>(random);
      LaneArray<T, W> values;
      values.fill(common);
      if (round % 2 == 1) {
        // One different value in one lane, which may be active; +0 and -0 must count as equal.
        const std::size_t lane = random() % W;
        values[lane] = round % 4 == 1 ? garbage<T>(random) : random_special<T>(random);
        if constexpr (is_floating<T>) {
          if (expected::equal(common, T(0.0f)) && round > 4) values[lane] = expected::neg(common);
        }
      }
      const bool equal = all_equal(values.data(), {active.low64(), active.high64()}, W);
      std::string wrong;
      for (int garbage = 0; garbage < 2; ++garbage) {
        const auto lanes = lanes_from<T, W>(with_garbage<T, W>(values, active, random));
        if (subgroupAllEqual(active, lanes) != equal) wrong += equal ? "got false\n" : "got true\n";
      }
      INFO(describe<T>(active) << ", round " << round);
      CHECK(wrong == "");
    }
  }
}

}  // namespace

TEST_CASE("subgroupAll, subgroupAny: over active lanes only") {
  for_each_size([]<int W>(Size<W>) {
    Random random = make_random(W);
    for (const Mask<W> active : masks<W>()) {
      INFO(describe(active));
      for (int kind = 0; kind < 4; ++kind) {
        // All true, all false, mixed, and all but one true.
        LaneArray<bool, W> values = {};
        for (bool& value : values) value = kind == 2 ? random_bits<bool>(random) : kind != 1;
        if (kind == 3) values[static_cast<std::size_t>(active.last())] = false;
        bool all = true, any = false;
        for (int i = 0; i < W; ++i) {
          if (!active.test(i)) continue;
          all = all && values[static_cast<std::size_t>(i)];
          any = any || values[static_cast<std::size_t>(i)];
        }
        for (int garbage = 0; garbage < 2; ++garbage) {
          const auto lanes = lanes_from<bool, W>(with_garbage<bool, W>(values, active, random));
          CHECK(subgroupAll(active, lanes) == all);
          CHECK(subgroupAny(active, lanes) == any);
        }
      }
    }
  });
}

TEST_CASE("subgroupAllEqual: whether the active lanes hold one value") {
  for_each_type([]<class T>(Type<T>) {
    for_each_size(FewSizes{}, []<int W>(Size<W>) { check_all_equal<T, W>(); });
  });
  for_each_size([]<int W>(Size<W>) { check_all_equal<float, W>(); });
  for_each_size([]<int W>(Size<W>) { check_all_equal<bool, W>(); });
}

TEST_CASE("subgroupAllEqual: a NaN is equal to nothing, not even alone") {
  const Lanes<float, 32> nan(std::numeric_limits<float>::quiet_NaN());
  CHECK_FALSE(subgroupAllEqual(Mask<32>::lane(5), nan));
  CHECK_FALSE(subgroupAllEqual(Mask<32>::all(), nan));
  CHECK(subgroupAllEqual(Mask<32>::all(), 1.0f));
  CHECK_FALSE(subgroupAllEqual(Mask<32>::all(), std::numeric_limits<float>::quiet_NaN()));
}
