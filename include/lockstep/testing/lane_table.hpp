#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

#include <lockstep/exec/lane_values.hpp>
#include <lockstep/lanes/detail/element.hpp>

/// \file
/// Values of lanes without their C++ type: printing and comparing them is compiled once, in the runtime
/// library, and costs test files little.

namespace lockstep {

/// The values of some lanes, or the elements of an array, and how to spell each of them.
struct LaneTable {
  /// How a value is written.
  enum class Spelling { number, vector, matrix, ballot };

  LaneValues values;
  std::size_t count = 0;  ///< of lanes or elements
  Spelling spelling = Spelling::number;
  int rows = 1;           ///< of a matrix
  bool elements = false;  ///< of an array, not lanes
};

inline namespace LOCKSTEP_ABI {

/// \defgroup lane_table Values as a LaneTable
///
/// Lanes, GLSL vectors and matrices of lanes, a ballot per lane, and variables of a kernel that hold one.
///
/// Requires      None.
/// Active lanes  All lanes are copied.
/// Errors        None.
/// Cost          A copy of each component.
/// Spec          None.
/// Example       tests/testing/lane_table.cpp
/// @{
template <class T, int W>
LaneTable to_lane_table(const Lanes<T, W>& lanes) {
  return {exec::to_lane_values<W>(lanes), W};
}
template <int W>
LaneTable to_lane_table(const BallotLanes<W>& ballots) {
  return {exec::to_lane_values<W>(ballots), W, LaneTable::Spelling::ballot};
}
template <VecOfLanes V>
LaneTable to_lane_table(const V& vector) {
  return {exec::to_lane_values<V::width>(vector), V::width, LaneTable::Spelling::vector};
}
/// Column by column.
template <class M>
requires requires(const M& m) {
  typename M::Column;
  { M::columns + M::rows } -> std::convertible_to<int>;
  m[0][0][0];
}
LaneTable to_lane_table(const M& matrix) {
  using T = detail::Plain<typename M::value_type>;
  constexpr int rows = M::rows;
  return {exec::generate_lane_values<T, M::width>(
              M::columns * rows, [&](int i, int k) { return T(matrix[k / rows][k % rows][i]); }),
          M::width, LaneTable::Spelling::matrix, rows};
}
/// @}

/// A value in each lane.
template <class V>
concept InLanes = requires(const V& v) {
  { to_lane_table(v) } -> std::same_as<LaneTable>;
};

/// A value in each of W lanes.
template <class V, int W>
concept InLanesOf = InLanes<V> &&(
    !requires { V::width; } || requires { requires V::width == W; });

/// An array of numbers: std::vector, std::array, std::span.
template <class R>
concept NumberArray = !InLanes<R> && requires(const R& r) {
  requires std::is_arithmetic_v<typename decltype(std::span(r))::value_type>;
};

/// The elements of an array of numbers.
template <NumberArray R>
LaneTable to_element_table(const R& array) {
  const std::span elements(array);
  using T = typename decltype(elements)::value_type;
  LaneTable table{{exec::event_type<T>(), 1, {}}, elements.size()};
  table.elements = true;
  table.values.bits.reserve(elements.size());
  for (const T& element : elements) table.values.bits.push_back(exec::event_bits<T>(element));
  return table;
}

}  // namespace LOCKSTEP_ABI
}  // namespace lockstep
