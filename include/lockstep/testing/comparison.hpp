#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/testing/print.hpp>

/// \file
/// Where values of lanes or the elements of arrays differ from what was expected.

namespace lockstep {

/// How two numbers may differ and still count as equal.
struct Tolerance {
  /// The ways to compare floats.
  enum class Kind {
    none,  ///< `==`: 0.0 equals -0.0, and NaN equals nothing
    bits,  ///< the same bits, also of NaNs
    ulp,  ///< at most `ulp` units in the last place, also from -0.0 to 0.0 and up to infinity; NaN equals nothing
  };

  Kind kind = Kind::none;
  std::uint64_t ulp = 0;
};

/// The result of a comparison, true if everything is equal.
///
/// Requires      None.
/// Active lanes  Only the lanes that were asked for count.
/// Errors        None.
/// Cost          None.
/// Spec          None.
/// Example       tests/testing/comparison.cpp
class Comparison {
 public:
  /// How many differences are named.
  static constexpr std::size_t most_named = 8;

  /// An element that differs.
  struct Difference {
    std::size_t lane;  ///< or element
    std::string got;
    std::string expected;
  };

  explicit operator bool() const { return count_ == 0 && same_size_; }
  /// How many lanes or elements differ.
  std::size_t count() const { return count_; }
  /// The first of them, at most most_named.
  const std::vector<Difference>& differences() const { return differences_; }

 private:
  friend Comparison compare(const LaneTable&, const LaneTable&, Tolerance, LaneSet);
  friend std::string to_string(const Comparison& comparison);

  bool same_size_ = true;
  std::size_t count_ = 0;
  std::vector<Difference> differences_;
  std::string noun_;
  std::string summary_;
  std::string others_;
};

/// "all 32 lanes are equal", or "2 of 32 lanes differ:" and a line for each.
std::string to_string(const Comparison& comparison);
std::ostream& operator<<(std::ostream& to, const Comparison& comparison);

/// Compares the lanes in `active`, or all elements. Requires the same type.
Comparison compare(const LaneTable& got, const LaneTable& expected, Tolerance tolerance = {},
                   LaneSet active = LaneSet::first_n(128));

inline namespace LOCKSTEP_ABI {

/// Values in lanes that `==` compares, or arrays of one type.
template <class A, class B>
concept ComparedByLane = InLanes<A> && InLanes<B> &&
    (std::same_as<A, B> || requires(const A& a, const B& b) { a == b; });
template <class A, class B>
concept ComparedByElement = NumberArray<A> && NumberArray<B> &&
    std::same_as<typename decltype(std::span(std::declval<const A&>()))::value_type,
                 typename decltype(std::span(std::declval<const B&>()))::value_type>;
/// A number for all lanes of an A.
template <class B, class A>
concept UniformForLanes = InLanes<A> && !InLanes<B> &&
                          std::convertible_to<const B&, Lanes<typename A::value_type, A::width>>;

/// Compares all lanes, or all elements of two arrays: `CHECK(compare(out, expected))`.
template <class A, class B>
requires(ComparedByLane<A, B> || ComparedByElement<A, B>) Comparison
    compare(const A& got, const B& expected, Tolerance tolerance = {}) {
  if constexpr (NumberArray<A>)
    return compare(to_element_table(got), to_element_table(expected), tolerance);
  else
    return compare(to_lane_table(got), to_lane_table(expected), tolerance);
}
/// Compares all lanes with one number.
template <class A, UniformForLanes<A> B>
Comparison compare(const A& got, const B& expected, Tolerance tolerance = {}) {
  return compare(got, Lanes<typename A::value_type, A::width>(expected), tolerance);
}

}  // namespace LOCKSTEP_ABI
}  // namespace lockstep
