#include <prefix_sum/prefix_sum.hpp>

#include <numeric>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

TEST_CASE("prefix_sum: equals std::inclusive_scan at every size") {
  std::mt19937 random(3);
  for (const std::size_t n : {0u, 1u, 1023u, 1024u, 1025u, 5000u, 30000u}) {
    std::vector<std::uint32_t> in(n), expected(n), out(n);
    for (auto& x : in) x = static_cast<std::uint32_t>(random());
    std::inclusive_scan(in.begin(), in.end(), expected.begin());
    for (const int size : {1, 3, 8, 24, 31, 32, 33, 64, 100, 128}) {
      CAPTURE(n, size);
      for (const int threads : {1, 0}) {
        out.assign(n, 0);
        // Three widths: tiny, one that is no power of two, the widest.
        lockstep::kernels::prefix_sum<8, 32, 128>(
            in, out, lockstep::Device{.subgroup_size = size, .threads = threads});
        CHECK(out == expected);
      }
    }
  }
}
