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
  std::vector<Choice> asked;           ///< what the chooser is asked; all else is the default
  std::vector<std::uint32_t> answers;  ///< of the chooser; after them 0
  Mapping mapping = {};
  WorkgroupOrder order = {};
  std::uint64_t max_steps =
      0;  ///< iterations before a loop counts as endless; 0: the subject's own
};

/// Whether a run needs the machine that keeps several tangles: where nothing is asked, the fast one does the same.
inline bool needs_tangles(const Setting& setting, const Observer* observer) {
  return observer != nullptr || !setting.asked.empty();
}

/// In which dimensions a setting differs from another, which asks nothing. `questions` are those of its answers.
Dimensions differences(const Setting& setting, const Setting& base,
                       const std::vector<Chooser::Question>& questions);

/// The options of `lockstep run` that give the setting. Requires all answers that a run of it got.
std::vector<std::string> to_options(const Setting& setting);

}  // namespace lockstep::explore
