#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <lockstep/exec/lane_set.hpp>

/// \file
/// What invocations know of each other: vector clocks.

namespace lockstep::detectors {

/// Counts an invocation's releases, from 1.
using Clock = std::uint32_t;

/// An invocation of the run.
struct Who {
  std::uint32_t workgroup = 0;   ///< in the order in which they started
  std::uint32_t invocation = 0;  ///< subgroup * subgroup size + lane

  friend bool operator==(const Who&, const Who&) = default;
};

/// The clocks of the invocations of some workgroups, up to which something happens before.
/// Values are immutable and share their parts.
class Knowledge {
 public:
  /// Whether what the invocation did at this clock is included.
  bool includes(Who who, Clock clock) const {
    const Clocks* const clocks = clocks_of(who.workgroup);
    return clocks != nullptr && who.invocation < clocks->size() &&
           (*clocks)[who.invocation] >= clock;
  }

  /// The lanes of a subgroup, whose first invocation is given, of which what they did at this clock is included.
  LaneSet included(LaneSet lanes, Who first, Clock clock) const {
    LaneSet all;
    const Clocks* const clocks = clocks_of(first.workgroup);
    if (clocks == nullptr) return all;
    for_each_lane(lanes, [&](int lane) {
      const std::size_t k = first.invocation + static_cast<std::uint32_t>(lane);
      if (k < clocks->size() && (*clocks)[k] >= clock) all = all | LaneSet::lane(lane);
    });
    return all;
  }

  /// The least and the greatest clock up to which something of these lanes is included.
  std::pair<Clock, Clock> range(LaneSet lanes, Who first) const {
    const Clocks* const clocks = clocks_of(first.workgroup);
    Clock least = ~Clock{0}, greatest = 0;
    for_each_lane(lanes, [&](int lane) {
      const std::size_t k = first.invocation + static_cast<std::uint32_t>(lane);
      const Clock clock = clocks != nullptr && k < clocks->size() ? (*clocks)[k] : 0;
      least = std::min(least, clock);
      greatest = std::max(greatest, clock);
    });
    return {least, greatest};
  }

  /// The greatest clock up to which something of a workgroup is included.
  Clock latest(std::uint32_t workgroup) const {
    const Clocks* const clocks = clocks_of(workgroup);
    return clocks == nullptr || clocks->empty() ? 0 : *std::ranges::max_element(*clocks);
  }

  /// Whether something of other workgroups is included.
  bool has_others(std::uint32_t workgroup) const {
    return known_ != nullptr && std::ranges::any_of(*known_, [&](const auto& known) {
             return known.first != workgroup;
           });
  }

  /// Adds what `other` knows.
  void join(const Knowledge& other);
  /// Adds invocations of one workgroup, each with its clock.
  void add(std::uint32_t workgroup, const std::vector<std::pair<std::uint32_t, Clock>>& clocks);

  bool is_none() const { return known_ == nullptr; }
  /// Whether both are the same by identity; equal contents may differ.
  bool same(const Knowledge& other) const { return known_ == other.known_; }

 private:
  using Clocks = std::vector<Clock>;
  using Known = std::vector<std::pair<std::uint32_t, std::shared_ptr<const Clocks>>>;

  const Clocks* clocks_of(std::uint32_t workgroup) const {
    if (known_ == nullptr) return nullptr;
    for (const auto& [number, clocks] : *known_)
      if (number == workgroup) return clocks.get();
    return nullptr;
  }

  std::shared_ptr<const Known> known_;  ///< in ascending order of workgroups; null: nothing
};

}  // namespace lockstep::detectors
