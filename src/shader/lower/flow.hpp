#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shader/ir/ir.hpp"

/// \file
/// Lowers functions, blocks and structured control flow.

namespace lockstep::spirv {

class Lowering;

/// A construct around the block being lowered.
struct Construct {
  enum class Kind { selection, loop, switch_statement };
  Kind kind = Kind::selection;
  Id merge = 0;
  std::uint32_t number = 0;
  Id header = 0;           ///< of a loop
  Id continue_target = 0;  ///< of a loop
  Id test = 0;             ///< of a loop: the block at its top that decides about another iteration
  bool test_last = false;  ///< of a loop: the back edge is conditional
  bool in_continue = false;
  Id next_case = 0;  ///< of a switch
  std::vector<Id> cases;
};

/// A function while it is being inlined.
struct Activation {
  const Function* function = nullptr;
  std::vector<Reg> result;
  std::size_t constructs = 0;     ///< of callers
  std::vector<bool> done;         ///< blocks lowered
  std::vector<bool> tested_last;  ///< blocks that are headers of loops with a conditional back edge
};

/// The block being lowered is in these, the innermost last.
struct ControlFlow {
  std::vector<Construct> constructs;
  std::vector<Activation> activations;
};

/// Lowers the body of an entry point.
void lower_entry(Lowering& l, Id function);
/// Adds an operation of control flow.
void emit_flow(Lowering& l, Code code, Detail detail = {}, std::vector<Reg> src = {});

}  // namespace lockstep::spirv
