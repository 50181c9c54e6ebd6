#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/exec/checks.hpp>

#include "shader/ir/ir.hpp"

/// \file
/// For which operands an operation has no defined result (semantics of SPIR-V and GLSL.std.450).

namespace lockstep::spirv {

/// Constants that are added to an IR, each once.
class Constants {
 public:
  Reg of(Ir& ir, Scalar type, std::uint64_t value);
  /// The nearest number of the type.
  Reg of_number(Ir& ir, Scalar type, double value);

 private:
  std::map<std::pair<Scalar, std::uint64_t>, Reg> known_;
};

/// The lanes outside an operation's domain.
struct OutsideDomain {
  Reg lanes = no_reg;  ///< a bool
  std::string what;
};

/// The rule that a component-wise operation breaks outside its domain.
Check domain_rule(Code code);
/// Whether a component-wise operation has no defined result for some operands that it may have.
bool has_domain(const Op& op, std::span<const RegInfo> regs);

/// Appends a component-wise operation. Its result is a bool for comparisons, else of its type.
using Emit = std::function<Reg(Code code, Scalar type, std::vector<Reg> src)>;
/// Computes where a component-wise operation has no defined result; nothing for operations that always have one.
std::optional<OutsideDomain> emit_domain(const Op& op, Ir& ir, const Emit& emit,
                                         Constants& constants);

/// What is undefined about a subgroup operation.
struct UndefinedBetweenLanes {
  Check rule = Check::undefined_shuffle;
  std::string what;
  bool is_relative = false;  ///< its source may be outside the subgroup, which is another rule
  std::string what_outside = {};
};
/// Nothing for operations that always give something defined, or whose misuse is an error by itself.
std::optional<UndefinedBetweenLanes> undefined_rule(const Op& op);
/// What undefined_lanes needs to know of the operation.
UndefinedLanes undefined_lanes_of(const Op& op);

}  // namespace lockstep::spirv
