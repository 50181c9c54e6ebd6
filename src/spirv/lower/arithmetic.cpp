#include <vector>

#include "spirv/lower/lower.hpp"
#include "spirv/lower/opcode_table.hpp"

/// \file
/// Arithmetic, logic and bits: operations on components.

namespace lockstep::spirv {
namespace {

/// How an operation reads integers.
enum class Signedness { as_is, is_signed, is_unsigned };

struct ComponentWise {
  spv::Op opcode;
  Code code;
  Signedness sign = Signedness::as_is;
};

constexpr ComponentWise component_wise[] = {
    {spv::Op::OpIAdd, Code::add},
    {spv::Op::OpFAdd, Code::add},
    {spv::Op::OpISub, Code::sub},
    {spv::Op::OpFSub, Code::sub},
    {spv::Op::OpIMul, Code::mul},
    {spv::Op::OpFMul, Code::mul},
    {spv::Op::OpFDiv, Code::div},
    {spv::Op::OpSDiv, Code::div, Signedness::is_signed},
    {spv::Op::OpUDiv, Code::div, Signedness::is_unsigned},
    {spv::Op::OpFRem, Code::rem},
    {spv::Op::OpSRem, Code::rem, Signedness::is_signed},
    {spv::Op::OpFMod, Code::mod},
    {spv::Op::OpSMod, Code::mod, Signedness::is_signed},
    {spv::Op::OpUMod, Code::mod, Signedness::is_unsigned},
    {spv::Op::OpSNegate, Code::neg},
    {spv::Op::OpFNegate, Code::neg},
    {spv::Op::OpNot, Code::bnot},
    {spv::Op::OpLogicalNot, Code::bnot},
    {spv::Op::OpBitwiseAnd, Code::band},
    {spv::Op::OpLogicalAnd, Code::band},
    {spv::Op::OpBitwiseOr, Code::bor},
    {spv::Op::OpLogicalOr, Code::bor},
    {spv::Op::OpBitwiseXor, Code::bxor},
    {spv::Op::OpLogicalNotEqual, Code::bxor},
    {spv::Op::OpShiftLeftLogical, Code::shl, Signedness::is_unsigned},
    {spv::Op::OpShiftRightLogical, Code::shr, Signedness::is_unsigned},
    {spv::Op::OpShiftRightArithmetic, Code::shr, Signedness::is_signed},
    {spv::Op::OpBitReverse, Code::bit_reverse, Signedness::is_unsigned},
    {spv::Op::OpIsNan, Code::is_nan},
    {spv::Op::OpIsInf, Code::is_inf},
};

/// One operation per component; all operands have as many components as the result.
void lower_component_wise(Lowering& l, const Instruction& i) {
  const ComponentWise& rule = rule_of(component_wise, i.opcode);
  const Scalar result = l.types()[i.type].scalar;
  const std::vector<Reg> left = l.components(i[0]);
  std::vector<Reg> right;
  if (i.operands.size() > 1) {
    right = l.components(i[1]);
    if (right.size() != left.size()) fail_at(i, "has operands of unequal sizes");
  }
  std::vector<Reg> out;
  for (std::size_t k = 0; k < left.size(); ++k) {
    Scalar type = l.scalar_type(left[k]);
    if (rule.sign != Signedness::as_is) type = with_sign(type, rule.sign == Signedness::is_signed);
    if (right.empty()) {
      out.push_back(l.pure(rule.code, type, result, {left[k]}));
      continue;
    }
    Reg b = right[k];
    // A shift count may have another width than the shifted value.
    if ((rule.code == Code::shl || rule.code == Code::shr) &&
        size_of(l.scalar_type(b)) != size_of(l.scalar_type(left[k])))
      b = l.pure(Code::convert, type, type, {b}, l.scalar_type(b));
    out.push_back(l.pure(rule.code, type, result, {left[k], b}));
  }
  l.define(i.result, out);
}

void lower_bit_count(Lowering& l, const Instruction& i) {
  std::vector<Reg> out;
  const Scalar result = l.types()[i.type].scalar;
  for (const Reg r : l.components(i[0])) {
    const Scalar type = with_sign(l.scalar_type(r), false);
    const Reg count = l.pure(Code::bit_count, type, Scalar::i32, {r});
    out.push_back(
        size_of(result) == 4 ? count : l.pure(Code::convert, result, result, {count}, Scalar::i32));
  }
  l.define(i.result, out);
}

void lower_bit_field(Lowering& l, const Instruction& i) {
  const bool insert = i.opcode == spv::Op::OpBitFieldInsert;
  const Reg offset = l.as_u32(l.scalar_of(i, insert ? 2 : 1));
  const Reg bits = l.as_u32(l.scalar_of(i, insert ? 3 : 2));
  const std::vector<Reg> base = l.components(i[0]);
  std::vector<Reg> out;
  for (std::size_t k = 0; k < base.size(); ++k) {
    const Scalar type = with_sign(l.scalar_type(base[k]), i.opcode == spv::Op::OpBitFieldSExtract);
    if (!insert) {
      out.push_back(l.pure(Code::bit_extract, type, type, {base[k], offset, bits}));
      continue;
    }
    const std::vector<Reg> part = l.components(i[1]);
    if (part.size() != base.size()) fail_at(i, "has operands of unequal sizes");
    out.push_back(l.pure(Code::bit_insert, type, type, {base[k], part[k], offset, bits}));
  }
  l.define(i.result, out);
}

/// The low and the high half of a result twice as wide.
struct Extended {
  spv::Op opcode;
  Code low, high;
  bool is_signed = false;
};
constexpr Extended extended[] = {
    {spv::Op::OpIAddCarry, Code::add, Code::add_carry},
    {spv::Op::OpISubBorrow, Code::sub, Code::sub_borrow},
    {spv::Op::OpUMulExtended, Code::mul, Code::mul_high},
    {spv::Op::OpSMulExtended, Code::mul, Code::mul_high, true},
};
void lower_extended_arithmetic(Lowering& l, const Instruction& i) {
  const Extended& rule = rule_of(extended, i.opcode);
  const std::vector<Reg> a = l.components(i[0]), b = l.components(i[1]);
  if (a.size() != b.size()) fail_at(i, "has operands of unequal sizes");
  std::vector<Reg> lows, highs;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Scalar type = with_sign(l.scalar_type(a[k]), rule.is_signed);
    lows.push_back(l.pure(rule.low, type, type, {a[k], b[k]}));
    highs.push_back(l.pure(rule.high, type, type, {a[k], b[k]}));
  }
  lows.insert(lows.end(), highs.begin(), highs.end());
  l.define(i.result, lows);
}

void lower_any_or_all(Lowering& l, const Instruction& i) {
  const std::vector<Reg> parts = l.components(i[0]);
  const Code join = i.opcode == spv::Op::OpAny ? Code::bor : Code::band;
  Reg out = parts.at(0);
  for (std::size_t k = 1; k < parts.size(); ++k)
    out = l.pure(join, Scalar::boolean, Scalar::boolean, {out, parts[k]});
  l.define(i.result, out);
}

}  // namespace

void add_arithmetic(OpcodeTable& table) {
  for (const ComponentWise& rule : component_wise) table.add(rule.opcode, lower_component_wise);
  for (const Extended& rule : extended) table.add(rule.opcode, lower_extended_arithmetic);
  table.add(spv::Op::OpBitCount, lower_bit_count);
  for (const spv::Op op :
       {spv::Op::OpBitFieldInsert, spv::Op::OpBitFieldSExtract, spv::Op::OpBitFieldUExtract})
    table.add(op, lower_bit_field);
  table.add(spv::Op::OpAny, lower_any_or_all);
  table.add(spv::Op::OpAll, lower_any_or_all);
}

}  // namespace lockstep::spirv
