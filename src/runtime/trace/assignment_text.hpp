#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/exec/event.hpp>

namespace lockstep::trace {

/// What lanes write to a named variable: "n = 7" if it is the same in all of them, else "n = 3 (0-2), 4 (3)". Values
/// are in the order of their first lanes.
inline std::string assignment_text(const Event& event) {
  std::vector<std::pair<std::string, LaneSet>> groups;
  for_each_lane(event.others, [&](int lane) {
    std::string value = to_string(event.operands.at(0), lane);
    for (auto& [known, lanes] : groups) {
      if (known != value) continue;
      lanes = lanes | LaneSet::lane(lane);
      return;
    }
    groups.emplace_back(std::move(value), LaneSet::lane(lane));
  });
  std::string text = fmt::format("{} = ", event.access.object.name);
  if (groups.size() == 1) return text + groups[0].first;
  for (std::size_t k = 0; k < groups.size(); ++k)
    text +=
        fmt::format("{}{} ({})", k == 0 ? "" : ", ", groups[k].first, to_string(groups[k].second));
  return text;
}

}  // namespace lockstep::trace
