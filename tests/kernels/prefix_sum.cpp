#include <prefix_sum/prefix_sum.hpp>

#include <numeric>

#include <catch2/catch.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("prefix_sum is std::inclusive_scan at every subgroup size") {
#if defined(LOCKSTEP_TEST_REDUCED)
  const int sizes[] = {1, 3, 24, 33, 128};
#else
  const int sizes[] = {1, 2, 3, 4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128};
#endif
  for (const std::size_t count : {0u, 1u, 1023u, 1024u, 1025u, 5000u, 100000u}) {
    Random random = make_random(count);
    std::vector<std::uint32_t> in(count), want(count);
    for (auto& x : in) x = static_cast<std::uint32_t>(random());
    std::inclusive_scan(in.begin(), in.end(), want.begin());
    for (const int size : sizes) {
      for (const int threads : {1, 0}) {
        std::vector<std::uint32_t> out(count, 0xcccccccc);
        kernels::prefix_sum<1, 24, 32, 128>(in, out,
                                            Device{.subgroup_size = size, .threads = threads});
        INFO(count << " values, subgroup size " << size << ", threads " << threads << ", seed "
                   << seed());
        CHECK((out == want));  // not printed: too long
      }
    }
  }
}

}  // namespace
