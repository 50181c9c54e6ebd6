#include <allocate/allocate.hpp>

#include <algorithm>

#include <catch2/catch.hpp>

#include "support/settings.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("allocate stores every even value once, without gaps") {
  for (const std::size_t count : {0u, 1u, 127u, 128u, 129u, 5000u}) {
    Random random = make_random(count);
    std::vector<std::uint32_t> in(count);
    // Long runs of even and odd values, so that whole subgroups have nothing to store.
    for (std::size_t i = 0; i < count; ++i) {
      in[i] = static_cast<std::uint32_t>(random());
      if (i / 300 % 2 == 1) in[i] |= 1;
      if (i / 300 % 4 == 2) in[i] &= ~1u;
    }
    std::vector<std::uint32_t> want;
    for (const std::uint32_t x : in) {
      if (x % 2 == 0) want.push_back(x);
    }
    std::vector<std::uint32_t> sorted = want;
    std::sort(sorted.begin(), sorted.end());
    for (const int size : {1, 2, 3, 4, 5, 8, 16, 24, 31, 32, 33, 64, 100, 127, 128}) {
      for (const int threads : {1, 0}) {
        std::vector<std::uint32_t> data(want.size());
        INFO(count << " values, subgroup size " << size << ", threads " << threads << ", seed "
                   << seed());
        CHECK(kernels::allocate<1, 24, 128>(
                  in, data, Device{.subgroup_size = size, .threads = threads}) == want.size());
        // One thread runs subgroups in order, and lanes take their places in order.
        if (threads == 1) {
          CHECK((data == want));
        } else {
          std::sort(data.begin(), data.end());
          CHECK((data == sorted));
        }
      }
    }
  }
}

}  // namespace
