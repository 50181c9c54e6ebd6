#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include <lockstep/spirv/spec_constant.hpp>

#include "spirv/lower/builder.hpp"

/// \file
/// From a module to the operations of one entry point.

namespace lockstep::spirv {

/// Choices of a shader's caller before lowering.
struct LowerOptions {
  std::string entry = "main";
  std::map<std::uint32_t, SpecConstant> spec_constants = {};  ///< by SpecId
};

/// Makes the IR of an entry point. Throws Error for anything unsupported: which opcode, and where.
Ir lower(const Module& module, const LowerOptions& options);

/// Lowers one entry point: its variables, pointers and control flow. The other instruction families
/// are functions in the table of opcodes (opcode_table.hpp).
class Lowering : public Builder {
 public:
  Lowering(const Module& module, const LowerOptions& options);
  Ir run();

  Pointer pointer(Id id);
  /// The pointer as a value: a resource pointer, or a device address if it came from one.
  Reg address(const Pointer& p, const Instruction& i);
  Reg address_of(Id id, const Instruction& i) { return address(pointer(id), i); }
  void store(const Pointer& p, std::span<const Reg> value, const Instruction& i);

  // Handlers of instructions; they return false for unsupported ones.
  bool lower_memory(const Instruction& i);
  bool lower_image(const Instruction& i);
  bool lower_sampling(const Instruction& i);
  bool lower_sampled_query(const Instruction& i);
  void call_function(const Instruction& i);

 private:
  /// A construct around the block being lowered.
  struct Construct {
    enum class Kind { selection, loop, switch_statement };
    Kind kind = Kind::selection;
    Id merge = 0;
    std::uint32_t number = 0;
    Id header = 0;           ///< of a loop
    Id continue_target = 0;  ///< of a loop
    Id test = 0;  ///< of a loop: the block that decides at its top about the next iteration
    bool test_last = false;  ///< of a loop: the back edge is conditional
    bool in_continue = false;
    Id next_case = 0;  ///< of a switch
    std::vector<Id> cases;
  };
  /// A function while it is being inlined.
  struct Activation {
    const Function* function = nullptr;
    std::vector<Reg> result;
    std::size_t constructs = 0;  ///< of callers
    std::vector<bool> done;      ///< blocks lowered
  };

  // lower.cpp
  void lower_globals();
  void lower_type_or_constant(const Instruction& i);
  void lower_constant(const Instruction& i);
  void workgroup_size_constant(const Instruction& i);
  void lower_variable(const Instruction& i);
  void buffer_variable(const Instruction& i, const Type& pointee, spv::StorageClass storage);
  void workgroup_variable(const Instruction& i, const Type& pointee);
  void built_in_variable(const Instruction& i, const Type& pointee);
  void register_variable(const Instruction& i, const Type& pointee);
  std::uint64_t descriptors(const Instruction& i, const Type& type);
  void add_resources(const Instruction& i, ResourceUse use, std::uint64_t count);
  void image_variable(const Instruction& i, const Type& pointee);
  void find_local_size(Id entry);
  std::uint64_t specialized(const Instruction& i, Scalar type, std::uint64_t bits);

  // flow.cpp
  void lower_entry(Id function);
  void lower_body(const Function& function, std::vector<Reg> result);
  void region(Id block);
  bool lower_block(Id& id);
  bool follow_terminator(const Block& block, Id& next);
  bool is_exit(Id target) const;
  bool leaves(Id target, Id from);
  void phi_moves(Id target, Id from);
  void selection(const Block& block);
  void loop(const Block& block);
  void find_test(Construct& loop, const Block& header) const;
  bool conditional_branch(const Block& block, Id& next);
  void leave_by_test(const Block& block, Id merge);
  std::vector<Id> successors(const Block& block);
  Id falls_through_to(Id from);
  std::vector<Id> order_of_cases();
  void switch_statement(const Block& block);
  void return_from(const Block& block);
  std::uint32_t new_construct() { return ir_.constructs++; }
  void flow(Code code, Detail detail = {}, std::vector<Reg> src = {});
  const Function& function() const { return *activations_.back().function; }

  void lower_instruction(const Instruction& i);
  void emit_image(Code code, Scalar type, std::vector<Reg> dst, std::vector<Reg> src,
                  const Pointer& image);
  Reg texel(const Pointer& image, Id coordinates, const Instruction& i,
            std::span<const Reg> offset = {});
  Reg fetched_texel(const Pointer& image, const Instruction& i);
  void check_texel(Scalar type, const Instruction& i);

  // sample.cpp
  struct ImageOperands {
    std::vector<Reg> lod, gradients, offsets;
  };
  void sampler_variable(const Instruction& i, const Type& pointee, Pointer& p);
  ImageOperands image_operands(const Instruction& i, std::size_t at, std::uint32_t known);

  // memory.cpp
  void access_chain(const Instruction& i, std::size_t first_index, bool element_first);
  Reg descriptor_pointer(std::uint32_t resource, std::uint32_t elements, Reg element);
  void step_into(Pointer& p, Id index, const Instruction& i);
  void step_variable(Pointer& p, const Type& type, Reg index, const Instruction& i);
  void add_index(Pointer& p, Reg index, std::uint64_t stride, std::uint64_t limit);
  std::vector<Reg> load(const Pointer& p, const Instruction& i);
  Reg byte_index(Pointer& p);

  const LowerOptions& options_;
  std::vector<Construct> constructs_;
  std::vector<Activation> activations_;
  std::optional<std::uint32_t> workgroup_block_;
  bool has_workgroup_size_ = false;  ///< a constant with that decoration, which wins over LocalSize
  std::map<std::uint32_t, std::uint32_t> indexed_;  ///< first component in pool_ to IndexedVariable
};

/// A handler that is a member of Lowering and returns whether it supports the instruction.
template <auto member>
void by_member(Lowering& l, const Instruction& i) {
  if (!(l.*member)(i)) l.unsupported(i);
}

}  // namespace lockstep::spirv
