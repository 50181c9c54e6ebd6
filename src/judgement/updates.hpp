#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "judgement/guided_run.hpp"

/// \file
/// What atomics may return in any order.

namespace lockstep::judgement {

/// The atomics of one cell, if their order matters.
struct Update {
  enum class Kind : std::uint8_t {
    counter,   ///< all add or subtract the same number
    tiles,     ///< all add numbers
    claim,     ///< all replace the number that was there first
    exchange,  ///< all replace what is there
  };
  Kind kind = Kind::counter;
  std::uint64_t initial = 0;
  std::optional<std::uint64_t> last = {};  ///< what the device left
  std::vector<std::uint64_t> returns;      ///< all that they may return, none twice
  std::size_t turns = 0;
  std::uint64_t sum = 0;  ///< of their operands

  /// Where in `returns` a number is.
  std::size_t number_of(std::uint64_t returned) const;
};

/// The updates of a dispatch, from a run that was not guided.
///
/// Requires      The device's contents outlive it.
/// Active lanes  As in the shader.
/// Errors        None: what it does not understand it says.
/// Cost          O(atomics); for sums of different numbers times their sum.
/// Spec          SPIR-V OpAtomic...
/// Example       tests/judgement/orders.cpp
class Updates : public Returns {
 public:
  Updates(const GuidedRun& first, Contents inputs, const Contents& device);

  const std::vector<std::uint64_t>* of(const Turn& turn) override;

  /// Whether all atomics whose order matters are of a kind, so far.
  bool are_understood() const { return understood_; }
  /// Whether a run made the same atomics, but for those that claim.
  bool are_those_of(const GuidedRun& run) const;
  const std::map<Cell, Update>& all() const { return updates_; }

 private:
  void add(const Cell& cell, const std::vector<Turn>& turns, std::uint64_t initial);
  bool add_claim(const Turn& turn);
  std::optional<std::uint64_t> number_in(const Contents& contents, const Turn& turn) const;

  Contents inputs_;
  const Contents& device_;
  std::set<Location> stored_;
  std::map<Cell, Update> updates_;
  bool understood_ = true;
};

}  // namespace lockstep::judgement
