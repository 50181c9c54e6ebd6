#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <lockstep/exec/source_location.hpp>

// spirv.hpp11 declares which opcodes have a result and a type only on request.
#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.hpp11>

/// \file
/// A decoded SPIR-V module: instructions, types, decorations, functions and blocks. Nothing here
/// trusts the module to be valid: every id and every operand is checked before use.

namespace lockstep::spirv {

using Id = std::uint32_t;

/// One instruction; operands are the words after result type and result.
struct Instruction {
  spv::Op opcode = spv::Op::OpNop;
  Id type = 0;
  Id result = 0;
  std::span<const std::uint32_t> operands;
  SourceLocation where;

  /// The operand at `index`; throws Error if there is none.
  std::uint32_t operator[](std::size_t index) const;
  /// The literal string that starts at operand `index`.
  std::string text(std::size_t index) const;
  /// The number of operands of the string at `index`.
  std::size_t text_words(std::size_t index) const;
};

/// The name of an opcode: OpIAdd.
std::string name_of(spv::Op opcode);

/// A basic block. Its terminator is the last instruction.
struct Block {
  Id label = 0;
  std::vector<const Instruction*> body;  ///< without phis, merge instruction and terminator
  std::vector<const Instruction*> phis;
  const Instruction* merge = nullptr;
  const Instruction* terminator = nullptr;
  std::size_t position = 0;  ///< among the function's blocks, in the module's order
};

struct Function {
  const Instruction* start = nullptr;
  std::vector<const Instruction*> parameters;
  std::vector<Block> blocks;
  std::unordered_map<Id, std::size_t> block_of;

  /// The block of that label; throws Error if the function has none.
  const Block& block(Id label) const;
};

struct Decorations {
  /// The first operand of a decoration, if the id (or member) has it.
  const std::uint32_t* find(spv::Decoration decoration) const;
  bool has(spv::Decoration decoration) const { return find(decoration) != nullptr; }

  std::vector<std::pair<spv::Decoration, std::uint32_t>> list;
};

struct EntryPoint {
  spv::ExecutionModel model{};
  Id function = 0;
  std::string name;
};

/// A module. The instructions point into its words.
class Module {
 public:
  /// Decodes a module. Throws Error for one that is truncated or refers to missing ids.
  Module(std::vector<std::uint32_t> words, std::string file);
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  std::uint32_t version() const { return words_[1]; }
  Id bound() const { return words_[3]; }
  const std::string& file() const { return file_; }
  std::span<const std::uint32_t> words() const { return words_; }

  /// The instruction that defines `id`; throws Error if there is none.
  const Instruction& definition(Id id) const;
  const Instruction* find_definition(Id id) const;
  const Decorations& decorations(Id id) const;
  const Decorations& member_decorations(Id type, std::uint32_t member) const;
  /// The id's name in the source, or %id.
  std::string name(Id id) const;
  bool has_name(Id id) const {
    const auto found = names_.find(id);
    return found != names_.end() && !found->second.empty();
  }
  /// The name of a structure's member in the source; empty if it has none.
  std::string member_name(Id type, std::uint32_t member) const;
  /// Types, constants and module-scope variables, in order.
  const std::vector<const Instruction*>& globals() const { return globals_; }
  const Function& function(Id id) const;
  const std::vector<EntryPoint>& entry_points() const { return entry_points_; }
  /// The compute entry point that `wanted` means: itself, or for main the only one that there is.
  std::string compute_entry(const std::string& wanted) const;
  /// The operands of an entry point's execution mode, or none.
  const Instruction* execution_mode(Id function, spv::ExecutionMode mode) const;
  /// Calls f with each of them.
  template <class F>
  void for_each_execution_mode(Id function, F f) const {
    for (const Instruction* i : modes_) {
      if ((*i)[0] == function) f(*i);
    }
  }
  /// The name of an imported set of extended instructions.
  std::string_view extended_set(Id id) const;
  std::string_view string(Id id) const;
  bool has_capability(spv::Capability capability) const;
  /// Whether it says that it was compiled from HLSL.
  bool is_hlsl() const { return is_hlsl_; }

 private:
  void parse();
  void note(const Instruction& instruction);
  void note_decoration(const Instruction& instruction);
  void build_functions();
  void take_lines(Instruction& instruction, SourceLocation& current);
  const char* keep(std::string text);

  std::vector<std::uint32_t> words_;
  std::string file_;
  std::vector<Instruction> instructions_;
  std::vector<const Instruction*> by_id_;
  std::unordered_map<Id, Decorations> decorations_;
  std::unordered_map<std::uint64_t, Decorations> member_decorations_;
  std::unordered_map<Id, std::string> names_;
  std::unordered_map<std::uint64_t, std::string> member_names_;
  std::unordered_map<Id, std::string> strings_;
  std::unordered_map<Id, std::string> sets_;
  std::unordered_map<std::string, const char*> files_;  ///< interned: the lock is taken once a file
  std::vector<const Instruction*> globals_;
  std::unordered_map<Id, Function> functions_;
  std::vector<EntryPoint> entry_points_;
  std::vector<const Instruction*> modes_;
  std::vector<spv::Capability> capabilities_;
  bool is_hlsl_ = false;
  std::unordered_map<Id, Id> debug_source_file_;
};

/// Throws Error: what is wrong with the module, and where.
[[noreturn]] void fail_at(const SourceLocation& where, const std::string& what);
[[noreturn]] void fail_at(const Instruction& instruction, const std::string& what);

}  // namespace lockstep::spirv
