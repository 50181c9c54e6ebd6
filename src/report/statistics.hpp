#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/exec/event.hpp>
#include <lockstep/spirv/work_counts.hpp>
#include <lockstep/trace/timeline.hpp>

namespace lockstep::report {

/// The cost of a source line, over all subgroups.
struct LineCost {
  std::string file;
  int line = 0;
  std::uint64_t times = 0;  ///< once per set of lanes that executed it together
  std::uint64_t lanes = 0;
};

/// Accumulates the work of a run's subgroups: from their events, which it drops when a subgroup ends, or as the engine
/// has counted it.
///
/// Requires      Outlives the dispatch that it observes.
/// Active lanes  As in each event.
/// Errors        None.
/// Cost          A copy of each event until its subgroup ends.
/// Spec          None.
/// Example       tests/report/statistics.cpp
class Statistics : public Observer {
 public:
  explicit Statistics(int subgroup_size) : subgroup_size_(subgroup_size) {}

  void on(const Event& event) override;
  Interest interest() const override { return {EventKinds::all(), false}; }
  /// Adds what a dispatch has counted.
  void add(const WorkCounts& work);

  std::uint64_t subgroups() const { return subgroups_; }
  /// Lines executed, once per set of lanes that executed one together.
  std::uint64_t times() const { return times_; }
  /// The share of their lanes that were active; 0 without any.
  double utilisation() const;
  std::uint64_t divergences() const { return divergences_; }
  /// Merges without reconvergence.
  std::uint64_t apart() const { return apart_; }
  /// By file and line.
  std::vector<LineCost> lines() const;

 private:
  using Subgroup = std::pair<std::array<std::uint32_t, 3>, std::uint32_t>;

  void add(const std::vector<Event>& events);

  int subgroup_size_;
  std::map<Subgroup, std::vector<Event>> running_;
  std::map<std::pair<std::string, int>, std::pair<std::uint64_t, std::uint64_t>> lines_;
  std::uint64_t subgroups_ = 0, times_ = 0, lanes_ = 0, divergences_ = 0, apart_ = 0;
};

}  // namespace lockstep::report
