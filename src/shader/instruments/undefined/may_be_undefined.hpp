#pragma once

#include <optional>
#include <span>
#include <vector>

#include <lockstep/exec/checks.hpp>

#include "shader/instruments/undefined/undefined_results.hpp"
#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// Which values of a shader may be undefined in some run. All others need no shadow.
class MayBeUndefined {
 public:
  MayBeUndefined(const Ir& ir, Checks rules);

  bool operator()(Reg r) const { return r != no_reg && registers_[r]; }
  bool any(std::span<const Reg> regs) const;
  /// Of what a resource of shared memory holds.
  bool in_shared(std::size_t resource) const { return shared_[resource]; }
  /// A variable that some path reads before it has a value.
  bool is_unassigned(Reg r) const { return unassigned_[r]; }

  /// Whether the operation accesses shared memory that is tracked: all but that to which pointers exist, whose accesses
  /// name no resource.
  bool is_shared(const Op& op) const;
  bool starts_undefined(const ResourceUse& use) const;
  /// Whether the operation itself may have no defined result.
  bool begins_in(const Op& op) const;
  /// What a checked rule says about a subgroup operation.
  std::optional<UndefinedBetweenLanes> between_lanes(const Op& op) const;
  /// Atomics that pass on what they read or write, rather than compute with it.
  static bool keeps_operand(Operator op) {
    return op == Operator::exchange || op == Operator::store || op == Operator::load;
  }

 private:
  void find(const Op& op);
  void find_move(const Op& op);
  void find_load(const Op& op);
  void find_store(const Op& op);
  void find_atomic(const Op& op);
  void find_load_indexed(const Op& op);
  void find_store_indexed(const Op& op);
  // Uses of undefined operands are reported, and what these give counts as defined.
  void find_query(const Op&) {}
  void find_texel(const Op&) {}
  void find_sample(const Op&) {}
  void find_image_store(const Op&) {}
  void find_print(const Op&) {}
  void find_declare(const Op&) {}
  void find_nothing(const Op&) {}
  void find_in_shared(const Op& op);
  void mark(std::span<const Reg> regs);
  void mark_shared(std::uint32_t resource);

  const Ir& ir_;
  Checks rules_;
  std::vector<bool> unassigned_, registers_;  ///< by register
  std::vector<bool> tracked_, shared_;        ///< by resource
  bool changed_ = false;
};

}  // namespace lockstep::spirv
