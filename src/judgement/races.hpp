#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judgement/rerun.hpp"

/// \file
/// Which results depend on accesses that nothing orders: a race is the shader's fault, not the device's.

namespace lockstep::judgement {

/// What is known of the order of accesses to memory.
struct Races {
  /// By place: why its number is whatever the accesses leave that happen last, with the lines of both; nothing of a place
  /// that no race reaches.
  std::vector<std::optional<std::string>> of;
  bool any = false;   ///< the run had some
  bool none = false;  ///< it ended, and had no atomics either: no order matters
};

/// Finds what races reach.
///
/// Requires      None.
/// Active lanes  As in the shader.
/// Errors        None: where a run does not come to its end, or takes too long, no place is blamed.
/// Cost          A run that is checked for races and, if it has some, runs in other orders.
/// Spec          Vulkan memory model: data race
/// Example       tests/judgement/judge.cpp
Races find_races(const Rerun& rerun, const std::vector<Place>& places);

}  // namespace lockstep::judgement
