#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>

#include "shader/front/module.hpp"

/// \file
/// Maps opcodes to the functions that lower them.

namespace lockstep::spirv {

class Lowering;

class OpcodeTable {
 public:
  using Handler = void (*)(Lowering&, const Instruction&);

  /// Throws std::logic_error for an opcode that already has a handler.
  void add(spv::Op opcode, Handler handler);
  /// Null for an unsupported opcode.
  Handler find(spv::Op opcode) const;

 private:
  std::unordered_map<std::uint32_t, Handler> handlers_;
};

/// The entry of an opcode in a family's own table, which must exist.
template <class Rule, std::size_t N>
const Rule& rule_of(const Rule (&rules)[N], spv::Op opcode) {
  for (const Rule& rule : rules)
    if (rule.opcode == opcode) return rule;
  throw std::logic_error("an opcode without a rule");
}

/// All families together.
const OpcodeTable& opcode_table();

// Each family adds its opcodes.
void add_composites(OpcodeTable& table);
void add_arithmetic(OpcodeTable& table);
void add_assumptions(OpcodeTable& table);
void add_comparisons(OpcodeTable& table);
void add_conversions(OpcodeTable& table);
void add_matrices(OpcodeTable& table);
void add_cooperative_matrices(OpcodeTable& table);
void add_subgroup(OpcodeTable& table);
void add_extended(OpcodeTable& table);
void add_calls(OpcodeTable& table);
void add_memory(OpcodeTable& table);
void add_atomics(OpcodeTable& table);
void add_barriers(OpcodeTable& table);
void add_images(OpcodeTable& table);
void add_sampling(OpcodeTable& table);
void add_derivatives(OpcodeTable& table);

}  // namespace lockstep::spirv
