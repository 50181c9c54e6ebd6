#include <lockstep/exec/machine.hpp>

#include <type_traits>

#include <catch2/catch.hpp>

namespace {

using namespace lockstep;

TEST_CASE("the fast machine has the width asked for and one mask of who is active") {
  STATIC_REQUIRE(FastMachine<1>::width == 1);
  STATIC_REQUIRE(FastMachine<100>::width == 100);
  STATIC_REQUIRE(FastMachine<128>::width == 128);
  STATIC_REQUIRE(std::is_same_v<FastMachine<100>::State, exec::State<100>>);
}

}  // namespace
