#include "subgroup/arithmetic.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions and scans: float16_t") {
  check_types<ArithmeticCalls>(TypeList<float16_t>{});
}
