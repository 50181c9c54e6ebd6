#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/exec/checks.hpp>

#include "shader/instruments/undefined/may_be_undefined.hpp"
#include "shader/ir/checked_ops.hpp"
#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// The shadow of shared memory: one word for each number of that many bytes in it.
struct SharedShadow {
  std::uint32_t resource = no_resource;  ///< no_resource: it is not tracked
  std::uint32_t granule = 4;
};

/// The shadows of what may be undefined, and the operations that compute with them.
class Shadows {
 public:
  /// Makes the shadows of variables and shared memory. What has no initial value is undefined.
  Shadows(Ir& ir, Checks rules);

  const MayBeUndefined& may_be_undefined() const { return may_; }
  Checks rules() const { return rules_; }
  Ir& ir() { return ir_; }
  CheckedOps& ops() { return ops_; }
  Constants& constants() { return constants_; }

  bool may(Reg r) const { return may_(r); }
  bool any_may(std::span<const Reg> regs) const { return may_.any(regs); }
  /// Whether the operation accesses shared memory with a shadow.
  bool is_shared(const Op& op) const;

  // ---- Which shadow ----

  /// The shadow of a register that may be undefined; no_reg of others.
  Reg of(Reg r);
  /// Undefined where one of them is.
  Reg of_all(std::span<const Reg> regs);
  /// The value's shadow from here on.
  void define(Reg value, Reg shadow);
  /// The register that is always the shadow of a variable.
  Reg of_variable(Reg r) const { return shadow_[r]; }
  /// A variable without a value begins anew.
  void restart(Reg r);
  const SharedShadow& of_shared(std::uint32_t resource) const { return shared_[resource]; }
  /// The shadow of an indexed variable; null if it needs none.
  const std::uint32_t* of_indexed(std::uint32_t variable) const;

  // ---- Operations ----

  Reg new_reg(Scalar type) { return add_register(ir_, {.type = type}); }
  Reg constant(std::uint32_t value) { return constants_.of(ir_, Scalar::u32, value); }
  /// The shadow, or the one of a defined value.
  Reg or_defined(Reg shadow) { return shadow == no_reg ? constant(0) : shadow; }
  /// The number of a place where something undefined begins.
  std::uint32_t origin(Check rule, std::string what, const SourceLocation& where);
  Op& append(Code code, Scalar type, std::vector<Reg> dst, std::vector<Reg> src) {
    return ops_.add(code, type, std::move(dst), std::move(src));
  }
  Reg emit(Code code, Scalar type, std::vector<Reg> src) {
    return ops_.emit(code, type, std::move(src));
  }
  Reg is_zero(Reg r, Scalar type = Scalar::u32) {
    return emit(Code::equal, type, {r, constants_.of(ir_, type, 0)});
  }
  Reg select(Reg condition, Reg a, Reg b) {
    return emit(Code::select, Scalar::u32, {condition, a, b});
  }
  Reg both(Reg a, Reg b) { return emit(Code::band, Scalar::boolean, {a, b}); }
  /// Undefined where one of them is.
  Reg joined(Reg a, Reg b);
  /// Undefined values become visible here.
  void report(Reg shadow, UndefinedUse::Kind kind, std::uint32_t resource = no_resource);

 private:
  void make_shadows();
  void find_granules();
  void make_shared_shadow(std::size_t k);
  void start_variables();

  Ir& ir_;
  Checks rules_;
  MayBeUndefined may_;
  std::vector<Reg> shadow_;                         ///< by register
  std::vector<SharedShadow> shared_;                ///< by resource
  std::map<Reg, std::uint32_t> origins_;            ///< of variables without a value
  std::map<std::uint32_t, std::uint32_t> indexed_;  ///< shadows of indexed variables
  Constants constants_;
  CheckedOps ops_;
};

}  // namespace lockstep::spirv
