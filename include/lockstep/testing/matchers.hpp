#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>

#include <lockstep/testing/comparison.hpp>

/// \file
/// Matchers of values in lanes, for Catch2's CHECK_THAT and GoogleTest's EXPECT_THAT alike.

namespace lockstep {

namespace matchers {

/// What every matcher does, without types.
class Expectation {
 public:
  Expectation(LaneTable expected, Tolerance tolerance, LaneSet active)
      : expected_(std::move(expected)), tolerance_(tolerance), active_(active) {}

  /// For GoogleTest: what values should be, and what they should not be.
  void DescribeTo(std::ostream* to) const;
  void DescribeNegationTo(std::ostream* to) const;
  /// For Catch2: how the last value matched, to print after it.
  std::string toString() const;

 protected:
  bool matches(const LaneTable& got) const;
  /// GoogleTest prints the text after the value; a null stream prints nothing.
  bool matches(const LaneTable& got, std::ostream* explanation) const;

 private:
  LaneTable expected_;
  Tolerance tolerance_;
  LaneSet active_;
  mutable Comparison last_;
};

}  // namespace matchers

inline namespace LOCKSTEP_ABI {

namespace detail {

inline constexpr LaneSet every_lane = LaneSet::first_n(128);

/// Whether the numbers of V are floats; the numbers of BallotLanes have no name.
template <class V>
concept FloatsInLanes = requires {
  requires !std::integral<Plain<typename V::value_type>>;
};

template <class V>
LaneTable to_table(const V& value) {
  if constexpr (NumberArray<V>)
    return to_element_table(value);
  else
    return to_lane_table(value);
}

}  // namespace detail

/// A matcher of values in lanes or arrays; made by EqualTo, EqualInActive, SameBits and WithinUlp.
///
/// Requires      One thread at a time uses a matcher: it remembers how the last value matched.
/// Active lanes  The lanes of the mask that it was made with, or all.
/// Errors        None: a value of another type or width does not compile.
/// Cost          A copy of both values.
/// Spec          None.
/// Example       tests/testing/matchers.cpp
template <class V>
class LaneMatcher : public matchers::Expectation {
 public:
  using is_gtest_matcher = void;
  using matchers::Expectation::Expectation;

  /// For Catch2.
  template <class A>
  requires(ComparedByLane<A, V> || ComparedByElement<A, V>) bool match(const A& got) const {
    return matches(detail::to_table(got));
  }
  /// For GoogleTest.
  template <class A>
  requires(ComparedByLane<A, V> ||
           ComparedByElement<A, V>) bool MatchAndExplain(const A& got,
                                                         std::ostream* explanation) const {
    return matches(detail::to_table(got), explanation);
  }
};

/// \defgroup matchers Matchers
///
/// `CHECK_THAT(lanes, EqualInActive(mask, expected))` in Catch2, `EXPECT_THAT` in GoogleTest. A failure names the
/// first lanes that differ, what they hold and should hold, and how many there are.
///
/// Requires      None.
/// Active lanes  EqualInActive and WithinUlpInActive compare the lanes of `active`, the others all lanes.
/// Errors        None: values of another type or width do not compile.
/// Cost          A copy of each component.
/// Spec          None.
/// Example       tests/testing/matchers.cpp
/// @{

/// All lanes, or all elements of an array, are equal by `==`.
template <class V>
requires(InLanes<V> || NumberArray<V>) LaneMatcher<V> EqualTo(const V& expected) {
  return {detail::to_table(expected), Tolerance{}, detail::every_lane};
}
/// The active lanes are equal by `==`; inactive lanes hold anything.
template <int W, InLanesOf<W> V>
LaneMatcher<V> EqualInActive(Mask<W> active, const V& expected) {
  return {detail::to_table(expected), Tolerance{}, LaneSet{active.low64(), active.high64()}};
}
/// The same bits: -0.0 differs from 0.0, and a NaN equals a NaN of the same bits.
template <class V>
requires(InLanes<V> || NumberArray<V>) LaneMatcher<V> SameBits(const V& expected) {
  return {detail::to_table(expected), Tolerance{Tolerance::Kind::bits, 0}, detail::every_lane};
}
/// Floats that are at most `ulp` units in the last place apart.
template <class V>
requires(detail::FloatsInLanes<V> &&
         (InLanes<V> || NumberArray<V>)) LaneMatcher<V> WithinUlp(std::uint64_t ulp,
                                                                  const V& expected) {
  return {detail::to_table(expected), Tolerance{Tolerance::Kind::ulp, ulp}, detail::every_lane};
}
/// The same of the active lanes.
template <int W, InLanesOf<W> V>
requires(detail::FloatsInLanes<V>) LaneMatcher<V> WithinUlpInActive(Mask<W> active,
                                                                    std::uint64_t ulp,
                                                                    const V& expected) {
  return {detail::to_table(expected), Tolerance{Tolerance::Kind::ulp, ulp},
          LaneSet{active.low64(), active.high64()}};
}
/// @}

}  // namespace LOCKSTEP_ABI
}  // namespace lockstep
