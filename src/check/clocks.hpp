#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

/// \file
/// What invocations know of each other: vector clocks.

namespace lockstep::judges {

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
    if (known_ == nullptr) return false;
    for (const auto& [workgroup, clocks] : *known_)
      if (workgroup == who.workgroup)
        return who.invocation < clocks->size() && (*clocks)[who.invocation] >= clock;
    return false;
  }

  /// Adds what `other` knows.
  void join(const Knowledge& other);
  /// Adds invocations of one workgroup, each with its clock.
  void add(std::uint32_t workgroup, const std::vector<std::pair<std::uint32_t, Clock>>& clocks);

  /// Whether both are the same by identity; equal contents may differ.
  bool same(const Knowledge& other) const { return known_ == other.known_; }

 private:
  using Clocks = std::vector<Clock>;
  using Known = std::vector<std::pair<std::uint32_t, std::shared_ptr<const Clocks>>>;

  std::shared_ptr<const Known> known_;  ///< in ascending order of workgroups; null: nothing
};

}  // namespace lockstep::judges
