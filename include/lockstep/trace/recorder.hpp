#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <lockstep/exec/event.hpp>

namespace lockstep::trace {

/// Records the events of a run, of all its subgroups or of one.
///
/// Requires      Outlives the dispatch that it observes.
/// Active lanes  As in each event.
/// Errors        None.
/// Cost          A copy of each event, with the values of its lanes.
/// Spec          None.
/// Example       tests/trace/recorder.cpp
class Recorder : public Observer {
 public:
  /// Records everything.
  Recorder() = default;
  /// Records one subgroup of one workgroup.
  Recorder(std::array<std::uint32_t, 3> workgroup, std::uint32_t subgroup)
      : only_(Subgroup{workgroup, subgroup}) {}

  void on(const Event& event) override {
    if (!only_ || (event.workgroup == only_->workgroup && event.subgroup == only_->number))
      events_.push_back(event);
  }

  /// The events so far, in the order of execution.
  const std::vector<Event>& events() const { return events_; }
  /// Discards them.
  void clear() { events_.clear(); }

 private:
  struct Subgroup {
    std::array<std::uint32_t, 3> workgroup;
    std::uint32_t number;
  };

  std::optional<Subgroup> only_;
  std::vector<Event> events_;
};

}  // namespace lockstep::trace
