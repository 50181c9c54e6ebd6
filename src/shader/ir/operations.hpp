#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "shader/ir/ir.hpp"

/// \file
/// The table of operations (operations.def.hpp) as values: the row of an operation.

namespace lockstep::spirv {

/// An operand of an operation, or its result.
struct Operand {
  enum class Kind : std::uint8_t {
    type,          ///< Op::type
    real_type,     ///< Op::type, which is a float
    integer_type,  ///< Op::type, which is an integer
    from,          ///< Op::from
    integer,       ///< an integer of any type
    fixed,         ///< `scalar`
    anything,      ///< not checked
  };
  enum class Number : std::uint8_t {
    one,
    optional,  ///< may be missing
    or_none,   ///< may be no_reg
    rest,      ///< any number of them
  };
  Kind kind = Kind::anything;
  Number number = Number::one;
  Scalar scalar = Scalar::u32;
};

/// The operands of an operation, in order.
struct OperandList {
  std::array<Operand, 6> each = {};
  std::size_t count = 0;
};

/// The numbers that an operation computes with, and where its function Compute<code> is. Wrapping: signed and unsigned
/// integers have the same bits.
enum class Numbers : std::uint8_t {
  any,               ///< it only moves bits (exec/ops/bits.cpp)
  number,            ///< integers and floats (exec/ops/compute.hpp)
  wrapping_number,   ///< the same
  integer,           ///< exec/ops/integer.cpp
  wrapping_integer,  ///< exec/ops/compute.hpp
  real,              ///< floats (exec/ops/float.cpp)
  real_function,     ///< the same (exec/ops/function.cpp)
  function,          ///< floats of 16 and 32 bits (exec/ops/function.cpp)
  packing,           ///< floats and words of 32 bits (exec/ops/function.cpp)
  own,               ///< its function is found in another way (exec/ops/find.cpp)
};

/// Whether devices may give other results than the reference.
enum class Precision : std::uint8_t {
  passes_on,  ///< the bits of an operand
  exact,      ///< the same number everywhere, though a float may be one that was flushed to zero
  converts,   ///< exact, of a float or to one
  of_bits,    ///< an integer or bool that depends on a float
  rounds,     ///< as exactly as Vulkan says; on integers exact
};

/// Whether an operation on 32-bit numbers is a few machine instructions.
enum class Cost : std::uint8_t {
  cheap,
  cheap_by_power,    ///< for unsigned numbers, by a constant power of two
  cheap_if_uniform,  ///< with a uniform result
  costly,
};

/// Which operand can decide the result alone, whatever the others are.
enum class Decides : std::uint8_t {
  no_operand,
  condition,  ///< the first one chooses one of the others
  zero,       ///< of an integer, or false
  truth,      ///< of bools
};

/// Whether results are uniform, without diverged tangles.
enum class Uniform : std::uint8_t {
  of_operands,  ///< if the operands are
  differs,      ///< never known to be, or found by other means
};

/// Whether the tangled machine tells observers of the operation itself, besides its line.
enum class Notice : std::uint8_t { told, silent };

/// What the table says about an operation.
struct Operation {
  const char* name = "";           ///< Code's
  const char* text = "";           ///< of component-wise operations
  Numbers numbers = Numbers::own;  ///< of component-wise operations
  OperandList operands = {};
  Operand result = {};
  Decides decided = Decides::no_operand;
  Precision precision = Precision::exact;
  Cost cost = Cost::costly;
  Uniform uniformity = Uniform::differs;
  Notice event = Notice::silent;
};

namespace operation_row {

// The words of the columns `operands` and `result`.
constexpr Operand fixed(Scalar scalar) {
  return {Operand::Kind::fixed, Operand::Number::one, scalar};
}
inline constexpr Operand type{Operand::Kind::type}, real{Operand::Kind::real_type},
    integer_type{Operand::Kind::integer_type}, from{Operand::Kind::from},
    integer{Operand::Kind::integer}, anything{Operand::Kind::anything, Operand::Number::rest},
    nothing{}, boolean = fixed(Scalar::boolean), i32 = fixed(Scalar::i32), u32 = fixed(Scalar::u32),
               u64 = fixed(Scalar::u64), f32 = fixed(Scalar::f32);
constexpr Operand optional(Operand operand) {
  operand.number = Operand::Number::optional;
  return operand;
}
constexpr Operand or_none(Operand operand) {
  operand.number = Operand::Number::or_none;
  return operand;
}
constexpr Operand rest(Operand operand) {
  operand.number = Operand::Number::rest;
  return operand;
}
template <class... O>
constexpr OperandList takes(O... operands) {
  return {{operands...}, sizeof...(O)};
}

// clang-format off
inline constexpr Operation all[] = {
#define LOCKSTEP_ROW(code, text, instructions, numbers, operands, result, undefined, decided, precision, bounds, cost) \
  {#code, text, Numbers::numbers, operands, result, Decides::decided, Precision::precision, Cost::cost, Uniform::of_operands, Notice::silent},
    LOCKSTEP_PURE_OPERATIONS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
#define LOCKSTEP_ROW(code, operands, result, uniformity, undefined, bounds, event, instruction) \
  {#code, "", Numbers::own, operands, result, Decides::no_operand, Precision::exact, Cost::costly, Uniform::uniformity, Notice::event},
    LOCKSTEP_EFFECTS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
// What there is to know of subgroup operations is in their own table (ir/built_ins.hpp).
#define LOCKSTEP_ROW(name, family, types, operation, ...) \
  {#operation, "", Numbers::own, takes(anything), anything, Decides::no_operand, Precision::exact, Cost::costly, Uniform::differs, Notice::told},
#define LOCKSTEP_SAME_OPERATION(...)
    LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_SAME_OPERATION)
#undef LOCKSTEP_SAME_OPERATION
#undef LOCKSTEP_ROW
#define LOCKSTEP_ROW(code, operands, undefined) {#code, "", Numbers::own, operands, nothing},
    LOCKSTEP_FLOW(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
};
// clang-format on

}  // namespace operation_row

/// The row of an operation.
constexpr const Operation& operation_of(Code code) {
  return operation_row::all[static_cast<std::size_t>(code)];
}
static_assert(std::string_view(operation_of(Code::end).name) == "end");

/// Whether a value of an operand, whose lanes all have it, can decide the result of this operation alone.
constexpr bool can_decide(const Op& op) {
  const Decides decided = operation_of(op.code).decided;
  return decided == Decides::truth ? op.type == Scalar::boolean
                                   : decided == Decides::zero && !is_float(op.type);
}

}  // namespace lockstep::spirv
