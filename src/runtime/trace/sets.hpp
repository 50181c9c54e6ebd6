#pragma once

/// \file
/// Sets of lanes in a sentence.

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/event.hpp>

namespace lockstep::trace {

/// The sets in order; large ones as their number of lanes.
inline std::string sets_text(const std::vector<LaneSet>& sets, std::string_view between) {
  std::string text;
  for (const LaneSet s : sets) {
    if (!text.empty()) text += between;
    const std::string lanes = to_string(s);
    text += lanes.size() <= 16 ? lanes : fmt::format("{} lanes", s.count());
  }
  return text;
}

}  // namespace lockstep::trace
