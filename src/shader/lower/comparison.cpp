#include <utility>
#include <vector>

#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"

/// \file
/// Comparisons: all become equal, not_equal, less and less_equal, whose result for NaN is that of C.

namespace lockstep::spirv {
namespace {

constexpr unsigned of_signed = 1,  // integers
    swapped = 2,                   // the operands
    negated = 4,                   // the result: a < b or unordered is not (b <= a)
    ordered = 8,                   // neither operand may be NaN
    all_negated = 16;              // that, too

struct Comparison {
  spv::Op opcode;
  Code code;
  unsigned how = 0;
};

constexpr Comparison comparisons[] = {
    {spv::Op::OpLogicalEqual, Code::equal},
    {spv::Op::OpIEqual, Code::equal},
    {spv::Op::OpINotEqual, Code::not_equal},
    {spv::Op::OpULessThan, Code::less},
    {spv::Op::OpULessThanEqual, Code::less_equal},
    {spv::Op::OpUGreaterThan, Code::less, swapped},
    {spv::Op::OpUGreaterThanEqual, Code::less_equal, swapped},
    {spv::Op::OpSLessThan, Code::less, of_signed},
    {spv::Op::OpSLessThanEqual, Code::less_equal, of_signed},
    {spv::Op::OpSGreaterThan, Code::less, of_signed | swapped},
    {spv::Op::OpSGreaterThanEqual, Code::less_equal, of_signed | swapped},
    {spv::Op::OpFOrdEqual, Code::equal},
    {spv::Op::OpFOrdNotEqual, Code::not_equal, ordered},
    {spv::Op::OpLessOrGreater, Code::not_equal, ordered},
    {spv::Op::OpFOrdLessThan, Code::less},
    {spv::Op::OpFOrdLessThanEqual, Code::less_equal},
    {spv::Op::OpFOrdGreaterThan, Code::less, swapped},
    {spv::Op::OpFOrdGreaterThanEqual, Code::less_equal, swapped},
    // Equal, or unordered: not (ordered and not equal).
    {spv::Op::OpFUnordEqual, Code::not_equal, ordered | all_negated},
    {spv::Op::OpFUnordNotEqual, Code::not_equal},
    {spv::Op::OpFUnordLessThan, Code::less_equal, swapped | negated},
    {spv::Op::OpFUnordLessThanEqual, Code::less, swapped | negated},
    {spv::Op::OpFUnordGreaterThan, Code::less_equal, negated},
    {spv::Op::OpFUnordGreaterThanEqual, Code::less, negated},
};

Reg not_of(Lowering& l, Reg answer) {
  return l.pure(Code::bnot, Scalar::boolean, Scalar::boolean, {answer});
}

void lower_comparison(Lowering& l, const Instruction& i) {
  const Comparison& rule = rule_of(comparisons, i.opcode);
  const std::vector<Reg> left = l.components(i[0]), right = l.components(i[1]);
  if (left.size() != right.size()) fail_at(i, "has operands of unequal sizes");
  std::vector<Reg> out;
  for (std::size_t k = 0; k < left.size(); ++k) {
    Reg a = left[k], b = right[k];
    const Scalar type = with_sign(l.scalar_type(a), (rule.how & of_signed) != 0);
    if ((rule.how & swapped) != 0) std::swap(a, b);
    Reg answer = l.pure(rule.code, type, Scalar::boolean, {a, b});
    if ((rule.how & negated) != 0) answer = not_of(l, answer);
    if ((rule.how & ordered) != 0) {
      for (const Reg r : {a, b}) {
        const Reg number = l.pure(Code::equal, type, Scalar::boolean, {r, r});
        answer = l.pure(Code::band, Scalar::boolean, Scalar::boolean, {answer, number});
      }
    }
    if ((rule.how & all_negated) != 0) answer = not_of(l, answer);
    out.push_back(answer);
  }
  l.define(i.result, out);
}

/// Whether both operands are numbers, or one is NaN.
void lower_orderedness(Lowering& l, const Instruction& i) {
  const bool both = i.opcode == spv::Op::OpOrdered;
  const Code code = both ? Code::equal : Code::not_equal;
  const Code join = both ? Code::band : Code::bor;
  const std::vector<Reg> a = l.components(i[0]), b = l.components(i[1]);
  if (a.size() != b.size()) fail_at(i, "has operands of unequal sizes");
  std::vector<Reg> out;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Scalar type = l.scalar_type(a[k]);
    const Reg left = l.pure(code, type, Scalar::boolean, {a[k], a[k]});
    const Reg right = l.pure(code, type, Scalar::boolean, {b[k], b[k]});
    out.push_back(l.pure(join, Scalar::boolean, Scalar::boolean, {left, right}));
  }
  l.define(i.result, out);
}

}  // namespace

void add_comparisons(OpcodeTable& table) {
  for (const Comparison& rule : comparisons) table.add(rule.opcode, lower_comparison);
  table.add(spv::Op::OpOrdered, lower_orderedness);
  table.add(spv::Op::OpUnordered, lower_orderedness);
}

}  // namespace lockstep::spirv
