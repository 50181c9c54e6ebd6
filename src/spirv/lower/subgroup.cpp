#include <fmt/format.h>

#include "spirv/front/younger.hpp"
#include "spirv/lower/lower.hpp"

/// \file
/// Subgroup operations: each becomes calls of the built-in it is.

namespace lockstep::spirv {
namespace {

constexpr std::uint32_t subgroup_scope = 3;

struct GroupOperator {
  Operator op;
  bool as_signed = false;
};

/// The operator of a group operation that reduces or scans.
const GroupOperator* find_reduction(spv::Op opcode) {
  static const std::pair<spv::Op, GroupOperator> table[] = {
      {spv::Op::OpGroupNonUniformIAdd, {Operator::add}},
      {spv::Op::OpGroupNonUniformFAdd, {Operator::add}},
      {spv::Op::OpGroupNonUniformIMul, {Operator::mul}},
      {spv::Op::OpGroupNonUniformFMul, {Operator::mul}},
      {spv::Op::OpGroupNonUniformSMin, {Operator::min, true}},
      {spv::Op::OpGroupNonUniformUMin, {Operator::min}},
      {spv::Op::OpGroupNonUniformFMin, {Operator::min}},
      {spv::Op::OpGroupNonUniformSMax, {Operator::max, true}},
      {spv::Op::OpGroupNonUniformUMax, {Operator::max}},
      {spv::Op::OpGroupNonUniformFMax, {Operator::max}},
      {spv::Op::OpGroupNonUniformBitwiseAnd, {Operator::band}},
      {spv::Op::OpGroupNonUniformBitwiseOr, {Operator::bor}},
      {spv::Op::OpGroupNonUniformBitwiseXor, {Operator::bxor}},
      {spv::Op::OpGroupNonUniformLogicalAnd, {Operator::band}},
      {spv::Op::OpGroupNonUniformLogicalOr, {Operator::bor}},
      {spv::Op::OpGroupNonUniformLogicalXor, {Operator::bxor}},
  };
  for (const auto& [op, reduction] : table) {
    if (op == opcode) return &reduction;
  }
  return nullptr;
}

/// OpGroupNonUniformRotateKHR is younger than some SPIR-V headers.
constexpr auto op_rotate = static_cast<spv::Op>(4431);

}  // namespace

bool Lowering::lower_subgroup(const Instruction& i) {
  const auto check_scope = [&] {
    if (constant_bits(i[0]) != subgroup_scope) unsupported(i, "in another scope than Subgroup");
  };
  const auto one = [&](Code code, Scalar type, std::vector<Reg> src) -> Reg {
    const Reg dst = new_reg(types_[i.type].scalar);
    emit(code, type, {dst}, std::move(src));
    return dst;
  };
  // Vectors go through component by component.
  const auto each = [&](Code code, std::size_t value, std::vector<Reg> more, Detail detail = {}) {
    const std::vector<Reg> from(regs(i[value]).begin(), regs(i[value]).end());
    std::vector<Reg> out;
    for (const Reg r : from) {
      const Reg dst = new_reg(ir_.regs[r].type);
      std::vector<Reg> src{r};
      src.insert(src.end(), more.begin(), more.end());
      emit(code, ir_.regs[r].type, {dst}, std::move(src), detail);
      out.push_back(dst);
    }
    define(i.result, out);
    return true;
  };
  const auto ballot_of = [&](std::size_t operand) {
    std::vector<Reg> words(regs(i[operand]).begin(), regs(i[operand]).end());
    if (words.size() != 4) fail_at(i, "takes a ballot of four words");
    return words;
  };
  const auto answer = [&](Code code, std::vector<Reg> src) {
    define(i.result, one(code, Scalar::boolean, std::move(src)));
    return true;
  };
  if (i.opcode == op_rotate) {
    check_scope();
    if (i.operands.size() > 3) {
      const Cluster cluster{static_cast<std::uint32_t>(constant_bits(i[3]))};
      return each(Code::clustered_rotate, 1, {as_u32(scalar_of(i, 2))}, cluster);
    }
    return each(Code::rotate, 1, {as_u32(scalar_of(i, 2))});
  }
  if (i.opcode == op_quad_all) return answer(Code::quad_all, {scalar_of(i, 0)});
  if (i.opcode == op_quad_any) return answer(Code::quad_any, {scalar_of(i, 0)});
  if (const GroupOperator* reduction = find_reduction(i.opcode)) {
    check_scope();
    const std::vector<Reg> from(regs(i[2]).begin(), regs(i[2]).end());
    Code code = Code::reduce;
    std::vector<Reg> more;
    std::uint32_t cluster = 0;
    switch (static_cast<spv::GroupOperation>(i[1])) {
      case spv::GroupOperation::Reduce:
        break;
      case spv::GroupOperation::InclusiveScan:
        code = Code::inclusive_scan;
        break;
      case spv::GroupOperation::ExclusiveScan:
        code = Code::exclusive_scan;
        break;
      case spv::GroupOperation::ClusteredReduce:
        code = Code::clustered;
        cluster = static_cast<std::uint32_t>(constant_bits(i[3]));
        break;
      case spv::GroupOperation::PartitionedReduceNV:
        code = Code::partitioned_reduce;
        more = ballot_of(3);
        break;
      case spv::GroupOperation::PartitionedInclusiveScanNV:
        code = Code::partitioned_inclusive_scan;
        more = ballot_of(3);
        break;
      case spv::GroupOperation::PartitionedExclusiveScanNV:
        code = Code::partitioned_exclusive_scan;
        more = ballot_of(3);
        break;
      default:
        unsupported(i, "that group operation");
    }
    std::vector<Reg> out;
    for (const Reg r : from) {
      const Reg dst = new_reg(ir_.regs[r].type);
      std::vector<Reg> src{r};
      src.insert(src.end(), more.begin(), more.end());
      emit(code, with_sign(ir_.regs[r].type, reduction->as_signed), {dst}, std::move(src),
           Reduction{reduction->op, cluster});
      out.push_back(dst);
    }
    define(i.result, out);
    return true;
  }
  switch (i.opcode) {
    case spv::Op::OpGroupNonUniformElect:
      check_scope();
      return answer(Code::elect, {});
    case spv::Op::OpGroupNonUniformAll:
      check_scope();
      return answer(Code::all, {scalar_of(i, 1)});
    case spv::Op::OpGroupNonUniformAny:
      check_scope();
      return answer(Code::any, {scalar_of(i, 1)});
    case spv::Op::OpSubgroupAllKHR:
      return answer(Code::all, {scalar_of(i, 0)});
    case spv::Op::OpSubgroupAnyKHR:
      return answer(Code::any, {scalar_of(i, 0)});
    case spv::Op::OpGroupNonUniformAllEqual:
    case spv::Op::OpSubgroupAllEqualKHR: {
      const std::size_t operand = i.opcode == spv::Op::OpSubgroupAllEqualKHR ? 0 : 1;
      if (operand == 1) check_scope();
      const std::vector<Reg> from(regs(i[operand]).begin(), regs(i[operand]).end());
      Reg out = no_reg;
      for (const Reg r : from) {
        const Reg equal = one(Code::all_equal, ir_.regs[r].type, {r});
        out = out == no_reg ? equal
                            : pure(Code::band, Scalar::boolean, Scalar::boolean, {out, equal});
      }
      define(i.result, out);
      return true;
    }
    case spv::Op::OpGroupNonUniformBroadcast:
      check_scope();
      return each(Code::broadcast, 1, {as_u32(scalar_of(i, 2))}, Broadcast{});
    case spv::Op::OpSubgroupReadInvocationKHR:
      return each(Code::broadcast, 0, {as_u32(scalar_of(i, 1))}, Broadcast{true});
    case spv::Op::OpGroupNonUniformBroadcastFirst:
      check_scope();
      return each(Code::broadcast_first, 1, {});
    case spv::Op::OpSubgroupFirstInvocationKHR:
      return each(Code::broadcast_first, 0, {});
    case spv::Op::OpGroupNonUniformShuffle:
      check_scope();
      return each(Code::shuffle, 1, {as_u32(scalar_of(i, 2))});
    case spv::Op::OpGroupNonUniformShuffleXor:
      check_scope();
      return each(Code::shuffle_xor, 1, {as_u32(scalar_of(i, 2))});
    case spv::Op::OpGroupNonUniformShuffleUp:
      check_scope();
      return each(Code::shuffle_up, 1, {as_u32(scalar_of(i, 2))});
    case spv::Op::OpGroupNonUniformShuffleDown:
      check_scope();
      return each(Code::shuffle_down, 1, {as_u32(scalar_of(i, 2))});
    case spv::Op::OpGroupNonUniformQuadBroadcast:
      check_scope();
      return each(Code::quad_broadcast, 1, {as_u32(scalar_of(i, 2))});
    case spv::Op::OpGroupNonUniformQuadSwap: {
      check_scope();
      const std::uint64_t direction = constant_bits(i[2]);
      if (direction > 2) fail_at(i, "the direction is 0, 1 or 2");
      return each(Code::quad_swap, 1, {}, Quad{static_cast<std::uint32_t>(direction)});
    }
    case spv::Op::OpGroupNonUniformBallot:
    case spv::Op::OpSubgroupBallotKHR: {
      const std::size_t operand = i.opcode == spv::Op::OpSubgroupBallotKHR ? 0 : 1;
      if (operand == 1) check_scope();
      std::vector<Reg> words;
      for (int k = 0; k < 4; ++k) words.push_back(new_reg(Scalar::u32));
      const Reg value = scalar_of(i, operand);
      emit(Code::ballot, Scalar::u32, words, {value});
      define(i.result, words);
      return true;
    }
    case spv::Op::OpGroupNonUniformPartitionNV: {
      std::vector<Reg> words;
      for (int k = 0; k < 4; ++k) words.push_back(new_reg(Scalar::u32));
      const std::vector<Reg> from(regs(i[0]).begin(), regs(i[0]).end());
      emit(Code::partition, ir_.regs[from[0]].type, words, {from[0]});
      // A vector's parts: the lanes that agree in every component.
      for (std::size_t k = 1; k < from.size(); ++k) {
        std::vector<Reg> more;
        for (int w = 0; w < 4; ++w) more.push_back(new_reg(Scalar::u32));
        emit(Code::partition, ir_.regs[from[k]].type, more, {from[k]});
        for (std::size_t w = 0; w < 4; ++w)
          words[w] = pure(Code::band, Scalar::u32, Scalar::u32, {words[w], more[w]});
      }
      define(i.result, words);
      return true;
    }
    case spv::Op::OpGroupNonUniformInverseBallot:
      check_scope();
      return answer(Code::inverse_ballot, ballot_of(1));
    case spv::Op::OpGroupNonUniformBallotBitExtract: {
      check_scope();
      std::vector<Reg> src = ballot_of(1);
      src.push_back(as_u32(scalar_of(i, 2)));
      return answer(Code::ballot_bit_extract, src);
    }
    case spv::Op::OpGroupNonUniformBallotBitCount: {
      check_scope();
      Code code = Code::ballot_bit_count;
      const auto operation = static_cast<spv::GroupOperation>(i[1]);
      if (operation == spv::GroupOperation::InclusiveScan)
        code = Code::ballot_inclusive_bit_count;
      else if (operation == spv::GroupOperation::ExclusiveScan)
        code = Code::ballot_exclusive_bit_count;
      else if (operation != spv::GroupOperation::Reduce)
        unsupported(i, "that group operation");
      define(i.result, one(code, Scalar::u32, ballot_of(2)));
      return true;
    }
    case spv::Op::OpGroupNonUniformBallotFindLSB:
    case spv::Op::OpGroupNonUniformBallotFindMSB:
      check_scope();
      define(i.result,
             one(i.opcode == spv::Op::OpGroupNonUniformBallotFindLSB ? Code::ballot_find_lsb
                                                                     : Code::ballot_find_msb,
                 Scalar::u32, ballot_of(1)));
      return true;
    default:
      return false;
  }
}

}  // namespace lockstep::spirv
