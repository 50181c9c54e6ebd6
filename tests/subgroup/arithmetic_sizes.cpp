#include "subgroup/arithmetic.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions and scans: uint at every size") {
  check_at<ArithmeticCalls, std::uint32_t>(EverySize{});
}
