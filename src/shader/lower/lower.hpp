#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <lockstep/spirv/spec_constant.hpp>

#include "shader/lower/builder.hpp"
#include "shader/lower/flow.hpp"

/// \file
/// From a module to the operations of one entry point.

namespace lockstep::spirv {

/// Choices of a shader's caller before lowering.
struct LowerOptions {
  std::string entry = "main";
  std::map<std::uint32_t, SpecConstant> spec_constants = {};  ///< by SpecId
  int subgroup_size = 32;                                     ///< matters to cooperative matrices
  /// Elements of arrays of descriptors without a size, by set and binding, if not unsized_descriptors.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> unsized_arrays = {};
};

/// Makes the IR of an entry point. Throws Error for anything unsupported: which opcode, and where.
Ir lower(const Module& module, const LowerOptions& options);

/// What the families of instructions share while an entry point is lowered. Each family is functions in files of
/// its own, which the table of opcodes finds (opcode_table.hpp).
class Lowering : public Builder {
 public:
  Lowering(const Module& module, const LowerOptions& options)
      : Builder(module), options_(options) {}

  /// Lowers an instruction by the handler of its opcode.
  void lower_instruction(const Instruction& i);

  const LowerOptions& options() const { return options_; }
  /// Where in the control flow the block being lowered is.
  ControlFlow& control() { return control_; }
  /// By the first component in pool(), the number in Ir::indexed of each variable that has an index at run time.
  std::map<std::uint32_t, std::uint32_t>& indexed() { return indexed_; }
  /// The resource of all shared blocks with an explicit layout, which start at the same byte.
  std::optional<std::uint32_t>& shared_block() { return shared_block_; }

 private:
  const LowerOptions& options_;
  ControlFlow control_;
  std::map<std::uint32_t, std::uint32_t> indexed_;
  std::optional<std::uint32_t> shared_block_;
};

/// Lowers types, constants and variables outside functions, and finds the local size. The entry point's function.
Id lower_declarations(Lowering& l);

}  // namespace lockstep::spirv
