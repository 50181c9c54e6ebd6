#pragma once

#include "shader/front/module.hpp"
#include "shader/front/types.hpp"

/// \file
/// Cooperative matrices (SPV_KHR_cooperative_matrix): a subgroup holds their elements together.
///
/// Where an element is, is the implementation's choice. Here element e, counted row by row, is component e / size of
/// lane e % size, for matrices of every use. So matrices of the same shape have it in the same place, and what works on
/// components works on elements.

namespace lockstep::spirv {

class Lowering;

constexpr bool is_cooperative_matrix(const Type& type) { return type.rows != 0; }

/// Records such a type. The IR is then made for one subgroup size.
void add_cooperative_matrix(Lowering& l, const Instruction& i);

}  // namespace lockstep::spirv
