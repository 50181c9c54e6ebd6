#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shader/lower/builder.hpp"

namespace lockstep::spirv {

/// The sum of the products, from the first to the last.
Reg dot(Builder& b, std::span<const Reg> left, std::span<const Reg> right, Scalar type);

/// The determinant of a square matrix of n columns, followed by the adjugate column by column: the inverse
/// times the determinant.
std::vector<Reg> determinant_parts(Builder& b, std::span<const Reg> matrix, std::size_t n,
                                   Scalar type);

}  // namespace lockstep::spirv
