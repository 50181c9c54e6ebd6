#include <allocate/allocate.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

TEST_CASE("allocate: stores each even value once, in order where one thread runs") {
  std::mt19937 random(5);
  for (const std::size_t n : {0u, 1u, 127u, 128u, 129u, 10000u}) {
    std::vector<std::uint32_t> in(n), expected;
    for (auto& x : in) {
      x = static_cast<std::uint32_t>(random());
      if (x % 2 == 0) expected.push_back(x);
    }
    for (const int size : {1, 3, 8, 24, 31, 32, 33, 64, 100, 128}) {
      for (const int threads : {1, 0}) {
        CAPTURE(n, size, threads);
        std::vector<std::uint32_t> data(n, 0xdddddddd);
        const lockstep::Device device{.subgroup_size = size, .threads = threads};
        const std::uint32_t count = lockstep::kernels::allocate<8, 32, 128>(in, data, device);
        REQUIRE(count == expected.size());
        std::vector<std::uint32_t> stored(data.begin(), data.begin() + count);
        if (threads == 1) {
          CHECK(stored == expected);
        } else {
          std::vector<std::uint32_t> sorted = expected;
          std::sort(sorted.begin(), sorted.end());
          std::sort(stored.begin(), stored.end());
          CHECK(stored == sorted);
        }
        for (std::size_t i = count; i < n; ++i) CHECK(data[i] == 0xdddddddd);
      }
    }
  }
}
