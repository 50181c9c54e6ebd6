#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/exec/finding.hpp>

#include "judgement/rerun.hpp"

/// \file
/// Which results depend on accesses that nothing orders: a race is the shader's fault, not the device's.

namespace lockstep::judgement {

/// The races of a dispatch, and what they reach.
///
/// Requires      The dispatch outlives it.
/// Active lanes  As in the shader.
/// Errors        None: where a run does not come to its end, or takes too long, no place is blamed.
/// Cost          A run that is checked for races. If it has some, each question runs the dispatch again, in other orders as well.
/// Spec          Vulkan memory model: data race
/// Example       tests/judgement/judge.cpp
class Races {
 public:
  /// Of each place a text that names a race with the lines of both accesses; nothing of a place that is not meant.
  using Texts = std::vector<std::optional<std::string>>;

  explicit Races(const Rerun& rerun);

  /// Whether the run has some.
  bool any() const { return !all_.empty(); }
  /// Whether no order of accesses matters: the run ended, and has no atomics either.
  bool no_order_matters() { return has_ended_ && !any() && !has_atomics(); }

  /// The places whose numbers may come from a race: something that it accesses, or that changes with the order.
  Texts reach(const std::vector<Place>& places) const;
  /// The places whose numbers a race decides that is an error: the last writers race and write different numbers, or the number changes
  /// with the order. `is_ordered` tells of a place that its number may do so without a race as well.
  Texts decide(const std::vector<Place>& places,
               const std::function<bool(const Place&)>& is_ordered);

 private:
  /// Or may have.
  bool has_atomics();

  const Rerun& rerun_;
  bool has_ended_ = false;
  std::optional<bool> has_atomics_;
  std::vector<Finding> all_;
};

}  // namespace lockstep::judgement
