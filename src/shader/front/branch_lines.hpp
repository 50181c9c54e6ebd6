#pragma once

#include <cstdint>
#include <vector>

/// \file
/// The lines of branches that compilers leave without one.

namespace lockstep::spirv {

/// The module with OpLine where a branch has none, or that of the statement before it: glslang gives none to a branch
/// whose condition is a variable. The line is where the source in OpSource begins the construct.
///
/// Requires      Words of a whole module with a header.
/// Active lanes  None.
/// Errors        None: without the source, branches stay as they are.
/// Cost          Linear in the module and its source, but for functions whose blocks are far from those that branch to them.
/// Spec          SPIR-V 2.4, OpLine
/// Example       tests/spirv/branch_lines.cpp
std::vector<std::uint32_t> with_branch_lines(std::vector<std::uint32_t> words);

}  // namespace lockstep::spirv
