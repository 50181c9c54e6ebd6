#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include <lockstep/spirv/spec_constant.hpp>

#include "spirv/ir/ir.hpp"

/// \file
/// From a module to the operations of one entry point.

namespace lockstep::spirv {

/// What the caller of a shader chooses before it is lowered.
struct LowerOptions {
  std::string entry = "main";
  std::map<std::uint32_t, SpecConstant> spec_constants;  ///< by SpecId
};

/// Makes the IR of an entry point. Throws Error for what is not supported: which opcode, and where.
Ir lower(const Module& module, const LowerOptions& options);

/// Lowers one entry point.
class Lowering {
 public:
  Lowering(const Module& module, const LowerOptions& options);
  Ir run();

 private:
  /// Where a pointer points to.
  struct Pointer {
    enum class Kind { variable, memory, address, image, sampler };
    Kind kind = Kind::memory;
    Id type = 0;  ///< of what it points to
    MatrixLayout matrix;
    std::uint32_t first = 0;  ///< variable: its components in pool_
    std::uint32_t count = 0;
    std::uint32_t resource = 0;  ///< memory
    std::uint64_t offset = 0;    ///< constant part: components of a variable, otherwise bytes
    Reg index = no_reg;          ///< memory: times stride; variable: in components; address: itself
    std::uint32_t stride = 1;
    std::uint32_t vector_stride = 0;  ///< bytes between components of a row-major column
    std::uint32_t elements = 0;       ///< of a descriptor array that no index has chosen from yet
    Reg element = no_reg;             ///< image: which of an array, where that is not constant
    std::uint32_t choices = 0;        ///< image: elements of that array
    std::uint32_t sampler = no_resource;  ///< sampler, or image that has one
    Reg sampler_element = no_reg;         ///< the same for it
    std::uint32_t sampler_choices = 0;
    bool read_only = false;
  };
  /// What an id stands for.
  struct Value {
    std::uint32_t first = 0, count = 0;  ///< components in pool_
    int pointer = -1;                    ///< in pointers_
    bool known = false;
  };
  /// A construct that the block being lowered is in.
  struct Construct {
    enum class Kind { selection, loop, switch_statement };
    Kind kind = Kind::selection;
    Id merge = 0;
    std::uint32_t number = 0;
    Id header = 0;           ///< of a loop
    Id continue_target = 0;  ///< of a loop
    Id test = 0;             ///< of a loop: the block that decides on the next trip at its top
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
  std::uint64_t constant_bits(Id id);
  std::vector<Reg> null_value(const Type& type);
  std::vector<Reg> undefined_value(const Type& type);

  // Values and operations.
  std::span<const Reg> regs(Id id);
  Reg scalar(Id id);
  Reg scalar_of(const Instruction& i, std::size_t operand) { return scalar(i[operand]); }
  void define(Id id, std::span<const Reg> components);
  void define(Id id, Reg component) { define(id, std::span<const Reg>(&component, 1)); }
  void define_pointer(Id id, const Pointer& pointer);
  const Type& type_of(Id id);
  Reg new_reg(Scalar type);
  Reg constant(Scalar type, std::uint64_t value);
  Reg undefined(Scalar type, std::uint64_t value);
  bool is_undefined(const Op& op) const;
  bool is_constant(Reg reg) const { return ir_.regs[reg].constant; }
  Op& emit(Code code, Scalar type, std::vector<Reg> dst, std::vector<Reg> src, Detail detail = {});
  Reg pure(Code code, Scalar type, Scalar result, std::initializer_list<Reg> src,
           Scalar from = Scalar::u32, Detail detail = {});
  Reg as_u32(Reg reg);
  void move(Reg variable, Reg value);
  [[noreturn]] void unsupported(const Instruction& i, const std::string& why = "");

  // flow.cpp
  void lower_entry(Id function);
  void call_function(const Instruction& i);
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
  void check_result(const Instruction& i);
  bool lower_memory(const Instruction& i);
  bool lower_composite(const Instruction& i);
  bool lower_conversion(const Instruction& i);
  bool lower_arithmetic(const Instruction& i);
  bool lower_matrix(const Instruction& i);
  bool lower_dot_product(const Instruction& i);
  bool lower_subgroup(const Instruction& i);
  bool lower_atomic(const Instruction& i);
  bool lower_image(const Instruction& i);
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
  bool lower_sampling(const Instruction& i);
  bool lower_sampled_query(const Instruction& i);
  void lower_extended(const Instruction& i);
  void lower_glsl(const Instruction& i);
  void lower_print(const Instruction& i);

  // values.cpp
  void component_wise(const Instruction& i, Code code, bool as_signed, bool as_unsigned);
  void compare(const Instruction& i, Code code, bool as_signed, bool swap, bool negate,
               bool unordered);
  void bitcast(const Instruction& i);
  void convert(const Instruction& i, bool from_signed, bool to_signed);
  Reg dot(std::span<const Reg> a, std::span<const Reg> b, Scalar type);
  std::vector<Reg> matrix_times_vector(std::span<const Reg> m, std::span<const Reg> v,
                                       std::size_t rows, Scalar type);
  std::vector<Reg> determinant_parts(std::span<const Reg> m, std::size_t n, Scalar type);
  std::vector<Reg> select_components(Reg condition, std::span<const Reg> a, std::span<const Reg> b);

  // memory.cpp
  Pointer pointer(Id id);
  void access_chain(const Instruction& i, std::size_t first_index, bool element_first);
  Reg descriptor_address(std::uint32_t resource, std::uint32_t elements, Reg element);
  void step_into(Pointer& p, Id index, const Instruction& i);
  void step_variable(Pointer& p, const Type& type, Reg index, const Instruction& i);
  void add_index(Pointer& p, Reg index, std::uint64_t stride, std::uint64_t limit);
  std::vector<Reg> load(const Pointer& p, const Instruction& i);
  void store(const Pointer& p, std::span<const Reg> value, const Instruction& i);
  Reg address(const Pointer& p, const Instruction& i);
  Reg byte_index(Pointer& p);
  void atomic(const Instruction& i, Operator op, Scalar type, std::vector<Reg> values);

  const Module& module_;
  const LowerOptions& options_;
  Types types_;
  Ir ir_;
  std::vector<Reg> pool_;
  std::vector<Pointer> pointers_;
  std::vector<Value> values_;
  std::map<std::pair<Scalar, std::uint64_t>, Reg> constants_;
  std::map<std::pair<Scalar, std::uint64_t>, Reg> undefined_;  ///< constants that depend on OpUndef
  std::vector<Construct> constructs_;
  std::vector<Activation> activations_;
  SourceLocation where_;
  std::optional<std::uint32_t> workgroup_block_;
  bool has_workgroup_size_ = false;  ///< a constant with that decoration, which wins over LocalSize
  std::map<std::uint32_t, std::uint32_t> indexed_;  ///< first component in pool_ to IndexedVariable
};

}  // namespace lockstep::spirv
