#include <lockstep/exec/lane_bytes.hpp>

#include <cstdint>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

using namespace lockstep;

TEST_CASE("a row is the bytes of its lanes, each as far from the last") {
  std::mt19937_64 random(1);
  for (const std::size_t size : std::initializer_list<std::size_t>{1, 2, 7, 32, 64, 100, 128}) {
    for (int k = 0; k < 50; ++k) {
      const LaneSet lanes = LaneSet{random(), random()} & LaneSet::first_n(static_cast<int>(size));
      const std::int64_t stride = static_cast<std::int64_t>(random() % 41) - 20;
      // Of lanes that are not in the row it may be negative.
      const std::uint64_t of_lane_0 = random() % 3 == 0 ? 0 - random() % 100 : random() % 10000;
      std::vector<std::uint64_t> expected;
      for (std::size_t lane = 0; lane < size; ++lane)
        expected.push_back(
            (lane < 64 ? lanes.low >> lane & 1 : lanes.high >> (lane - 64) & 1) != 0
                ? of_lane_0 + static_cast<std::uint64_t>(static_cast<std::int64_t>(lane) * stride)
                : ~std::uint64_t{0});
      LaneBytes row;
      row.push_back(5);  // of an earlier access
      row.set_row(size, lanes, of_lane_0, stride);
      REQUIRE(row.size() == size);
      REQUIRE(row.is_row());
      REQUIRE(row.row() == lanes);
      for (std::size_t lane = 0; lane < size; ++lane) REQUIRE(row[lane] == expected[lane]);
      LaneBytes each(expected);
      REQUIRE_FALSE(each.is_row());
      REQUIRE(row == each);
      each.set(expected.data(), size - 1);
      REQUIRE_FALSE(row == each);
      each.push_back(expected.back() + 1);
      REQUIRE(each.size() == size);
      REQUIRE_FALSE(row == each);
    }
  }
}

TEST_CASE("what was a row can become numbers, and the other way round") {
  LaneBytes bytes;
  CHECK(bytes.empty());
  bytes.set_row(4, LaneSet::first_n(4), 8, 4);
  CHECK(bytes == std::vector<std::uint64_t>{8, 12, 16, 20});
  bytes.clear();
  CHECK(bytes.empty());
  bytes.push_back(3);
  bytes.push_back(LaneBytes::outside);
  CHECK(bytes == std::vector<std::uint64_t>{3, LaneBytes::outside});
  const std::uint64_t other[] = {1, 9};
  bytes.set(other, 2);
  CHECK(bytes == std::vector<std::uint64_t>{1, 9});
  bytes.set_row(2, LaneSet::lane(1), 1, 0);
  CHECK(bytes == std::vector<std::uint64_t>{LaneBytes::outside, 1});
}
