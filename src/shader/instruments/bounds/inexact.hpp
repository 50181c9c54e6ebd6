#pragma once

#include <span>
#include <vector>

#include "shader/instruments/bounds/bounded_control.hpp"
#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// Whether a reduction or scan of floats.
inline bool is_reduction_of_floats(const Op& op) {
  return is_subgroup(op.code) && std::holds_alternative<Reduction>(op.detail) && is_float(op.type);
}

/// The registers that may hold other bits on another device.
class Inexact {
 public:
  /// Also notes in `effects` where lanes may go different ways. unassigned: by register.
  Inexact(const Ir& ir, ControlEffects& effects, const std::vector<bool>& unassigned);

  bool has(Reg r) const { return r < may_.size() && may_[r]; }
  bool any(std::span<const Reg> regs) const;
  /// Whether memory may hold anything inexact.
  bool memory() const { return memory_; }
  /// Whether any condition may be decided differently.
  bool decides() const { return decides_; }

 private:
  void visit(const Op& op);
  void visit_condition(const Op& op);
  bool begins(const Op& op) const;
  void see_nothing(const Op& op);
  void see_of_operands(const Op& op);
  void see_move(const Op& op);
  void see_load(const Op& op);
  void see_store(const Op& op);
  void see_atomic(const Op& op);
  void see_load_indexed(const Op& op);
  void see_store_indexed(const Op& op);
  void see_image_store(const Op& op);
  void see_image_load(const Op& op);
  void see_image_sample(const Op& op);
  void mark_memory();
  void mark(Reg r);
  void mark(std::span<const Reg> regs);

  const Ir& ir_;
  ControlEffects& effects_;
  std::vector<bool> may_;  ///< by register
  bool memory_ = false, decides_ = false, changed_ = false;
};

}  // namespace lockstep::spirv
