#pragma once

#include <nlohmann/json.hpp>

#include <lockstep/exec/event.hpp>

namespace lockstep::render {

/// What a lane has: a number or bool, of a vector a list of them. JSON has no infinities and no NaN: those are text.
///
/// Requires      The values have the lane.
/// Active lanes  One.
/// Errors        None.
/// Cost          None.
/// Spec          RFC 8259
/// Example       tests/render/files.cpp
nlohmann::ordered_json json_of_lane(const LaneValues& values, int lane);

}  // namespace lockstep::render
