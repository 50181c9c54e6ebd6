#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "shader/instruments/bounds/bounded_control.hpp"
#include "shader/instruments/bounds/inexact.hpp"
#include "shader/ir/checked_ops.hpp"
#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// What is allowed for the values of registers, in registers beside them, and the operations that compute it.
class AllowedValues {
 public:
  /// Makes the registers of variables.
  explicit AllowedValues(Ir& ir);

  Ir& ir() { return ir_; }
  const ControlEffects& effects() const { return effects_; }
  const Inexact& inexact() const { return inexact_; }
  CheckedOps& ops() { return ops_; }

  /// Variables of an invocation have no value at the start.
  void start_variables();

  /// Whether a register may have another value on a device.
  bool may(Reg r) const { return r != no_reg && inexact_.has(r); }
  /// What is allowed for a value; no_reg if that is exact.
  Reg of(Reg r);
  std::vector<Reg> of_all(std::span<const Reg> regs);
  /// The register that is always a variable's.
  Reg of_variable(Reg r) const { return allowed_[r]; }
  /// A register for what is allowed for a result.
  Reg result(Reg r);
  Reg new_allowed(bool variable = false) {
    return add_register(ir_, {.variable = variable, .lanes = true, .allowed = true});
  }
  /// The shadow of an indexed variable, or null.
  const std::uint32_t* of_indexed(std::uint32_t variable) const;

  Bound& append(Bound::Kind kind, std::vector<Reg> dst, std::vector<Reg> src,
                std::shared_ptr<const Op> of = {});
  void copy(Reg dst, Reg src) { append(Bound::Kind::copy, {dst}, {src}); }

 private:
  void make_variables();
  void fill(Reg dst, oracle::Allowed value);
  Reg filled(const oracle::Allowed& value);
  std::uint32_t origin();

  Ir& ir_;
  ControlEffects effects_;
  std::vector<bool> unassigned_;  ///< by register
  Inexact inexact_;
  std::vector<Reg> allowed_;                        ///< by register
  std::map<std::uint32_t, std::uint32_t> indexed_;  ///< shadows of indexed variables
  std::map<std::pair<const char*, int>, std::uint32_t> lines_;
  CheckedOps ops_;
};

/// An operation as a Bound keeps it.
inline std::shared_ptr<const Op> kept(const Op& op) { return std::make_shared<const Op>(op); }

/// The operand that is an access's index.
inline Reg index_of(const Op& op) { return op.src.empty() ? no_reg : op.src[0]; }

}  // namespace lockstep::spirv
