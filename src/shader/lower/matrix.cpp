#include "shader/lower/matrix.hpp"

#include <utility>

#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"

/// \file
/// Products of vectors and matrices.

namespace lockstep::spirv {

Reg dot(Builder& b, std::span<const Reg> left, std::span<const Reg> right, Scalar type) {
  if (left.size() != right.size() || left.empty()) b.fail("operands of unequal sizes");
  Reg sum = b.pure(Code::mul, type, type, {left[0], right[0]});
  for (std::size_t k = 1; k < left.size(); ++k)
    sum = b.pure(Code::add, type, type, {sum, b.pure(Code::mul, type, type, {left[k], right[k]})});
  return sum;
}

std::vector<Reg> determinant_parts(Builder& b, std::span<const Reg> matrix, std::size_t n,
                                   Scalar type) {
  const std::vector<Reg> m(matrix.begin(), matrix.end());
  const auto times = [&](Reg left, Reg right) {
    return b.pure(Code::mul, type, type, {left, right});
  };
  const auto minus = [&](Reg left, Reg right) {
    return b.pure(Code::sub, type, type, {left, right});
  };
  const auto plus = [&](Reg left, Reg right) {
    return b.pure(Code::add, type, type, {left, right});
  };
  // The determinant of the remaining rows and columns, expanded along the first of its columns.
  const auto minor = [&](auto&& self, std::vector<std::size_t> rows,
                         std::vector<std::size_t> columns) -> Reg {
    if (rows.size() == 1) return m[columns[0] * n + rows[0]];
    if (rows.size() == 2)
      return minus(times(m[columns[0] * n + rows[0]], m[columns[1] * n + rows[1]]),
                   times(m[columns[1] * n + rows[0]], m[columns[0] * n + rows[1]]));
    const std::vector<std::size_t> others(columns.begin() + 1, columns.end());
    Reg sum = no_reg;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      std::vector<std::size_t> rest = rows;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
      const Reg term = times(m[columns[0] * n + rows[k]], self(self, rest, others));
      sum = k == 0 ? term : k % 2 == 1 ? minus(sum, term) : plus(sum, term);
    }
    return sum;
  };
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < n; ++k) all.push_back(k);
  const auto without = [&](std::size_t gone) {
    std::vector<std::size_t> rest = all;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(gone));
    return rest;
  };
  std::vector<Reg> out{minor(minor, all, all)};
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t r = 0; r < n; ++r) {
      const Reg part = minor(minor, without(c), without(r));
      out.push_back((r + c) % 2 == 0 ? part : b.pure(Code::neg, type, type, {part}));
    }
  }
  return out;
}

namespace {

/// The columns of m, each times a component of v, added from the first to the last.
std::vector<Reg> matrix_times_vector(Builder& b, std::span<const Reg> m, std::span<const Reg> v,
                                     std::size_t rows, Scalar type) {
  if (m.size() != rows * v.size()) b.fail("operands of unequal sizes");
  std::vector<Reg> out;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<Reg> row;
    for (std::size_t c = 0; c < v.size(); ++c) row.push_back(m[c * rows + r]);
    out.push_back(dot(b, row, v, type));
  }
  return out;
}

std::size_t rows_of(Lowering& l, const Instruction& i, std::size_t operand) {
  const Type& type = l.type_of(i[operand]);
  if (type.kind != Type::Kind::matrix) fail_at(i, "needs a matrix");
  return static_cast<std::size_t>(l.types()[type.element].count);
}
Scalar result_scalar(Lowering& l, const Instruction& i) { return l.types()[i.type].scalar; }

void lower_times_scalar(Lowering& l, const Instruction& i) {
  const Reg factor = l.scalar_of(i, 1);
  std::vector<Reg> out;
  for (const Reg r : l.components(i[0]))
    out.push_back(l.pure(Code::mul, l.scalar_type(r), l.scalar_type(r), {r, factor}));
  l.define(i.result, out);
}

void lower_dot(Lowering& l, const Instruction& i) {
  l.define(i.result, dot(l, l.components(i[0]), l.components(i[1]), result_scalar(l, i)));
}

void lower_matrix_times_vector(Lowering& l, const Instruction& i) {
  l.define(i.result, matrix_times_vector(l, l.components(i[0]), l.components(i[1]),
                                         rows_of(l, i, 0), result_scalar(l, i)));
}

void lower_vector_times_matrix(Lowering& l, const Instruction& i) {
  const std::size_t rows = rows_of(l, i, 1);
  const std::vector<Reg> v = l.components(i[0]), m = l.components(i[1]);
  std::vector<Reg> out;
  for (std::size_t c = 0; c < m.size() / rows; ++c)
    out.push_back(dot(l, v, std::span(m).subspan(c * rows, rows), result_scalar(l, i)));
  l.define(i.result, out);
}

void lower_matrix_times_matrix(Lowering& l, const Instruction& i) {
  const std::size_t rows = rows_of(l, i, 0), inner = rows_of(l, i, 1);
  const std::vector<Reg> a = l.components(i[0]), b = l.components(i[1]);
  std::vector<Reg> out;
  for (std::size_t c = 0; c < b.size() / inner; ++c) {
    const auto column = matrix_times_vector(l, a, std::span(b).subspan(c * inner, inner), rows,
                                            result_scalar(l, i));
    out.insert(out.end(), column.begin(), column.end());
  }
  l.define(i.result, out);
}

void lower_outer_product(Lowering& l, const Instruction& i) {
  const Scalar type = result_scalar(l, i);
  const std::vector<Reg> rows = l.components(i[0]);
  std::vector<Reg> out;
  for (const Reg c : l.components(i[1])) {
    for (const Reg r : rows) out.push_back(l.pure(Code::mul, type, type, {r, c}));
  }
  l.define(i.result, out);
}

void lower_transpose(Lowering& l, const Instruction& i) {
  const std::size_t rows = rows_of(l, i, 0);
  const std::vector<Reg> m = l.components(i[0]);
  std::vector<Reg> out;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < m.size() / rows; ++c) out.push_back(m[c * rows + r]);
  }
  l.define(i.result, out);
}

/// Products of small integers, added in the result's width.
struct IntegerDot {
  spv::Op opcode;
  bool left_signed = false, right_signed = false, accumulates = false;
};
constexpr IntegerDot integer_dots[] = {
    {spv::Op::OpSDot, true, true},
    {spv::Op::OpUDot},
    {spv::Op::OpSUDot, true, false},
    {spv::Op::OpSDotAccSat, true, true, true},
    {spv::Op::OpUDotAccSat, false, false, true},
    {spv::Op::OpSUDotAccSat, true, false, true},
};

/// The operand's components in the result's width; one number of 32 bits is four of 8.
std::vector<Reg> widened(Lowering& l, Id operand, bool is_signed, Scalar result) {
  std::vector<Reg> parts = l.components(operand);
  if (parts.size() == 1 && size_of(l.scalar_type(parts[0])) == 4) {
    const Reg packed = parts[0];
    parts.clear();
    for (std::uint32_t piece = 0; piece < 4; ++piece)
      parts.push_back(
          l.pure(Code::extract_piece, Scalar::u8, Scalar::u8, {packed}, Scalar::u32, Piece{piece}));
  }
  for (Reg& r : parts)
    r = l.pure(Code::convert, result, result, {r}, with_sign(l.scalar_type(r), is_signed));
  return parts;
}

void lower_integer_dot(Lowering& l, const Instruction& i) {
  const IntegerDot& rule = rule_of(integer_dots, i.opcode);
  const Scalar result = with_sign(result_scalar(l, i), rule.left_signed);
  const std::vector<Reg> a = widened(l, i[0], rule.left_signed, result);
  const std::vector<Reg> b = widened(l, i[1], rule.right_signed, result);
  Reg sum = dot(l, a, b, result);
  if (rule.accumulates) sum = l.pure(Code::add_sat, result, result, {sum, l.scalar_of(i, 2)});
  l.define(i.result, sum);
}

}  // namespace

void add_matrices(OpcodeTable& table) {
  constexpr std::pair<spv::Op, OpcodeTable::Handler> handlers[] = {
      {spv::Op::OpVectorTimesScalar, lower_times_scalar},
      {spv::Op::OpMatrixTimesScalar, lower_times_scalar},
      {spv::Op::OpDot, lower_dot},
      {spv::Op::OpMatrixTimesVector, lower_matrix_times_vector},
      {spv::Op::OpVectorTimesMatrix, lower_vector_times_matrix},
      {spv::Op::OpMatrixTimesMatrix, lower_matrix_times_matrix},
      {spv::Op::OpOuterProduct, lower_outer_product},
      {spv::Op::OpTranspose, lower_transpose},
  };
  for (const auto& [opcode, handler] : handlers) table.add(opcode, handler);
  for (const IntegerDot& rule : integer_dots) table.add(rule.opcode, lower_integer_dot);
}

}  // namespace lockstep::spirv
