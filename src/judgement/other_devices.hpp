#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/explorer.hpp"
#include "judgement/rerun.hpp"

/// \file
/// What else than this device's own behaviour gives its results.

namespace lockstep::judgement {

/// A run with the device's bits in some places.
struct OtherBehaviour {
  explore::Setting setting;
  explore::Dimensions on;   ///< in which it differs from the first run
  bool same_device = true;  ///< whether this device may do so: at its size and in its lanes
};

/// Looks for one among what this device may do, then among what others may do, both in dimensions that are not fixed.
///
/// Requires      As search_choices.
/// Active lanes  As in the shader.
/// Errors        None: runs that end with an Error explain nothing.
/// Cost          Up to 400 runs and 5 seconds for each of the two.
/// Spec          None.
/// Example       tests/judgement/judge.cpp
std::optional<OtherBehaviour> find_other_behaviour(const Rerun& rerun,
                                                   const std::vector<Place>& places,
                                                   const Contents& device,
                                                   const explore::Dimensions& fixed = {});

}  // namespace lockstep::judgement
