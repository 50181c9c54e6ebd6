#include <lockstep/subgroup/detail/no_fraction.hpp>

#include <catch2/catch.hpp>

#include <lockstep/subgroup.hpp>

namespace {

using namespace lockstep;
using Uint = Lanes<std::uint32_t, 8>;

// Whether a call with such numbers behind the value compiles, and that of undefined:: with them.
#define LOCKSTEP_TEST_TAKES(name)                                                           \
  template <class V, class... Number>                                                       \
  concept name##_takes = requires(Mask<8> active, V value, Number... numbers) {             \
    name(active, value, numbers...);                                                        \
  };                                                                                        \
  template <class V, class... Number>                                                       \
  concept undefined_##name##_takes = requires(Mask<8> active, V value, Number... numbers) { \
    undefined::name(active, value, numbers...);                                             \
  };

#define LOCKSTEP_TEST_ONE_NUMBER(takes, ...)         \
  STATIC_REQUIRE(takes<__VA_ARGS__, std::uint32_t>); \
  STATIC_REQUIRE(!takes<__VA_ARGS__, float>);        \
  STATIC_REQUIRE(!takes<__VA_ARGS__, double>);
#define LOCKSTEP_TEST_TWO_NUMBERS(takes, ...)                       \
  STATIC_REQUIRE(takes<__VA_ARGS__, std::uint32_t, std::uint32_t>); \
  STATIC_REQUIRE(!takes<__VA_ARGS__, float, std::uint32_t>);        \
  STATIC_REQUIRE(!takes<__VA_ARGS__, std::uint32_t, double>);       \
  STATIC_REQUIRE(!takes<__VA_ARGS__, float, float>);

// clang-format off
#define LOCKSTEP_TEST_WITH_ONE(F)                                                                             \
  F(subgroupBroadcast, Uint) F(subgroupBallotBitExtract, Ballot) F(subgroupRotate, Uint)                      \
  F(subgroupShuffle, Uint) F(subgroupShuffleXor, Uint) F(subgroupShuffleUp, Uint)                             \
  F(subgroupShuffleDown, Uint) F(subgroupQuadBroadcast, Uint) F(readInvocationARB, Uint)                      \
  F(subgroupClusteredAdd, Uint) F(subgroupClusteredMul, Uint) F(subgroupClusteredMin, Uint)                   \
  F(subgroupClusteredMax, Uint) F(subgroupClusteredAnd, Uint) F(subgroupClusteredOr, Uint)                    \
  F(subgroupClusteredXor, Uint)
// clang-format on

#define LOCKSTEP_TEST_ROW(name, V) LOCKSTEP_TEST_TAKES(name)
LOCKSTEP_TEST_WITH_ONE(LOCKSTEP_TEST_ROW)
LOCKSTEP_TEST_TAKES(subgroupClusteredRotate)
#undef LOCKSTEP_TEST_ROW

TEST_CASE("no built-in takes a fraction as the number of a lane, a distance or a size") {
#define LOCKSTEP_TEST_ROW(name, V)          \
  LOCKSTEP_TEST_ONE_NUMBER(name##_takes, V) \
  LOCKSTEP_TEST_ONE_NUMBER(undefined_##name##_takes, V)
  LOCKSTEP_TEST_WITH_ONE(LOCKSTEP_TEST_ROW)
#undef LOCKSTEP_TEST_ROW
  LOCKSTEP_TEST_TWO_NUMBERS(subgroupClusteredRotate_takes, Uint)
  LOCKSTEP_TEST_TWO_NUMBERS(undefined_subgroupClusteredRotate_takes, Uint)
}

}  // namespace
