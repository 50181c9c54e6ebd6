#include "subgroup/partitioned.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

namespace {

// Compiled once per T: what is wrong with a partition of the active lanes by value, in words. Each
// lane's ballot contains the lane itself and the active lanes with an equal value, as IEEE ==.
template <class T>
std::string mistakes(const Ballot* got, const T* values, MaskBits active, int width) {
  std::string wrong;
  for (int i = 0; i < width; ++i) {
    if (!active.test(i)) continue;
    for (int k = 0; k < 128; ++k) {
      bool together = i == k;
      if (k < width && active.test(k)) {
        if constexpr (std::is_same_v<T, bool>)
          together = together || values[i] == values[k];
        else
          together = together || expected::equal(values[i], values[k]);
      }
      if (bit(got[i], k) != together && wrong.size() < 200)
        wrong += "lane " + std::to_string(i) + ", bit " + std::to_string(k) + "\n";
    }
  }
  return wrong;
}

template <class T, int W>
void check_partition() {
  Random random = make_random(W);
  for (const Mask<W> active : masks<W>()) {
    for (int different = 1; different <= 7; different += 3) {
      T choice[7];
      for (T& value : choice) value = garbage<T>(random);
      LaneArray<T, W> values;
      for (T& value : values) value = choice[random() % static_cast<std::uint64_t>(different)];
      std::string wrong;
      for (int round = 0; round < 2; ++round) {
        const auto lanes = lanes_from<T, W>(with_garbage<T, W>(values, active, random));
        const BallotLanes<W> partition = subgroupPartitionNV(active, lanes);
        Ballot got[most_lanes];
        for (int i = 0; i < W; ++i) got[i] = partition[i];
        wrong += mistakes(got, values.data(), {active.low64(), active.high64()}, W);
      }
      INFO(describe<T>(active) << ", values: " << different);
      CHECK(wrong == "");
    }
  }
}

}  // namespace

TEST_CASE("subgroupPartitionNV: the active lanes with the same value") {
  for_each_type([]<class T>(Type<T>) {
    for_each_size(FewSizes{}, []<int W>(Size<W>) { check_partition<T, W>(); });
  });
  for_each_size([]<int W>(Size<W>) { check_partition<float, W>(); });
  for_each_size([]<int W>(Size<W>) { check_partition<bool, W>(); });
}

TEST_CASE("subgroupPartitionNV: +0 and -0 are together, each NaN is alone") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float values[4] = {0.0f, -0.0f, nan, nan};
  const auto partition = subgroupPartitionNV(Mask<4>::all(), Lanes<float, 4>::load(values));
  CHECK(partition[0] == Ballot(3, 0, 0, 0));
  CHECK(partition[1] == Ballot(3, 0, 0, 0));
  CHECK(partition[2] == Ballot(4, 0, 0, 0));
  CHECK(partition[3] == Ballot(8, 0, 0, 0));
}

TEST_CASE("Reductions and scans of partitions: bool") {
  check_at<PartitionedCalls, bool>(ManySizes{});
}

TEST_CASE("Reductions and scans of partitions: the same value in all lanes") {
  PartitionedCalls<AsUniform<float, 33>>::check();
  PartitionedCalls<AsUniform<std::uint32_t, 24>>::check();
}
