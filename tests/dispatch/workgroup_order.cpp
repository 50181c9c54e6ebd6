#include <lockstep/dispatch/workgroup_order.hpp>

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include <lockstep/exec/error.hpp>

using lockstep::WorkgroupOrder;

namespace {

std::vector<std::uint64_t> all(const WorkgroupOrder& order, std::uint64_t count) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t k = 0; k < count; ++k) numbers.push_back(order.at(k, count));
  return numbers;
}

}  // namespace

TEST_CASE("every order has each workgroup once") {
  for (const std::uint64_t count : {1u, 2u, 3u, 5u, 16u, 17u, 1000u, 4097u}) {
    std::vector<std::uint64_t> linear(count);
    std::iota(linear.begin(), linear.end(), 0u);
    CHECK(all(WorkgroupOrder::linear(), count) == linear);
    const std::vector<std::uint64_t> backwards(linear.rbegin(), linear.rend());
    CHECK(all(WorkgroupOrder::reversed(), count) == backwards);
    for (const std::uint64_t seed : {0u, 1u, 99u}) {
      const auto shuffled = all(WorkgroupOrder::shuffled(seed), count);
      CHECK(all(WorkgroupOrder::shuffled(seed), count) == shuffled);
      auto sorted = shuffled;
      std::ranges::sort(sorted);
      CHECK(sorted == linear);
      if (count >= 16) CHECK(shuffled != linear);
    }
  }
  CHECK(all(WorkgroupOrder::shuffled(1), 1000) != all(WorkgroupOrder::shuffled(2), 1000));
}

TEST_CASE("orders of grids beyond 32 bits stay inside") {
  const std::uint64_t count = (std::uint64_t{1} << 62) + 12345;
  for (std::uint64_t k = 0; k < 1000; ++k)
    CHECK(WorkgroupOrder::shuffled(3).at(count - 1 - k, count) < count);
  CHECK(WorkgroupOrder::reversed().at(0, count) == count - 1);
}

TEST_CASE("permutations are all orders, sorted, and no more") {
  std::vector<std::vector<std::uint64_t>> orders;
  for (std::uint64_t number = 0; number < 24; ++number)
    orders.push_back(all(WorkgroupOrder::permutation(number), 4));
  std::vector<std::uint64_t> next = {0, 1, 2, 3};
  for (const auto& order : orders) {
    CHECK(order == next);
    std::next_permutation(next.begin(), next.end());
  }
  CHECK(all(WorkgroupOrder::permutation(0), 1) == std::vector<std::uint64_t>{0});
  CHECK_THROWS_WITH(WorkgroupOrder::permutation(24).at(0, 4),
                    Catch::Contains("order 24 of 4 workgroups does not exist"));
  CHECK_THROWS_AS(WorkgroupOrder::permutation(0).at(0, 21), lockstep::Error);
}
