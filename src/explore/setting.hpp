#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/dispatch/mapping.hpp>
#include <lockstep/dispatch/workgroup_order.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>

#include "explore/dimension.hpp"

namespace lockstep::explore {

/// One thing that a conforming implementation may do: a choice in each dimension.
struct Setting {
  int subgroup_size = 32;
  Rule rule = Rule::core;              ///< what is promised, which no dimension changes
  std::vector<std::uint32_t> answers;  ///< of the chooser; after them every set rejoins
  Mapping mapping = {};
  WorkgroupOrder order = {};
};

/// In which dimensions a setting differs from another. Answers count for those of the questions they answer.
Dimensions differences(const Setting& setting, const Setting& base,
                       const std::vector<Chooser::Question>& asked);

/// The options of `lockstep run` that give the setting, with all answers that a run of it made.
std::vector<std::string> to_options(const Setting& setting,
                                    const std::vector<std::uint32_t>& answers);

}  // namespace lockstep::explore
