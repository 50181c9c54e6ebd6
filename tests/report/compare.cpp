#include "report/compare.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "io/array_of.hpp"
#include "io/types.hpp"

using namespace lockstep::report;

namespace {

template <class T>
std::size_t differing(std::vector<T> got, std::vector<T> expected, int subgroup_size = 1) {
  return compare(array_of(got), array_of(expected), subgroup_size).differing;
}

}  // namespace

TEST_CASE("integers must be equal") {
  CHECK(differing<std::uint32_t>({1, 2, 3}, {1, 2, 3}, 128) == 0);
  CHECK(differing<std::uint32_t>({1, 2, 3}, {1, 2, 4}, 128) == 1);
  CHECK(differing<std::uint64_t>({1ULL << 60}, {(1ULL << 60) + 1}, 128) == 1);
  CHECK(differing<std::int8_t>({-1}, {1}, 128) == 1);
}

TEST_CASE("floats may differ by two units in the last place a lane") {
  const float one = 1.0F, unit = std::numeric_limits<float>::epsilon();
  for (const int size : {1, 8, 128}) {
    const auto lanes = static_cast<float>(size);
    CHECK(differing<float>({one + 2 * lanes * unit}, {one}, size) == 0);
    CHECK(differing<float>({one + (2 * lanes + 1) * unit}, {one}, size) == 1);
    CHECK(differing<float>({-one - (2 * lanes + 1) * unit}, {-one}, size) == 1);
  }
  CHECK(differing<double>({1 + 1e-9}, {1}, 128) == 1);
  const float tiny = std::numeric_limits<float>::denorm_min();
  CHECK(differing<float>({2 * tiny}, {0}) == 0);
  CHECK(differing<float>({3 * tiny}, {0}) == 1);
  using lockstep::float16_t;
  CHECK(differing<float16_t>({float16_t(1.001953125F)}, {float16_t(1)}) == 0);
  CHECK(differing<float16_t>({float16_t(1.0029296875F)}, {float16_t(1)}) == 1);
}

TEST_CASE("NaN equals NaN, an infinity itself and 0 its negative") {
  const float nan = std::nanf(""), inf = INFINITY;
  CHECK(differing<float>({nan, inf, -inf, 0.0F}, {-nan, inf, -inf, -0.0F}, 128) == 0);
  CHECK(differing<float>({nan, 1, inf, inf}, {1, nan, -inf, 3e38F}, 128) == 4);
}

TEST_CASE("the first differences are told") {
  std::vector<std::int32_t> got(20, -5), expected(20, -5);
  for (std::size_t i = 3; i < 20; ++i) got[i] = static_cast<std::int32_t>(i);
  const Comparison comparison = compare(array_of(got), array_of(expected), 32);
  CHECK(comparison.elements == 20);
  CHECK(comparison.differing == 17);
  REQUIRE(comparison.first.size() == 8);
  CHECK(comparison.first[1].index == 4);
  CHECK(comparison.first[1].got == "4");
  CHECK(comparison.first[1].expected == "-5");
}
