#include "subgroup/arithmetic.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions and scans: lockstep::float16_t") {
  check_types<ArithmeticCalls>(TypeList<lockstep::float16_t>{});
}
