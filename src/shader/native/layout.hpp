#pragma once

#include <cstddef>

#include "shader/run/program.hpp"

/// \file
/// The addresses of what transitions read and write, for machine code.

namespace lockstep::spirv::layout {

using State = exec::State<128>;

inline constexpr std::size_t active = offsetof(Context, state) + offsetof(State, active);
inline constexpr std::size_t broken = offsetof(Context, state) + offsetof(State, broken);
inline constexpr std::size_t continuing = offsetof(Context, state) + offsetof(State, continuing);
/// The masks of waiting lanes, which are empty when a subgroup starts: from here to gone.
inline constexpr std::size_t waiting_begin = broken;
inline constexpr std::size_t waiting_end = offsetof(Context, state) + offsetof(State, gone);
inline constexpr std::size_t otherwise = offsetof(Context, state) + offsetof(State, otherwise);

/// The entered selection of a construct, into Context::frames.
constexpr std::size_t entered(std::uint32_t construct) {
  return construct * sizeof(FastFrame) + offsetof(FastFrame, entered);
}
/// The counts of a loop's iterations, likewise.
constexpr std::size_t outer_start(std::uint32_t construct) {
  return construct * sizeof(FastFrame) + offsetof(FastFrame, outer_start);
}
constexpr std::size_t steps_before(std::uint32_t construct) {
  return construct * sizeof(FastFrame) + offsetof(FastFrame, steps_before);
}
inline constexpr std::size_t entered_any = offsetof(exec::Entered<128>, any);
inline constexpr std::size_t entered_waiting = offsetof(exec::Entered<128>, waiting);

}  // namespace lockstep::spirv::layout
