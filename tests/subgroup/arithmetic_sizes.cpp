#include "subgroup/arithmetic.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions and scans: uint at further sizes") {
  check_types<ArithmeticCalls>(TypeList<std::uint32_t>{});
  check_at<ArithmeticCalls, std::uint32_t>(OtherSizes{});
}
