#include <catch2/catch.hpp>
#include <utility>

#include <lockstep/lanes/ballot.hpp>
#include <lockstep/lanes/float16.hpp>

#include "support/corpus.hpp"

/// \file
/// Instantiates every class template at every width in full tests, otherwise at many, so that no member
/// stays uncompiled. Explicit instantiation covers members; the operators are friends and are called below.

using namespace lockstep;
using namespace lockstep::test;

// clang-format off
#if defined(LOCKSTEP_TEST_REDUCED)
#define EVERY_WIDTH(f) f(1) f(3) f(24) f(33) f(128)
#define EVERY_SIZE(f, T) f(T, 1) f(T, 3) f(T, 24) f(T, 33) f(T, 128)
#elif !defined(LOCKSTEP_TEST_FULL)
#define EVERY_WIDTH(f) \
  f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(12) f(15) f(16) f(17) f(24) f(31) f(32) f(33) f(47) f(48) \
  f(63) f(64) f(65) f(95) f(96) f(100) f(112) f(127) f(128)
#else
#define EVERY_WIDTH(f) \
  f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15) f(16) f(17) f(18) f(19) \
  f(20) f(21) f(22) f(23) f(24) f(25) f(26) f(27) f(28) f(29) f(30) f(31) f(32) f(33) f(34) f(35) f(36) \
  f(37) f(38) f(39) f(40) f(41) f(42) f(43) f(44) f(45) f(46) f(47) f(48) f(49) f(50) f(51) f(52) f(53) \
  f(54) f(55) f(56) f(57) f(58) f(59) f(60) f(61) f(62) f(63) f(64) f(65) f(66) f(67) f(68) f(69) f(70) \
  f(71) f(72) f(73) f(74) f(75) f(76) f(77) f(78) f(79) f(80) f(81) f(82) f(83) f(84) f(85) f(86) f(87) \
  f(88) f(89) f(90) f(91) f(92) f(93) f(94) f(95) f(96) f(97) f(98) f(99) f(100) f(101) f(102) f(103) \
  f(104) f(105) f(106) f(107) f(108) f(109) f(110) f(111) f(112) f(113) f(114) f(115) f(116) f(117) f(118) \
  f(119) f(120) f(121) f(122) f(123) f(124) f(125) f(126) f(127) f(128)
#endif
#if !defined(LOCKSTEP_TEST_REDUCED)
#define EVERY_SIZE(f, T) \
  f(T, 1) f(T, 2) f(T, 3) f(T, 4) f(T, 5) f(T, 8) f(T, 16) f(T, 24) f(T, 31) f(T, 32) f(T, 33) f(T, 64) \
  f(T, 100) f(T, 127) f(T, 128)
#endif
// clang-format on

#define INSTANTIATE_WIDTH(W)               \
  template class lockstep::Mask<W>;        \
  template class lockstep::Lanes<bool, W>; \
  template class lockstep::Lanes<std::uint32_t, W>;
EVERY_WIDTH(INSTANTIATE_WIDTH)

#define INSTANTIATE_TEMPLATE(T, W) template struct lockstep::T<W>;
EVERY_SIZE(INSTANTIATE_TEMPLATE, BallotLanes)

#define INSTANTIATE_LANES(T, W) template class lockstep::Lanes<T, W>;
EVERY_SIZE(INSTANTIATE_LANES, std::int8_t)
EVERY_SIZE(INSTANTIATE_LANES, std::int16_t)
EVERY_SIZE(INSTANTIATE_LANES, std::int32_t)
EVERY_SIZE(INSTANTIATE_LANES, std::int64_t)
EVERY_SIZE(INSTANTIATE_LANES, std::uint8_t)
EVERY_SIZE(INSTANTIATE_LANES, std::uint16_t)
EVERY_SIZE(INSTANTIATE_LANES, std::uint64_t)
EVERY_SIZE(INSTANTIATE_LANES, lockstep::float16_t)
EVERY_SIZE(INSTANTIATE_LANES, float)
EVERY_SIZE(INSTANTIATE_LANES, double)

namespace {

/// How many lanes differ from 5 in their lowest bits: arithmetic, a comparison and a mask.
template <int W>
int count_at_width() {
  using Lane = Lanes<std::uint32_t, W>;
  return (((Lane::iota() + 3u) & Lane(7u)) != Lane(5u)).mask().count();
}

int expected_count(int width) {
  int count = 0;
  for (int lane = 0; lane < width; ++lane) {
    if ((lane + 3) % 8 != 5) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("Lanes: each width computes its own lanes") {
#define CHECK_WIDTH(W) CHECK(count_at_width<W>() == expected_count(W));
  EVERY_WIDTH(CHECK_WIDTH)
}
