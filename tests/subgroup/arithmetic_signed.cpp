#include "subgroup/arithmetic.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions and scans: signed integers") {
  check_types<ArithmeticCalls>(TypeList<std::int8_t, std::int16_t, std::int32_t, std::int64_t>{});
}
