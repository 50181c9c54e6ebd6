#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>

#include <lockstep/subgroup/spec.hpp>

#include "shader/ir/ir.hpp"

/// \file
/// The table of built-ins (lockstep/subgroup/built_ins.hpp) as the engine reads it: the row of an operation.

namespace lockstep::spirv {

/// The columns of a row that only the engine has.
struct BuiltInRow {
  Code code;
  std::optional<Operator> op;
};

namespace row_operator {
inline constexpr std::optional<Operator> none = std::nullopt, add = Operator::add,
                                         mul = Operator::mul, min = Operator::min,
                                         max = Operator::max, band = Operator::band,
                                         bor = Operator::bor, bxor = Operator::bxor;
}  // namespace row_operator

/// In the order of spec::Name.
inline constexpr BuiltInRow built_in_rows[] = {
#define LOCKSTEP_ROW(name, family, types, operation, op, ...) {Code::operation, row_operator::op},
    LOCKSTEP_BUILT_INS(LOCKSTEP_ROW, LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
};
constexpr const BuiltInRow& row_of(spec::Name name) {
  return built_in_rows[static_cast<std::size_t>(name)];
}

/// The first row of an operation; further ones are other names for it. The direction is that of a quad swap.
constexpr spec::Name name_of(Code code, std::optional<Operator> op = {}, int direction = 0) {
  for (std::size_t k = 0; k < std::size(built_in_rows); ++k) {
    const auto name = static_cast<spec::Name>(k);
    const spec::Operand& operand = spec::function(name).operand;
    if (row_of(name).code == code && row_of(name).op == op &&
        (operand.kind != spec::Operand::Kind::direction || operand.number == direction))
      return name;
  }
  throw std::logic_error("an operation without a row in the table of built-ins");
}
inline spec::Name name_of(const Op& op) {
  if (const auto* reduction = std::get_if<Reduction>(&op.detail))
    return name_of(op.code, reduction->op);
  const auto* quad = std::get_if<Quad>(&op.detail);
  return name_of(op.code, {}, quad != nullptr ? static_cast<int>(quad->direction) : 0);
}

/// Whether it is not only another name for an operation.
constexpr bool is_first_of_operation(spec::Name name) {
  return name_of(row_of(name).code, row_of(name).op, spec::function(name).operand.number) == name;
}

/// How many results an operation gives: the same in all rows that it has.
constexpr spec::Result result_of(Code code) {
  for (std::size_t k = 0; k < std::size(built_in_rows); ++k)
    if (built_in_rows[k].code == code) return spec::function(static_cast<spec::Name>(k)).result;
  return spec::Result::each;
}

}  // namespace lockstep::spirv
