#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "shader/instruments/bounds/allowed_values.hpp"
#include "shader/instruments/bounds/known_index.hpp"

namespace lockstep::spirv {

/// What is allowed where a condition may be decided otherwise on a device: the lane may be somewhere else.
class AllowedControl {
 public:
  /// `before`: the operations before the pass, which outlive it.
  AllowedControl(AllowedValues& allowed, const std::vector<Op>& before);

  /// Adds what stands before or after the operation, and keeps it.
  void track(Op&& op);
  /// The next operation.
  void step() { ++position_; }
  /// Why the lane may be somewhere else; no_reg if nothing is open.
  Reg control() const { return control_; }
  /// Whether an atomic returned what a register has at this operation, each time another one.
  bool is_returned(Reg r) const {
    const Op* const source = later_.source_of(r, position_);
    return source != nullptr &&
           (source->code == Code::atomic || source->code == Code::atomic_address);
  }
  /// Why it is open whether a lane belongs to the group.
  Reg group() const { return group_; }

 private:
  void save(std::uint32_t construct);
  void enter(const Op& op);
  void taint(std::uint32_t store, std::uint32_t reach);
  Reg computed_here(Reg r, const std::vector<std::uint32_t>& ops);
  void leave(std::uint32_t construct);

  AllowedValues& allowed_;
  const std::vector<Op>& before_;
  KnownIndex later_;
  std::uint32_t position_ = 0;  ///< in before_
  Reg control_ = no_reg, group_ = no_reg;
  std::map<std::uint32_t, std::pair<Reg, Reg>> saved_;  ///< control and group, by construct
};

}  // namespace lockstep::spirv
