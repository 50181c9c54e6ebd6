#pragma once

#include <bit>
#include <concepts>
#include <type_traits>

#include <lockstep/exec/event.hpp>
#include <lockstep/lanes/ballot.hpp>
#include <lockstep/lanes/detail/plain.hpp>
#include <lockstep/lanes/vec_concept.hpp>

/// \file
/// Lane values as events store them.

namespace lockstep::inline LOCKSTEP_ABI::exec {

/// The type name of one lane's number in events.
template <class T>
constexpr LaneValues::Type event_type() {
  using Type = LaneValues::Type;
  constexpr Type signed_types[] = {Type::int8, Type::int16, Type::int32, Type::int64};
  constexpr Type unsigned_types[] = {Type::uint8, Type::uint16, Type::uint32, Type::uint64};
  if constexpr (std::same_as<T, bool>)
    return Type::boolean;
  else if constexpr (std::same_as<T, float>)
    return Type::float32;
  else if constexpr (std::same_as<T, double>)
    return Type::float64;
  else if constexpr (!std::is_integral_v<T>)
    return Type::float16;
  else
    return (std::is_signed_v<T> ? signed_types : unsigned_types)[std::countr_zero(sizeof(T))];
}

/// One lane's number as events store it.
template <class T>
std::uint64_t event_bits(T value) {
  if constexpr (std::same_as<T, bool>)
    return value ? 1 : 0;
  else if constexpr (sizeof(T) == 1)
    return std::bit_cast<std::uint8_t>(value);
  else if constexpr (sizeof(T) == 2)
    return std::bit_cast<std::uint16_t>(value);
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<std::uint32_t>(value);
  else
    return std::bit_cast<std::uint64_t>(value);
}

/// The values of W lanes: component k of lane i is at(i, k).
template <class T, int W, class F>
LaneValues generate_lane_values(int components, F&& at) {
  LaneValues values{event_type<T>(), components, {}};
  values.bits.reserve(std::size_t{W} * static_cast<std::size_t>(components));
  for (int i = 0; i < W; ++i) {
    for (int k = 0; k < components; ++k) values.bits.push_back(event_bits<T>(at(i, k)));
  }
  return values;
}

/// A value of each lane as events have them.
template <int W, class T>
LaneValues to_lane_values(const Lanes<T, W>& lanes) {
  using Plain = detail::Plain<T>;
  return generate_lane_values<Plain, W>(1, [&](int i, int) { return Plain(lanes[i]); });
}
template <int W>
LaneValues to_lane_values(const BallotLanes<W>& ballots) {
  return generate_lane_values<std::uint32_t, W>(4, [&](int i, int k) {
    const Ballot mine = ballots[i];
    return k == 0 ? mine.x : k == 1 ? mine.y : k == 2 ? mine.z : mine.w;
  });
}
template <int W, VecOfLanes V>
LaneValues to_lane_values(const V& vector) {
  using Plain = detail::Plain<typename V::value_type>;
  return generate_lane_values<Plain, W>(V::components,
                                        [&](int i, int k) { return Plain(vector[k][i]); });
}
template <int W, class T>
requires(detail::Number<T> || std::same_as<T, bool>) LaneValues to_lane_values(const T& uniform) {
  return to_lane_values<W>(Lanes<T, W>(uniform));
}
template <int W>
LaneValues to_lane_values(const Ballot& uniform) {
  return to_lane_values<W>(BallotLanes<W>(uniform));
}

}  // namespace lockstep::inline LOCKSTEP_ABI::exec
