#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "shader/ir/ir.hpp"
#include "shader/lower/float_controls.hpp"

/// \file
/// The common part of all instruction families: building IR.

namespace lockstep::spirv {

/// The IR being made, and what each id of the module stands for.
class Builder {
 public:
  /// The target of a pointer.
  struct Pointer {
    /// An index that must be below the number of elements of its array, vector or matrix.
    struct Index {
      Reg index = no_reg;
      std::uint64_t extent = 0;
    };
    enum class Kind { variable, memory, address, image, sampler };
    Kind kind = Kind::memory;
    PointerKind pointer = PointerKind::resource;  ///< address: what its value is
    Id type = 0;                                  ///< of the target
    MatrixLayout matrix;
    Id variable = 0;          ///< variable: its id
    std::uint32_t first = 0;  ///< variable: its components in pool_
    std::uint32_t count = 0;
    std::uint32_t resource = 0;  ///< memory
    std::uint64_t offset = 0;    ///< constant part: components of a variable, otherwise bytes
    Reg index = no_reg;          ///< memory: times stride; variable: in components; address: itself
    std::uint32_t stride = 1;
    std::uint32_t vector_stride = 0;      ///< bytes between components of a row-major column
    std::uint32_t elements = 0;           ///< of a descriptor array without an index so far
    Reg element = no_reg;                 ///< image: the element of an array, if not constant
    std::uint32_t choices = 0;            ///< image: elements of that array
    std::uint32_t sampler = no_resource;  ///< sampler, or image that has one
    Reg sampler_element = no_reg;         ///< the same for it
    std::uint32_t sampler_choices = 0;
    bool read_only = false;
    std::optional<Scope> coherent;  ///< accesses become available or visible there
    bool is_volatile = false;
    std::vector<Index> indices;     ///< those that can leave what they are an index of
    std::uint32_t alignment = 0;    ///< of accesses: what they say, or 0
    bool same_in_subgroup = false;  ///< variable: it is said to be
  };
  /// What an id stands for.
  struct Value {
    std::uint32_t first = 0, count = 0;  ///< components in pool_
    int pointer = -1;                    ///< in pointers_
    bool known = false;
  };
  explicit Builder(const Module& module)
      : module_(module), types_(module), values_(module.bound()) {}

  const Module& module() const { return module_; }
  Types& types() { return types_; }
  Ir& ir() { return ir_; }
  /// The registers of all values and variables.
  std::vector<Reg>& pool() { return pool_; }
  /// The source line being lowered.
  const SourceLocation& where() const { return where_; }
  void set_where(const SourceLocation& where) { where_ = where; }
  /// How precise the operations being made are to be.
  void set_precision(bool precise, bool relaxed) {
    precise_ = precise;
    relaxed_ = relaxed;
  }
  /// What the entry point's modes promise, and which of that the instruction being lowered obeys.
  void set_float_modes(const FloatModes& modes) { modes_ = modes; }
  void set_obeyed(const FloatControls& obeyed) { obeyed_ = obeyed; }

  // ---- Values of ids ----

  /// An id's components; fail if it has none.
  std::span<const Reg> regs(Id id);
  /// The same, as a copy: valid while operations are added.
  std::vector<Reg> components(Id id) {
    const auto all = regs(id);
    return {all.begin(), all.end()};
  }
  Reg scalar(Id id);
  Reg scalar_of(const Instruction& i, std::size_t operand) { return scalar(i[operand]); }
  bool is_known(Id id) const { return id < values_.size() && values_[id].known; }
  bool is_pointer(Id id) const { return is_known(id) && values_[id].pointer >= 0; }
  void define(Id id, std::span<const Reg> components);
  void define(Id id, Reg component) { define(id, std::span<const Reg>(&component, 1)); }
  void define_pointer(Id id, const Pointer& pointer);
  /// What an id stands for that is_pointer().
  const Pointer& known_pointer(Id id) const {
    return pointers_[static_cast<std::size_t>(values_[id].pointer)];
  }
  /// Remembers the registers under the name that the id has in the source, if it has one.
  void name_variable(Id id, std::span<const Reg> components, const Type& type);
  void name_result(Id id);
  /// Makes the second id stand for what the first does.
  void define_same(Id id, Id other);
  /// Throws Error unless the instruction's value has its declared type, which later instructions rely on.
  void check_result(const Instruction& i);
  const Type& type_of(Id id);

  // ---- Registers ----

  Reg new_reg(Scalar type);
  Scalar scalar_type(Reg reg) const { return ir_.regs[reg].type; }
  Reg constant(Scalar type, std::uint64_t value);
  /// A constant that the program must not rely on: OpUndef's zero, or what follows from it.
  Reg undefined(Scalar type, std::uint64_t value);
  /// A condition for select where the implementation chooses: ours takes the first of the two.
  Reg open_condition();
  bool is_constant(Reg reg) const { return ir_.regs[reg].constant; }
  std::uint64_t constant_bits(Id id);
  std::vector<Reg> null_value(const Type& type);
  std::vector<Reg> undefined_value(const Type& type);

  // ---- Operations ----

  Op& emit(Code code, Scalar type, RegList dst, RegList src, Detail detail = {});
  /// The result of an operation without side effects; folded if all operands are constants.
  Reg pure(Code code, Scalar type, Scalar result, std::initializer_list<Reg> src,
           Scalar from = Scalar::u32, Detail detail = {});
  /// Whether the current instruction flushes denormals of that type.
  bool flushes(Scalar type) const;
  /// The number itself, or zero if it is a denormal and the current instruction flushes denormals of its type.
  Reg flushed(Reg reg);
  /// The number as a 32-bit index.
  Reg as_u32(Reg reg);
  void move(Reg variable, Reg value);
  std::vector<Reg> select_components(Reg condition, std::span<const Reg> a, std::span<const Reg> b);
  /// Throws Error at the instruction being lowered.
  [[noreturn]] void fail(const std::string& what) const { fail_at(where_, what); }
  [[noreturn]] void unsupported(const Instruction& i, const std::string& why = "");

 private:
  /// The same as pure, with denormals.
  Reg plain(Code code, Scalar type, Scalar result, std::vector<Reg> src, Scalar from,
            Detail detail);
  bool is_undefined(const Op& op) const;
  void stamp(Op& op) const;
  /// Whether components have the types of a type's, one by one.
  bool are_of(std::span<const Reg> components, const Type& type) const;
  /// Throws Error unless the operation's operands have the types that it needs.
  void check(const Op& op, std::optional<Scalar> result = {}) const;

  const Module& module_;
  Types types_;
  Ir ir_;
  std::vector<Reg> pool_;
  std::vector<Pointer> pointers_;
  std::vector<Value> values_;
  SourceLocation where_;
  bool precise_ = false, relaxed_ = false;
  FloatModes modes_;
  FloatControls obeyed_;
  std::map<std::pair<Scalar, std::uint64_t>, Reg> constants_;
  std::map<std::pair<Scalar, std::uint64_t>, Reg> undefined_;
  Reg open_ = no_reg;
  std::set<Reg> flushed_;  ///< that are not denormal
};

}  // namespace lockstep::spirv
