#include "shader/ir/verify_op.hpp"

#include <algorithm>

#include "shader/ir/built_ins.hpp"
#include "shader/ir/operations.hpp"

namespace lockstep::spirv {
namespace {

constexpr const char* wrong_number = "has too few or too many operands";
constexpr const char* wrong_type = "has an operand or result of the wrong type";

/// OperandList and results of one operation.
class OpVerifier {
 public:
  OpVerifier(const Op& op, std::span<const RegInfo> regs, std::optional<Scalar> result)
      : op_(op), regs_(regs), result_(result) {}

  const char* wrong() const {
    if (is_subgroup(op_.code)) return subgroup();
    const Operation& row = operation_of(op_.code);
    if (!has_number(row.operands) || !has_choice()) return wrong_number;
    return unless(has_types(row.operands) && has_results(row.result));
  }

 private:
  bool is(Reg r, Scalar type) const {
    return r < regs_.size() && same_contents(regs_[r].type, type);
  }
  bool sources(std::initializer_list<Scalar> types) const {
    return std::equal(op_.src.begin(), op_.src.end(), types.begin(), types.end(),
                      [&](Reg r, Scalar type) { return is(r, type); });
  }
  bool results(Scalar type) const {
    if (result_ && !same_contents(*result_, type)) return false;
    return std::all_of(op_.dst.begin(), op_.dst.end(), [&](Reg r) { return is(r, type); });
  }
  static const char* unless(bool right) { return right ? nullptr : wrong_type; }

  /// Whether there are as many operands as the row says.
  bool has_number(const OperandList& operands) const {
    std::size_t least = 0, most = 0;
    for (std::size_t k = 0; k < operands.count; ++k) {
      const Operand::Number number = operands.each[k].number;
      if (number == Operand::Number::rest) most = op_.src.size();
      if (number == Operand::Number::rest) continue;
      ++most;
      if (number != Operand::Number::optional) ++least;
    }
    return op_.src.size() >= least && op_.src.size() <= most;
  }
  /// Whether a store to one of several images has the operand that chooses it, and no other has it.
  bool has_choice() const {
    return op_.code != Code::image_store ||
           op_.src.size() == 5u + (op_.as<ImageOp>().choices > 0 ? 1u : 0u);
  }
  bool is(Reg r, const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::type:
        return is(r, op_.type);
      case Operand::Kind::real_type:
        return is(r, op_.type) && is_float(op_.type);
      case Operand::Kind::integer_type:
        return is(r, op_.type) && is_integer(r);
      case Operand::Kind::from:
        return is(r, op_.from);
      case Operand::Kind::integer:
        return is_integer(r);
      case Operand::Kind::fixed:
        return is(r, operand.scalar);
      case Operand::Kind::anything:
        return true;
    }
    return false;
  }
  bool has_types(const OperandList& operands) const {
    for (std::size_t k = 0; k < op_.src.size(); ++k) {
      const Operand& operand = operands.each[std::min(k, operands.count - 1)];
      const bool is_absent = op_.src[k] == no_reg && operand.number == Operand::Number::or_none;
      if (!is_absent && !is(op_.src[k], operand)) return false;
    }
    return true;
  }
  bool has_results(const Operand& result) const {
    if (result.kind == Operand::Kind::anything) return true;
    return results(result.kind == Operand::Kind::fixed ? result.scalar : op_.type);
  }

  const char* subgroup() const {
    using enum spec::Form;
    constexpr Scalar bit = Scalar::boolean, word = Scalar::u32;
    const Scalar type = op_.type;
    switch (spec::function(name_of(op_)).form) {
      case nothing:
        return unless(sources({}) && results(bit));
      case condition:
        return unless(sources({bit}) && results(bit));
      case condition_to_ballot:
        return unless(sources({bit}) && results(word));
      case comparison:
        return unless(sources({type}) && results(bit));
      case value:
      case value_cluster:
        return unless(sources({type}) && results(type));
      case value_index:
      case value_index_cluster:
        return unless(sources({type, word}) && results(type));
      case value_ballot:
        return unless(sources({type, word, word, word, word}) && results(type));
      case value_to_ballot:
        return unless(sources({type}) && results(word));
      case ballot:
        return unless(sources({word, word, word, word}) && results(type));
      case ballot_index:
        return unless(sources({word, word, word, word, word}) && results(type));
    }
    return nullptr;
  }

  bool is_integer(Reg r) const {
    if (r >= regs_.size()) return false;
    return regs_[r].type != Scalar::boolean && !is_float(regs_[r].type);
  }

  const Op& op_;
  std::span<const RegInfo> regs_;
  std::optional<Scalar> result_;
};

}  // namespace

const char* wrong_with(const Op& op, std::span<const RegInfo> regs, std::optional<Scalar> result) {
  return OpVerifier(op, regs, result).wrong();
}

}  // namespace lockstep::spirv
