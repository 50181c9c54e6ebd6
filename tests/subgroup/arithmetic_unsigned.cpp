#include "subgroup/arithmetic.hpp"

#include <catch2/catch.hpp>

using namespace lockstep;
using namespace lockstep::test;

TEST_CASE("Reductions and scans: unsigned integers") {
  check_types<ArithmeticCalls>(TypeList<std::uint8_t, std::uint16_t, std::uint64_t>{});
}
