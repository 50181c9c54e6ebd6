#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/explorer.hpp"

namespace lockstep::explore {

/// A run that is over, compared with the first.
struct Run {
  Setting setting;  ///< with the answers that it got
  std::vector<Chooser::Question> questions;
  Result result;
  std::optional<Difference> difference;
  std::vector<bool> only_order;  ///< by buffer
};

/// What a rank tells the others of its runs, and whether it wants to stop. Of a result that is the first run's, nothing.
std::string to_bytes(const std::vector<Run>& runs, bool stop);

/// What another rank told.
struct Told {
  std::vector<Run> runs;  ///< without settings other than the answers
  bool stop = false;
};
Told from_bytes(const std::string& bytes);

}  // namespace lockstep::explore
