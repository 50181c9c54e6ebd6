#pragma once

#include <optional>
#include <span>
#include <vector>

#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

struct Constant {
  Scalar type;
  std::uint64_t bits;
};

/// The result of a pure operation on constants, computed by the engine itself, so that a constant
/// and a computed value never differ.
std::uint64_t fold(const Op& op, std::span<const Constant> values, Scalar result);

/// The result of a pure operation on one component, if find(register) knows all its operands.
template <class Find>
std::optional<std::uint64_t> fold_known(const Ir& ir, const Op& op, Find find) {
  if (!is_pure(op.code) || op.masked || op.dst.size() != 1 || op.src.empty() || op.src.size() > 4)
    return {};
  const RegInfo& result = ir.regs[op.dst[0]];
  if (result.variable || result.lanes) return {};
  std::vector<Constant> operands;
  for (const Reg r : op.src) {
    const std::optional<std::uint64_t> value = r == no_reg ? std::nullopt : find(r);
    if (!value) return {};
    operands.push_back({ir.regs[r].type, *value});
  }
  return fold(op, operands, result.type);
}

/// A conversion of one constant.
std::uint64_t fold_convert(Scalar to, Scalar from, std::uint64_t value);

}  // namespace lockstep::spirv
