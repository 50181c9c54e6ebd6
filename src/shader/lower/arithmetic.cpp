#include <vector>

#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"

/// \file
/// Arithmetic and bits that are not one operation per component.

namespace lockstep::spirv {
namespace {

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
  for (const Extended& rule : extended) table.add(rule.opcode, lower_extended_arithmetic);
  table.add(spv::Op::OpBitCount, lower_bit_count);
  for (const spv::Op op :
       {spv::Op::OpBitFieldInsert, spv::Op::OpBitFieldSExtract, spv::Op::OpBitFieldUExtract})
    table.add(op, lower_bit_field);
  table.add(spv::Op::OpAny, lower_any_or_all);
  table.add(spv::Op::OpAll, lower_any_or_all);
}

}  // namespace lockstep::spirv
