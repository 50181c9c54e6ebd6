#include "subgroup/arithmetic.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions and scans: bool") { check_at<ArithmeticCalls, bool>(ManySizes{}); }

TEST_CASE("Reductions and scans: the same value in all lanes") {
  ArithmeticCalls<AsUniform<float, 33>>::check();
  ArithmeticCalls<AsUniform<std::uint32_t, 24>>::check();
  ArithmeticCalls<AsUniform<bool, 128>>::check();
}

namespace {

/// The result of a reduction without active lanes, whatever the lanes hold.
template <class T, int W>
void check_empty(Random& random) {
  using Limits = std::numeric_limits<T>;
  const auto none = Mask<W>::none();
  const auto lanes = lanes_from<T, W>(sample_values<T, W>(random, Values::special));
  INFO(describe<T>(none));
  // Either zero is allowed, so these compare as numbers.
  CHECK(subgroupAdd(none, lanes) == T(0.0f));
  CHECK(subgroupMul(none, lanes) == T(1.0f));
  if constexpr (is_floating<T>) {
    CHECK(subgroupMin(none, lanes) == Limits::infinity());
    CHECK(subgroupMax(none, lanes) == -Limits::infinity());
  } else {
    CHECK(subgroupMin(none, lanes) == Limits::max());
    CHECK(subgroupMax(none, lanes) == Limits::min());
    CHECK(subgroupAnd(none, lanes) == static_cast<T>(-1));
    CHECK(subgroupOr(none, lanes) == 0);
    CHECK(subgroupXor(none, lanes) == 0);
  }
}

}  // namespace

TEST_CASE("Reductions: of no lane at all they give the identity") {
  Random random = make_random();
  check_empty<std::int16_t, 24>(random);
  check_empty<std::uint32_t, 33>(random);
  check_empty<float, 24>(random);
  check_empty<double, 3>(random);
  const auto lanes = lanes_from<bool, 33>(sample_values<bool, 33>(random, Values::special));
  CHECK(subgroupAnd(Mask<33>::none(), lanes));
  CHECK_FALSE(subgroupOr(Mask<33>::none(), lanes));
  CHECK_FALSE(subgroupXor(Mask<33>::none(), lanes));
}
