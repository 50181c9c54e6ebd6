#pragma once

#include <optional>
#include <span>

#include "support/walker/module.hpp"

/// \file
/// Results that other implementations may have where the reference has the nearest number.

namespace lockstep::walker {

/// Asked for the result of each operation before the reference computes it.
class Freedom {
 public:
  virtual ~Freedom() = default;

  /// What one invocation gets of an instruction; nothing: what the reference computes. Operands are as in arithmetic and, for
  /// OpExtInst, in glsl_function.
  virtual std::optional<Value> result(const Module& module, const Instruction& instruction,
                                      std::span<const Value> operands) = 0;
  /// The sum or product of floats of several invocations; nothing: what the reference computes.
  virtual std::optional<Scalar> combined(const Instruction& instruction, int width,
                                         std::span<const Scalar> values) = 0;
};

}  // namespace lockstep::walker
