#include "support/walker/group.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <optional>

#include <lockstep/exec/error.hpp>

#include "support/walker/arithmetic.hpp"
#include "support/walker/freedom.hpp"
#include "support/walker/number.hpp"

namespace lockstep::walker {

namespace {

using spv::Op;

constexpr Scalar undefined{0, false};

Value scalar(std::uint64_t bits, bool defined = true) { return {{{bits, defined}}}; }

Value all_undefined(const Module& module, Id type) {
  return {std::vector<Scalar>(module.scalars(type), undefined)};
}

bool ballot_bit(const Value& ballot, std::uint64_t lane) {
  return lane < 128 && (ballot.parts[lane / 32].bits >> (lane % 32) & 1) != 0;
}

Value ballot_of(std::span<const Participant> all, const auto& holds) {
  Value ballot{std::vector<Scalar>(4)};
  for (const Participant& p : all)
    if (holds(p))
      ballot.parts[static_cast<std::size_t>(p.lane) / 32].bits |= std::uint64_t{1} << (p.lane % 32);
  return ballot;
}

/// What two values of an operation that reduces give.
class Combine {
 public:
  Combine(Op op, const Type& type) : op_(op), type_(type) {}

  /// Of the values of some participants; of none, the identity.
  Scalar operator()(std::span<const Scalar> values) const {
    for (const Scalar& s : values)
      if (!s.defined) return undefined;
    return type_.kind == Type::Kind::real ? of_reals(values) : of_bits(values);
  }

 private:
  Scalar of_reals(std::span<const Scalar> values) const {
    const bool sum = op_ == Op::OpGroupNonUniformFAdd, product = op_ == Op::OpGroupNonUniformFMul;
    const Real infinity = std::numeric_limits<Real>::infinity();
    Real result = sum                                ? Real(0)
                  : product                          ? Real(1)
                  : op_ == Op::OpGroupNonUniformFMin ? infinity
                                                     : Real(-infinity);
    for (const Scalar& s : values) {
      const Real x = to_real(s.bits, type_.width);
      if (isnan(x)) return undefined;
      if (sum)
        result += x;
      else if (product)
        result *= x;
      else if (op_ == Op::OpGroupNonUniformFMin ? x < result : result < x)
        result = x;
    }
    return {from_real(result, type_.width)};
  }

  Scalar of_bits(std::span<const Scalar> values) const {
    const int w = type_.kind == Type::Kind::boolean ? 1 : type_.width;
    std::uint64_t result = identity(w);
    for (const Scalar& s : values) result = truncated(combined(result, s.bits, w), w);
    return {result};
  }

  std::uint64_t identity(int w) const {
    const std::uint64_t ones = truncated(~std::uint64_t{0}, w);
    switch (op_) {
      case Op::OpGroupNonUniformIMul:
        return 1;
      case Op::OpGroupNonUniformSMin:
        return ones >> 1;
      case Op::OpGroupNonUniformSMax:
        return (ones >> 1) + 1;
      case Op::OpGroupNonUniformUMin:
      case Op::OpGroupNonUniformBitwiseAnd:
      case Op::OpGroupNonUniformLogicalAnd:
        return ones;
      default:
        return 0;
    }
  }

  std::uint64_t combined(std::uint64_t a, std::uint64_t b, int w) const {
    const bool less = sign_extended(a, w) < sign_extended(b, w);
    switch (op_) {
      case Op::OpGroupNonUniformIAdd:
        return a + b;
      case Op::OpGroupNonUniformIMul:
        return a * b;
      case Op::OpGroupNonUniformSMin:
        return less ? a : b;
      case Op::OpGroupNonUniformSMax:
        return less ? b : a;
      case Op::OpGroupNonUniformUMin:
        return std::min(a, b);
      case Op::OpGroupNonUniformUMax:
        return std::max(a, b);
      case Op::OpGroupNonUniformBitwiseAnd:
      case Op::OpGroupNonUniformLogicalAnd:
        return a & b;
      case Op::OpGroupNonUniformBitwiseOr:
      case Op::OpGroupNonUniformLogicalOr:
        return a | b;
      default:
        return a ^ b;
    }
  }

  Op op_;
  const Type& type_;
};

bool reduces(Op op) {
  return op >= Op::OpGroupNonUniformIAdd && op <= Op::OpGroupNonUniformLogicalXor;
}

bool is_quad_vote(Op op) {
  return op == OpGroupNonUniformQuadAllKHR || op == OpGroupNonUniformQuadAnyKHR;
}

/// One operation for one participant after the other.
class Operation {
 public:
  Operation(const Module& module, const Instruction& i, int size, std::span<const Participant> all)
      : module_(module), i_(i), size_(static_cast<std::uint64_t>(size)), all_(all) {}

  Value result(const Participant& me) const {
    if (reduces(i_.op)) return reduction(me);
    if (is_quad_vote(i_.op)) return quad_vote(me, i_.op == OpGroupNonUniformQuadAllKHR);
    const auto holds = [&](const Participant& p) { return value(p).parts[0].bits != 0; };
    switch (i_.op) {
      case Op::OpGroupNonUniformElect:
        return scalar(me.lane == all_.front().lane ? 1 : 0);
      case Op::OpGroupNonUniformAll:
      case Op::OpSubgroupAllKHR:
        return vote(std::all_of(all_.begin(), all_.end(), holds));
      case Op::OpGroupNonUniformAny:
      case Op::OpSubgroupAnyKHR:
        return vote(std::any_of(all_.begin(), all_.end(), holds));
      case Op::OpGroupNonUniformAllEqual:
      case Op::OpSubgroupAllEqualKHR:
        return vote(std::all_of(all_.begin(), all_.end(),
                                [&](const Participant& p) { return same(p, all_.front()); }));
      case Op::OpGroupNonUniformBroadcastFirst:
      case Op::OpSubgroupFirstInvocationKHR:
        return value(all_.front());
      case Op::OpGroupNonUniformBallot:
      case Op::OpSubgroupBallotKHR: {
        Value ballot = ballot_of(all_, holds);
        if (!vote(true).parts[0].defined) return all_undefined(module_, i_.type);
        return ballot;
      }
      case Op::OpGroupNonUniformInverseBallot:
        return scalar(ballot_bit(value(me), lane(me)), value(me).parts[0].defined);
      case Op::OpGroupNonUniformBallotBitExtract: {
        const std::uint64_t index = operand(me, 2).bits;
        return scalar(ballot_bit(value(me), index), value(me).parts[0].defined && index < size_);
      }
      case Op::OpGroupNonUniformBallotBitCount:
        return bit_count(me);
      case Op::OpGroupNonUniformBallotFindLSB:
      case Op::OpGroupNonUniformBallotFindMSB:
        return find(me, i_.op == Op::OpGroupNonUniformBallotFindLSB);
      case Op::OpGroupNonUniformPartitionNV:
        return ballot_of(all_, [&](const Participant& p) { return same(p, me); });
      default:
        return from(source(me));
    }
  }

 private:
  static std::uint64_t lane(const Participant& p) { return static_cast<std::uint64_t>(p.lane); }
  /// Where the value is among the operands: behind the scope and the group operation, if there are any.
  static std::size_t value_index(Op op) {
    if (reduces(op) || op == Op::OpGroupNonUniformBallotBitCount) return 2;
    return op <= Op::OpGroupNonUniformQuadSwap || op == Op::OpGroupNonUniformRotateKHR ? 1 : 0;
  }
  const Value& value(const Participant& p) const { return p.operands[value_index(i_.op)]; }
  const Scalar& operand(const Participant& p, std::size_t k) const {
    return p.operands[k].parts[0];
  }

  Value vote(bool result) const {
    for (const Participant& p : all_)
      for (const Scalar& s : value(p).parts)
        if (!s.defined) return scalar(0, false);
    return scalar(result ? 1 : 0);
  }

  /// Of the participants in the quad: whether all hold, or else any.
  Value quad_vote(const Participant& me, bool all) const {
    bool result = all, defined = true;
    for (const Participant& p : all_) {
      if (p.lane / 4 != me.lane / 4) continue;
      if ((value(p).parts[0].bits != 0) != all) result = !all;
      defined = defined && value(p).parts[0].defined;
    }
    return scalar(result ? 1 : 0, defined);
  }

  /// Numbers are compared as numbers: 0 and -0 are equal, a NaN is not.
  bool same(const Participant& a, const Participant& b) const {
    const Type& type = module_.scalar_type(module_.type_of.at(i_.operands[value_index(i_.op)]));
    for (std::size_t k = 0; k < value(a).parts.size(); ++k) {
      const std::uint64_t x = value(a).parts[k].bits, y = value(b).parts[k].bits;
      if (type.kind == Type::Kind::real ? to_double(x, type.width) != to_double(y, type.width)
                                        : x != y)
        return false;
    }
    return true;
  }

  spv::GroupOperation group() const { return static_cast<spv::GroupOperation>(i_.operands[1]); }

  Value reduction(const Participant& me) const {
    const Type& type = module_.scalar_type(i_.type);
    const Combine combine(i_.op, type);
    Value result;
    for (std::size_t k = 0; k < value(me).parts.size(); ++k) {
      std::vector<Scalar> terms;
      for (const Participant& p : all_)
        if (counts(me, p)) terms.push_back(value(p).parts[k]);
      std::optional<Scalar> other;
      if (module_.freedom != nullptr && type.kind == Type::Kind::real)
        other = module_.freedom->combined(i_, type.width, terms);
      result.parts.push_back(other ? *other : combine(terms));
    }
    return result;
  }

  /// Whether a participant's value is one of those that another's result is made of.
  bool counts(const Participant& me, const Participant& p) const {
    using Group = spv::GroupOperation;
    const auto partition = [&] { return ballot_bit(me.operands[3], lane(p)); };
    switch (group()) {
      case Group::Reduce:
        return true;
      case Group::InclusiveScan:
        return p.lane <= me.lane;
      case Group::ExclusiveScan:
        return p.lane < me.lane;
      case Group::ClusteredReduce:
        return lane(p) / operand(me, 3).bits == lane(me) / operand(me, 3).bits;
      case Group::PartitionedReduceNV:
        return partition();
      case Group::PartitionedInclusiveScanNV:
        return partition() && p.lane <= me.lane;
      case Group::PartitionedExclusiveScanNV:
        return partition() && p.lane < me.lane;
      default:
        throw Error(fmt::format("the reference does not know group operation {}", i_.operands[1]));
    }
  }

  Value bit_count(const Participant& me) const {
    std::uint64_t count = 0;
    for (std::uint64_t k = 0; k < size_; ++k) {
      const bool counted = group() == spv::GroupOperation::Reduce || k < lane(me) ||
                           (k == lane(me) && group() == spv::GroupOperation::InclusiveScan);
      if (counted && ballot_bit(value(me), k)) ++count;
    }
    return scalar(count, value(me).parts[0].defined);
  }

  Value find(const Participant& me, bool lowest) const {
    std::optional<std::uint64_t> found;
    for (std::uint64_t k = 0; k < size_; ++k)
      if (ballot_bit(value(me), k) && !(lowest && found)) found = k;
    return scalar(found.value_or(0), found.has_value() && value(me).parts[0].defined);
  }

  /// The lane whose value a participant gets; nothing where there is none.
  std::optional<std::uint64_t> source(const Participant& me) const {
    const bool older = i_.op == Op::OpSubgroupReadInvocationKHR;
    const Scalar& number = operand(me, older ? 1 : 2);
    if (!number.defined) return std::nullopt;
    const std::uint64_t n = number.bits, own = lane(me);
    switch (i_.op) {
      case Op::OpGroupNonUniformBroadcast:
      case Op::OpSubgroupReadInvocationKHR:
      case Op::OpGroupNonUniformShuffle:
        return n;
      case Op::OpGroupNonUniformShuffleXor:
        return own ^ n;
      case Op::OpGroupNonUniformShuffleUp:
        return n > own ? std::nullopt : std::optional(own - n);
      case Op::OpGroupNonUniformShuffleDown:
        return own + n;
      case Op::OpGroupNonUniformQuadBroadcast:
        return n > 3 ? std::nullopt : std::optional((own & ~3u) + n);
      case Op::OpGroupNonUniformQuadSwap:
        return own ^ (n + 1);  // horizontal, vertical, diagonal
      case Op::OpGroupNonUniformRotateKHR: {
        const std::uint64_t cluster = me.operands.size() > 3 ? operand(me, 3).bits : size_;
        return own - own % cluster + (own + n) % cluster;
      }
      default:
        throw Error(fmt::format("the reference does not know opcode {}", static_cast<int>(i_.op)));
    }
  }

  Value from(std::optional<std::uint64_t> other) const {
    for (const Participant& p : all_)
      if (other && lane(p) == *other && *other < size_) return value(p);
    return all_undefined(module_, i_.type);
  }

  const Module& module_;
  const Instruction& i_;
  std::uint64_t size_;
  std::span<const Participant> all_;
};

}  // namespace

bool is_group_operation(Op op) {
  return (op >= Op::OpGroupNonUniformElect && op <= Op::OpGroupNonUniformQuadSwap) ||
         op == Op::OpGroupNonUniformRotateKHR || op == Op::OpGroupNonUniformPartitionNV ||
         op == Op::OpSubgroupBallotKHR || op == Op::OpSubgroupFirstInvocationKHR ||
         op == Op::OpSubgroupAllKHR || op == Op::OpSubgroupAnyKHR ||
         op == Op::OpSubgroupAllEqualKHR || op == Op::OpSubgroupReadInvocationKHR ||
         op == OpGroupNonUniformQuadAllKHR || op == OpGroupNonUniformQuadAnyKHR;
}

std::vector<Value> group_operation(const Module& module, const Instruction& i, int size,
                                   std::span<const Participant> all) {
  std::vector<Value> results;
  const Operation operation(module, i, size, all);
  for (const Participant& p : all) results.push_back(operation.result(p));
  return results;
}

}  // namespace lockstep::walker
