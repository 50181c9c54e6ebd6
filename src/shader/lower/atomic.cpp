#include <utility>
#include <vector>

#include <fmt/format.h>

#include "shader/lower/barrier.hpp"
#include "shader/lower/lower.hpp"
#include "shader/lower/opcode_table.hpp"
#include "shader/lower/pointer.hpp"

/// \file
/// Atomics on memory. Their operands: pointer, scope, semantics, and those of the rule.

namespace lockstep::spirv {
namespace {

enum class Takes { nothing, a_value, one, a_value_and_a_comparand };

struct Atomic {
  spv::Op opcode;
  Operator op;
  Takes takes = Takes::a_value;
  bool is_signed = false;
};
constexpr Atomic atomics[] = {
    {spv::Op::OpAtomicLoad, Operator::load, Takes::nothing},
    {spv::Op::OpAtomicStore, Operator::store},
    {spv::Op::OpAtomicExchange, Operator::exchange},
    {spv::Op::OpAtomicCompareExchange, Operator::compare_exchange, Takes::a_value_and_a_comparand},
    {spv::Op::OpAtomicCompareExchangeWeak, Operator::compare_exchange,
     Takes::a_value_and_a_comparand},
    {spv::Op::OpAtomicIIncrement, Operator::add, Takes::one},
    {spv::Op::OpAtomicIDecrement, Operator::sub, Takes::one},
    {spv::Op::OpAtomicIAdd, Operator::add},
    {spv::Op::OpAtomicFAddEXT, Operator::add},
    {spv::Op::OpAtomicISub, Operator::sub},
    {spv::Op::OpAtomicSMin, Operator::min, Takes::a_value, true},
    {spv::Op::OpAtomicUMin, Operator::min},
    {spv::Op::OpAtomicFMinEXT, Operator::min},
    {spv::Op::OpAtomicSMax, Operator::max, Takes::a_value, true},
    {spv::Op::OpAtomicUMax, Operator::max},
    {spv::Op::OpAtomicFMaxEXT, Operator::max},
    {spv::Op::OpAtomicAnd, Operator::band},
    {spv::Op::OpAtomicOr, Operator::bor},
    {spv::Op::OpAtomicXor, Operator::bxor},
};

/// The type that the atomic reads and writes; throws Error for an unsupported one.
Scalar value_type(Lowering& l, const Instruction& i, bool is_signed) {
  const Type& type = l.types()[pointer(l, i[0]).type];
  if (type.kind != Type::Kind::scalar && type.kind != Type::Kind::pointer)
    l.unsupported(i, "on a type that is not a scalar");
  if (size_of(type.scalar) < 4 && type.scalar != Scalar::f16)
    l.unsupported(i, fmt::format("on values of {} bits", 8 * size_of(type.scalar)));
  if (is_float(type.scalar)) return type.scalar;
  return with_sign(size_of(type.scalar) == 8 ? Scalar::u64 : Scalar::u32, is_signed);
}

std::vector<Reg> values_of(Lowering& l, const Instruction& i, Takes takes, Scalar type) {
  switch (takes) {
    case Takes::nothing:
      return {};
    case Takes::a_value:
      return {l.scalar_of(i, 3)};
    case Takes::one:
      return {l.constant(type, 1)};
    case Takes::a_value_and_a_comparand:
      return {l.scalar_of(i, 4), l.scalar_of(i, 5)};
  }
  return {};
}

AtomicOp payload(Lowering& l, const Instruction& i, const Pointer& p, Operator op) {
  AtomicOp atomic{{p.resource, p.offset, p.stride, 0, p.pointer}, op, memory_order(l, i, 1, 2)};
  atomic.place.expected = !p.indices.empty();
  if (op == Operator::compare_exchange) atomic.unequal = memory_order(l, i, 1, 3).semantics;
  return atomic;
}

void lower_atomic(Lowering& l, const Instruction& i) {
  const Atomic& rule = rule_of(atomics, i.opcode);
  const Scalar type = value_type(l, i, rule.is_signed);
  const std::vector<Reg> values = values_of(l, i, rule.takes, type);
  const Pointer p = pointer(l, i[0]);
  using Kind = Pointer::Kind;
  if (p.kind == Kind::variable) l.unsupported(i, "on a private or function variable");
  if (p.read_only && rule.op != Operator::load) fail_at(i, "writes to a read-only object");
  if (p.kind == Kind::image || p.kind == Kind::sampler) l.unsupported(i, "on an image");
  expect_access(l, p, AccessKind::atomic, type);
  std::vector<Reg> operands{p.index};
  operands.insert(operands.end(), values.begin(), values.end());
  std::vector<Reg> dst;
  if (i.result != 0) dst.push_back(l.new_reg(type));
  l.emit(p.kind == Kind::address ? Code::atomic_address : Code::atomic, type, dst,
         std::move(operands), payload(l, i, p, rule.op));
  if (i.result != 0) l.define(i.result, dst[0]);
}

}  // namespace

void add_atomics(OpcodeTable& table) {
  for (const Atomic& rule : atomics) table.add(rule.opcode, lower_atomic);
}

}  // namespace lockstep::spirv
