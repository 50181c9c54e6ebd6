#include <max_reduce/max_reduce.hpp>

#include <random>
#include <vector>

#include <catch2/catch.hpp>

TEST_CASE("max_reduce: finds the largest value at every size") {
  std::mt19937 random(4);
  for (const std::size_t n : {0u, 1u, 127u, 128u, 129u, 10000u}) {
    std::vector<std::uint32_t> values(n);
    std::uint32_t expected = 0;
    for (auto& x : values) {
      x = static_cast<std::uint32_t>(random());
      expected = x > expected ? x : expected;
    }
    for (const int size : {1, 3, 8, 24, 31, 32, 33, 64, 100, 128}) {
      CAPTURE(n, size);
      const lockstep::Device device{.subgroup_size = size, .threads = size % 2};
      CHECK(lockstep::kernels::max_reduce<8, 32, 128>(values, device) == expected);
    }
  }
}
