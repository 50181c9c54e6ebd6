#include <utility>
#include <vector>

#include <fmt/format.h>

#include "spirv/front/younger.hpp"
#include "spirv/lower/lower.hpp"
#include "spirv/lower/opcode_table.hpp"

/// \file
/// Subgroup operations: each becomes a call of its built-in.

namespace lockstep::spirv {
namespace {

constexpr std::uint32_t subgroup_scope = 3;

/// OpGroupNonUniformRotateKHR is newer than some SPIR-V headers.
constexpr auto op_rotate = static_cast<spv::Op>(4431);

/// The operand and result form of an operation.
enum class Form {
  answer,         ///< a bool from one scalar, or without an operand
  each,           ///< each component of a value by itself
  each_by_index,  ///< the same, followed by an index
  ballot,         ///< four words from one bool
  of_ballot,      ///< a scalar from four words
};

/// An operation that is one built-in. The GroupNonUniform operations name their scope first; older
/// and newer ones have none.
struct BuiltIn {
  spv::Op opcode;
  Code code;
  Form form;
  bool has_scope = true;
  Broadcast broadcast = {};
};

constexpr BuiltIn built_ins[] = {
    {spv::Op::OpGroupNonUniformElect, Code::elect, Form::answer},
    {spv::Op::OpGroupNonUniformAll, Code::all, Form::answer},
    {spv::Op::OpGroupNonUniformAny, Code::any, Form::answer},
    {spv::Op::OpSubgroupAllKHR, Code::all, Form::answer, false},
    {spv::Op::OpSubgroupAnyKHR, Code::any, Form::answer, false},
    {op_quad_all, Code::quad_all, Form::answer, false},
    {op_quad_any, Code::quad_any, Form::answer, false},
    {spv::Op::OpGroupNonUniformBroadcast, Code::broadcast, Form::each_by_index},
    {spv::Op::OpSubgroupReadInvocationKHR, Code::broadcast, Form::each_by_index, false, {true}},
    {spv::Op::OpGroupNonUniformBroadcastFirst, Code::broadcast_first, Form::each},
    {spv::Op::OpSubgroupFirstInvocationKHR, Code::broadcast_first, Form::each, false},
    {spv::Op::OpGroupNonUniformShuffle, Code::shuffle, Form::each_by_index},
    {spv::Op::OpGroupNonUniformShuffleXor, Code::shuffle_xor, Form::each_by_index},
    {spv::Op::OpGroupNonUniformShuffleUp, Code::shuffle_up, Form::each_by_index},
    {spv::Op::OpGroupNonUniformShuffleDown, Code::shuffle_down, Form::each_by_index},
    {spv::Op::OpGroupNonUniformQuadBroadcast, Code::quad_broadcast, Form::each_by_index},
    {spv::Op::OpGroupNonUniformBallot, Code::ballot, Form::ballot},
    {spv::Op::OpSubgroupBallotKHR, Code::ballot, Form::ballot, false},
    {spv::Op::OpGroupNonUniformInverseBallot, Code::inverse_ballot, Form::of_ballot},
    {spv::Op::OpGroupNonUniformBallotFindLSB, Code::ballot_find_lsb, Form::of_ballot},
    {spv::Op::OpGroupNonUniformBallotFindMSB, Code::ballot_find_msb, Form::of_ballot},
};

void check_scope(Lowering& l, const Instruction& i) {
  if (l.constant_bits(i[0]) != subgroup_scope) l.unsupported(i, "in another scope than Subgroup");
}

/// One operation with one result of the instruction's scalar type.
Reg emit_one(Lowering& l, const Instruction& i, Code code, Scalar type, std::vector<Reg> src) {
  const Reg dst = l.new_reg(l.types()[i.type].scalar);
  l.emit(code, type, {dst}, std::move(src));
  return dst;
}

/// One operation for each component of an operand, all with the same further operands.
void emit_each(Lowering& l, const Instruction& i, Code code, std::size_t value,
               const std::vector<Reg>& more, const Detail& detail) {
  std::vector<Reg> out;
  for (const Reg r : l.components(i[value])) {
    const Reg dst = l.new_reg(l.scalar_type(r));
    std::vector<Reg> src{r};
    src.insert(src.end(), more.begin(), more.end());
    l.emit(code, l.scalar_type(r), {dst}, std::move(src), detail);
    out.push_back(dst);
  }
  l.define(i.result, out);
}

std::vector<Reg> ballot_of(Lowering& l, const Instruction& i, std::size_t operand) {
  std::vector<Reg> words = l.components(i[operand]);
  if (words.size() != 4) fail_at(i, "takes a ballot of four words");
  return words;
}

std::vector<Reg> new_words(Lowering& l) {
  std::vector<Reg> words;
  for (int k = 0; k < 4; ++k) words.push_back(l.new_reg(Scalar::u32));
  return words;
}

void lower_built_in(Lowering& l, const Instruction& i) {
  const BuiltIn& rule = rule_of(built_ins, i.opcode);
  if (rule.has_scope) check_scope(l, i);
  const std::size_t value = rule.has_scope ? 1 : 0;
  switch (rule.form) {
    case Form::answer: {
      std::vector<Reg> src;
      if (rule.code != Code::elect) src.push_back(l.scalar_of(i, value));
      return l.define(i.result, emit_one(l, i, rule.code, Scalar::boolean, std::move(src)));
    }
    case Form::each:
      return emit_each(l, i, rule.code, value, {}, {});
    case Form::each_by_index: {
      Detail detail;
      if (rule.code == Code::broadcast) detail = rule.broadcast;
      return emit_each(l, i, rule.code, value, {l.as_u32(l.scalar_of(i, value + 1))}, detail);
    }
    case Form::ballot: {
      const Reg bit = l.scalar_of(i, value);
      const std::vector<Reg> words = new_words(l);
      l.emit(rule.code, Scalar::u32, words, {bit});
      return l.define(i.result, words);
    }
    case Form::of_ballot: {
      const bool answers = rule.code == Code::inverse_ballot;
      return l.define(i.result, emit_one(l, i, rule.code, answers ? Scalar::boolean : Scalar::u32,
                                         ballot_of(l, i, value)));
    }
  }
}

/// A group operation's operator.
struct GroupOperator {
  spv::Op opcode;
  Operator op;
  bool is_signed = false;
};
constexpr GroupOperator operators[] = {
    {spv::Op::OpGroupNonUniformIAdd, Operator::add},
    {spv::Op::OpGroupNonUniformFAdd, Operator::add},
    {spv::Op::OpGroupNonUniformIMul, Operator::mul},
    {spv::Op::OpGroupNonUniformFMul, Operator::mul},
    {spv::Op::OpGroupNonUniformSMin, Operator::min, true},
    {spv::Op::OpGroupNonUniformUMin, Operator::min},
    {spv::Op::OpGroupNonUniformFMin, Operator::min},
    {spv::Op::OpGroupNonUniformSMax, Operator::max, true},
    {spv::Op::OpGroupNonUniformUMax, Operator::max},
    {spv::Op::OpGroupNonUniformFMax, Operator::max},
    {spv::Op::OpGroupNonUniformBitwiseAnd, Operator::band},
    {spv::Op::OpGroupNonUniformBitwiseOr, Operator::bor},
    {spv::Op::OpGroupNonUniformBitwiseXor, Operator::bxor},
    {spv::Op::OpGroupNonUniformLogicalAnd, Operator::band},
    {spv::Op::OpGroupNonUniformLogicalOr, Operator::bor},
    {spv::Op::OpGroupNonUniformLogicalXor, Operator::bxor},
};

/// Which lanes' values a group operation combines.
struct Group {
  spv::GroupOperation operation;
  Code code;
};
constexpr Group groups[] = {
    {spv::GroupOperation::Reduce, Code::reduce},
    {spv::GroupOperation::InclusiveScan, Code::inclusive_scan},
    {spv::GroupOperation::ExclusiveScan, Code::exclusive_scan},
    {spv::GroupOperation::ClusteredReduce, Code::clustered},
    {spv::GroupOperation::PartitionedReduceNV, Code::partitioned_reduce},
    {spv::GroupOperation::PartitionedInclusiveScanNV, Code::partitioned_inclusive_scan},
    {spv::GroupOperation::PartitionedExclusiveScanNV, Code::partitioned_exclusive_scan},
};
constexpr Group bit_counts[] = {
    {spv::GroupOperation::Reduce, Code::ballot_bit_count},
    {spv::GroupOperation::InclusiveScan, Code::ballot_inclusive_bit_count},
    {spv::GroupOperation::ExclusiveScan, Code::ballot_exclusive_bit_count},
};
template <std::size_t N>
Code code_of(Lowering& l, const Instruction& i, const Group (&known)[N]) {
  for (const Group& group : known)
    if (group.operation == static_cast<spv::GroupOperation>(i[1])) return group.code;
  l.unsupported(i, "that group operation");
}

void lower_group_operation(Lowering& l, const Instruction& i) {
  const GroupOperator& rule = rule_of(operators, i.opcode);
  check_scope(l, i);
  const Code code = code_of(l, i, groups);
  Reduction reduction{rule.op};
  std::vector<Reg> partition;
  if (code == Code::clustered)
    reduction.cluster = static_cast<std::uint32_t>(l.constant_bits(i[3]));
  else if (code != Code::reduce && code != Code::inclusive_scan && code != Code::exclusive_scan)
    partition = ballot_of(l, i, 3);
  std::vector<Reg> out;
  for (const Reg r : l.components(i[2])) {
    const Reg dst = l.new_reg(l.scalar_type(r));
    std::vector<Reg> src{r};
    src.insert(src.end(), partition.begin(), partition.end());
    l.emit(code, with_sign(l.scalar_type(r), rule.is_signed), {dst}, std::move(src), reduction);
    out.push_back(dst);
  }
  l.define(i.result, out);
}

void lower_bit_count(Lowering& l, const Instruction& i) {
  check_scope(l, i);
  const Code code = code_of(l, i, bit_counts);
  l.define(i.result, emit_one(l, i, code, Scalar::u32, ballot_of(l, i, 2)));
}

void lower_bit_extract(Lowering& l, const Instruction& i) {
  check_scope(l, i);
  std::vector<Reg> src = ballot_of(l, i, 1);
  src.push_back(l.as_u32(l.scalar_of(i, 2)));
  l.define(i.result, emit_one(l, i, Code::ballot_bit_extract, Scalar::boolean, std::move(src)));
}

/// Vectors are equal where all components are.
void lower_all_equal(Lowering& l, const Instruction& i) {
  const bool has_scope = i.opcode == spv::Op::OpGroupNonUniformAllEqual;
  if (has_scope) check_scope(l, i);
  Reg out = no_reg;
  for (const Reg r : l.components(i[has_scope ? 1 : 0])) {
    const Reg equal = emit_one(l, i, Code::all_equal, l.scalar_type(r), {r});
    out =
        out == no_reg ? equal : l.pure(Code::band, Scalar::boolean, Scalar::boolean, {out, equal});
  }
  l.define(i.result, out);
}

/// A vector's parts: the lanes that agree in every component.
void lower_partition(Lowering& l, const Instruction& i) {
  std::vector<Reg> words;
  for (const Reg r : l.components(i[0])) {
    const std::vector<Reg> part = new_words(l);
    l.emit(Code::partition, l.scalar_type(r), part, {r});
    if (words.empty()) {
      words = part;
      continue;
    }
    for (std::size_t w = 0; w < 4; ++w)
      words[w] = l.pure(Code::band, Scalar::u32, Scalar::u32, {words[w], part[w]});
  }
  l.define(i.result, words);
}

void lower_rotate(Lowering& l, const Instruction& i) {
  check_scope(l, i);
  const Reg delta = l.as_u32(l.scalar_of(i, 2));
  if (i.operands.size() <= 3) return emit_each(l, i, Code::rotate, 1, {delta}, {});
  const Cluster cluster{static_cast<std::uint32_t>(l.constant_bits(i[3]))};
  emit_each(l, i, Code::clustered_rotate, 1, {delta}, cluster);
}

void lower_quad_swap(Lowering& l, const Instruction& i) {
  check_scope(l, i);
  const std::uint64_t direction = l.constant_bits(i[2]);
  if (direction > 2) fail_at(i, "the direction is 0, 1 or 2");
  emit_each(l, i, Code::quad_swap, 1, {}, Quad{static_cast<std::uint32_t>(direction)});
}

}  // namespace

void add_subgroup(OpcodeTable& table) {
  for (const BuiltIn& rule : built_ins) table.add(rule.opcode, lower_built_in);
  for (const GroupOperator& rule : operators) table.add(rule.opcode, lower_group_operation);
  constexpr std::pair<spv::Op, OpcodeTable::Handler> handlers[] = {
      {spv::Op::OpGroupNonUniformBallotBitCount, lower_bit_count},
      {spv::Op::OpGroupNonUniformBallotBitExtract, lower_bit_extract},
      {spv::Op::OpGroupNonUniformAllEqual, lower_all_equal},
      {spv::Op::OpSubgroupAllEqualKHR, lower_all_equal},
      {spv::Op::OpGroupNonUniformPartitionNV, lower_partition},
      {spv::Op::OpGroupNonUniformQuadSwap, lower_quad_swap},
      {op_rotate, lower_rotate},
  };
  for (const auto& [opcode, handler] : handlers) table.add(opcode, handler);
}

}  // namespace lockstep::spirv
