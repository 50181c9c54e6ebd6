#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include <lockstep/testing/lane_table.hpp>

/// \file
/// Values of lanes as text: operator<< and to_string.

namespace lockstep {

/// Which lanes to print, and how.
struct PrintStyle {
  /// The others are printed as dots. Not used for the elements of an array.
  LaneSet active = LaneSet::first_n(128);
  /// A format specification of {fmt} for each number, such as ".3f" or "#x"; for ballots unused.
  std::string_view number = {};
};

/// Lanes in order as `{1, 2, 3}`; where that is too long, lanes with equal values together as
/// `{0-15: 1; 16-31: 2}`, or else rows that start with the number of their first lane. A ballot is printed
/// in hexadecimal with its lanes.
///
/// Requires      None.
/// Active lanes  Inactive lanes are dots, or listed as inactive.
/// Errors        Throws fmt::format_error if style.number does not suit the numbers.
/// Cost          Text.
/// Spec          None.
/// Example       tests/testing/print.cpp
std::string to_string(const LaneTable& table, const PrintStyle& style = {});
/// One lane's value.
std::string lane_to_string(const LaneTable& table, std::size_t lane, std::string_view number = {});
/// The same to a stream.
void print(std::ostream& to, const LaneTable& table, const PrintStyle& style = {});
/// Writes the numbers of lanes as ranges.
void print_lanes(std::ostream& to, LaneSet lanes, int size);
/// Writes a ballot as a hexadecimal number.
void print_ballot(std::ostream& to, std::uint64_t low, std::uint64_t high);

inline namespace LOCKSTEP_ABI {

/// As to_string of a LaneTable; `to_string(value, {.active = ..., .number = ".3f"})`.
template <InLanes V>
std::string to_string(const V& value, const PrintStyle& style = {}) {
  return to_string(to_lane_table(value), style);
}

/// A value with the lanes to print; the result of in_active.
struct PrintedInActive {
  LaneTable table;
  LaneSet active;

  friend std::ostream& operator<<(std::ostream& to, const PrintedInActive& printed) {
    print(to, printed.table, {printed.active});
    return to;
  }
};

/// For printing: `std::cout << in_active(active_lanes(), x)` shows the active lanes and dots for the others.
template <int W, InLanesOf<W> V>
PrintedInActive in_active(Mask<W> active, const V& value) {
  return {to_lane_table(value), {active.low64(), active.high64()}};
}

/// Lanes, vectors, matrices, ballots and variables of these, to a stream, as to_string does.
template <InLanes V>
std::ostream& operator<<(std::ostream& to, const V& value) {
  print(to, to_lane_table(value));
  return to;
}
/// An element of a kernel's array, read now.
template <detail::ElementArgument E>
requires InLanes<typename std::remove_cvref_t<E>::MemoryValue> std::ostream& operator<<(
    std::ostream& to, E&& element) {
  return to << detail::argument(static_cast<E&&>(element));
}
/// The lanes of a mask and the size of the subgroup: `{0-3,7} of 32`.
template <int W>
std::ostream& operator<<(std::ostream& to, Mask<W> mask) {
  print_lanes(to, LaneSet{mask.low64(), mask.high64()}, W);
  return to;
}
/// A ballot's bits, and the lanes that they stand for: `0x8f {0-3,7}`.
inline std::ostream& operator<<(std::ostream& to, const Ballot& ballot) {
  print_ballot(to, ballot.low64(), ballot.high64());
  return to;
}

}  // namespace LOCKSTEP_ABI
}  // namespace lockstep
