#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "shader/run/ops/chosen_order.hpp"
#include "shader/run/ops/number.hpp"

/// \file
/// Reductions and scans of floats in any order: the result of an addition or multiplication of more than two values
/// depends on which are combined first.

namespace lockstep::spirv {
namespace {

using Takes = FloatReduction::Takes;

Takes takes_of(Code code) {
  switch (code) {
    case Code::inclusive_scan:
    case Code::partitioned_inclusive_scan:
      return Takes::up_to_own;
    case Code::exclusive_scan:
    case Code::partitioned_exclusive_scan:
      return Takes::below_own;
    default:
      return Takes::all;
  }
}

FloatReduction::Type type_of(Scalar type) {
  return type == Scalar::f16   ? FloatReduction::Type::f16
         : type == Scalar::f32 ? FloatReduction::Type::f32
                               : FloatReduction::Type::f64;
}

/// The bits of a lane's operand, of that many bytes.
std::uint64_t operand(const Context& c, const Slot& slot, int lane, std::size_t bytes) {
  std::uint64_t bits = 0;
  const std::size_t at = slot.varying ? static_cast<std::size_t>(lane) * bytes : 0;
  std::memcpy(&bits, c.regs + slot.at + at, bytes);
  return bits;
}

/// A partitioned operation's ballot is the operand after the value.
LaneSet ballot_of(const Context& c, const ListArgs& list, int lane) {
  std::array<std::uint64_t, 4> words{};
  for (std::size_t k = 0; k < words.size(); ++k) words[k] = operand(c, list.slots[1 + k], lane, 4);
  return {words[0] | words[1] << 32, words[2] | words[3] << 32};
}

/// The lanes with which a lane combines values, active or not.
LaneSet group_of(const Context& c, const Op& op, const ListArgs& list, int lane) {
  switch (op.code) {
    case Code::clustered: {
      const int size = static_cast<int>(op.as<Reduction>().cluster);
      const int first = lane / size * size;
      return LaneSet::first_n(first + size).without(LaneSet::first_n(first));
    }
    case Code::partitioned_reduce:
    case Code::partitioned_inclusive_scan:
    case Code::partitioned_exclusive_scan:
      return ballot_of(c, list, lane);
    default:
      return LaneSet::first_n(128);
  }
}

}  // namespace

std::vector<LaneResult> reduced_in_chosen_order(const Inst* i, const Context& c,
                                                const ListArgs& list) {
  Chooser* chooser = chooser_for(c, Choice::reduction_order);
  if (chooser == nullptr) return {};
  const Op& op = op_of(c, i);
  const auto* reduction = std::get_if<Reduction>(&op.detail);
  if (reduction == nullptr || !is_float(op.type)) return {};
  if (reduction->op != Operator::add && reduction->op != Operator::mul) return {};
  FloatReduction floats{.type = type_of(op.type),
                        .multiplies = reduction->op == Operator::mul,
                        .takes = takes_of(op.code)};
  std::vector<std::uint64_t> values(static_cast<std::size_t>(c.size));
  for_each_lane(c.state.active, [&](int lane) {
    const auto k = static_cast<std::size_t>(lane);
    floats.group[k] = group_of(c, op, list, lane);
    values[k] = operand(c, list.slots[0], lane, size_of(op.type));
  });
  return reduce_in_chosen_order(*chooser, where(c, i), to_lane_set(c.state.active), floats, values);
}

}  // namespace lockstep::spirv
