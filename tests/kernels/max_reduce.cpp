#include <max_reduce/max_reduce.hpp>

#include <algorithm>

#include <catch2/catch.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("max_reduce finds the maximum at every subgroup size") {
  for (const std::size_t count : {0u, 1u, 127u, 128u, 129u, 5000u}) {
    Random random = make_random(count);
    std::vector<std::uint32_t> values(count);
    for (auto& x : values) x = static_cast<std::uint32_t>(random() >> 40);
    for (std::size_t trial = 0; trial < 4; ++trial) {
      // Once with the maximum at the end.
      if (count > 0 && trial == 1) values.back() = 0xffffffff;
      if (count > 0 && trial == 2) values.back() = 0;
      if (count > 0 && trial == 3) std::fill(values.begin(), values.end() - 1, 0u);
      const std::uint32_t want =
          values.empty() ? 0 : *std::max_element(values.begin(), values.end());
      for (const int size : {1, 2, 3, 4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128}) {
        for (const int threads : {1, 0}) {
          INFO(count << " values, subgroup size " << size << ", threads " << threads << ", seed "
                     << seed());
          CHECK(kernels::max_reduce<1, 24, 128>(
                    values, Device{.subgroup_size = size, .threads = threads}) == want);
        }
      }
    }
  }
}

}  // namespace
