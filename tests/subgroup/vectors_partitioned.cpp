#include "subgroup/vectors.hpp"

#include <catch2/catch.hpp>

#include <lockstep/subgroup/vote.hpp>

#include "subgroup/partitioned.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// What is wrong with vote and partition of vectors, which compare all components of a lane.
template <class T, int N, int W>
void check_comparisons() {
  Random random = make_random(W);
  for (const Mask<W> active : masks<W>()) {
    for (const int different : {1, 2, 3}) {
      T choice[3];
      for (T& value : choice) value = garbage<T>(random);
      Block<T> values;
      for (T& value : values.lane) value = choice[random() % static_cast<std::uint64_t>(different)];
      // Sometimes only the last component differs.
      for (int k = 0; k + 1 < N && random() % 2 == 0; ++k) {
        std::fill(values.component(k), values.component(k + 1), choice[0]);
      }
      const auto equal = [&](int i, int j) {
        bool all = true;
        for (int k = 0; k < N; ++k) {
          const T a = values.component(k)[i], b = values.component(k)[j];
          if constexpr (std::is_same_v<T, bool>)
            all = all && a == b;
          else
            all = all && expected::equal(a, b);
        }
        return all;
      };
      bool all_equal = true, right = true;
      const auto v = AsVector<T, N, W>::load(values);
      const BallotLanes<W> partition = subgroupPartitionNV(active, v);
      for (int i = 0; i < W; ++i) {
        if (!active.test(i)) continue;
        for (int j = 0; j < 128; ++j) {
          const bool together = j < W && active.test(j) && (i == j || equal(i, j));
          right = right && bit(partition[i], j) == together;
          if (j < W && active.test(j)) all_equal = all_equal && equal(i, j);
        }
      }
      INFO(describe<T>(active) << ", components: " << N);
      CHECK(right);
      CHECK(subgroupAllEqual(active, v) == all_equal);
    }
  }
}

}  // namespace

TEST_CASE("Vectors: reductions and scans of partitions") { check_vectors<PartitionedCalls>(); }

TEST_CASE("Vectors: subgroupAllEqual and subgroupPartitionNV compare all components") {
  check_comparisons<float, 2, 24>();
  check_comparisons<float, 4, 5>();
  check_comparisons<std::uint32_t, 3, 33>();
  check_comparisons<double, 3, 8>();
  check_comparisons<bool, 4, 100>();
}
