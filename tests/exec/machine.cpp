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
  STATIC_REQUIRE(std::is_same_v<PixelMachine<100>::State, exec::PixelState<100>>);
  STATIC_REQUIRE(std::is_same_v<TangledMachine<7>::State, exec::TangledState<7>>);
  STATIC_REQUIRE(std::is_same_v<TangledPixelMachine<7>::State, exec::TangledState<7>>);
}

TEST_CASE("machines of different kernels are different types") {
  STATIC_REQUIRE_FALSE(std::is_same_v<FastMachine<8, int>, FastMachine<8, char>>);
  STATIC_REQUIRE(std::is_same_v<FastMachine<8, int>::State, FastMachine<8, char>::State>);
}

}  // namespace
