#pragma once

#include <optional>
#include <span>

#include "shader/ir/ir.hpp"

/// \file
/// What the machines rely on: each operation has as many operands as it needs, of the sizes that it reads.

namespace lockstep::spirv {

/// Whether registers of the two types hold the same kind of contents: bools are bits, others as many bytes.
constexpr bool same_contents(Scalar a, Scalar b) {
  if (a == Scalar::boolean || b == Scalar::boolean) return a == b;
  return size_of(a) == size_of(b);
}

/// What is wrong with an operation; null if nothing is. One without side effects may have no register for its result
/// yet, only its type. Modules that were not validated come this far.
const char* wrong_with(const Op& op, std::span<const RegInfo> regs,
                       std::optional<Scalar> result = {});

}  // namespace lockstep::spirv
