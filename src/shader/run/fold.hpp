#pragma once

#include <span>

#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

struct Constant {
  Scalar type;
  std::uint64_t bits;
};

/// The result of a pure operation on constants, computed by the engine itself, so that a constant
/// and a computed value never differ.
std::uint64_t fold(const Op& op, std::span<const Constant> values, Scalar result);

/// A conversion of one constant.
std::uint64_t fold_convert(Scalar to, Scalar from, std::uint64_t value);

}  // namespace lockstep::spirv
