#include "shader/instruments/undefined/tracked_subgroup.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "shader/instruments/undefined/undefined_results.hpp"
#include "shader/ir/built_ins.hpp"
#include "shader/ir/operations.hpp"

namespace lockstep::spirv {
namespace {

/// Which of a subgroup operation's operands must be the same in its whole tangle: from the first to one after the last.
std::pair<std::size_t, std::size_t> same_operands(const Op& op) {
  const spec::BuiltIn& built_in = spec::function(name_of(op));
  const auto* broadcast = std::get_if<Broadcast>(&op.detail);
  if (!built_in.rule.needs_same || (broadcast != nullptr && broadcast->any_index)) return {0, 0};
  return {built_in.form == spec::Form::ballot ? 0 : 1, op.src.size()};
}

}  // namespace

void TrackedSubgroup::track(Op&& op) {
  const auto [first, end] = same_operands(op);
  shadows_.report(shadows_.of_all(std::span(op.src).subspan(first, end - first)),
                  UndefinedUse::Kind::same_operand);
  if (shadows_.any_may(op.dst)) {
    const Reg shadow = begun_between_lanes(op, moved(op));
    for (const Reg r : op.dst) shadows_.define(r, shadow);
  }
  shadows_.ops().keep(std::move(op));
}

Reg TrackedSubgroup::moved(const Op& op) {
  using enum spec::Form;
  switch (spec::function(name_of(op)).form) {
    case nothing:
      return no_reg;
    case condition:
      return of_vote(op);
    case condition_to_ballot:
    case comparison:
    case value_to_ballot:
      return in_any_lane(shadows_.of(op.src[0]));
    case ballot:
    case ballot_index:
      return op.code == Code::inverse_ballot ? no_reg : shadows_.of_all(op.src);
    case value:
    case value_cluster:
    case value_ballot:
      return passed_on(op);
    case value_index:
    case value_index_cluster: {
      const bool same = same_operands(op).second != 0;
      return shadows_.joined(passed_on(op), same ? no_reg : shadows_.of(op.src[1]));
    }
  }
  return no_reg;
}

Reg TrackedSubgroup::in_any_lane(Reg shadow) {
  if (shadow == no_reg) return no_reg;
  const Reg dst = shadows_.new_reg(Scalar::u32);
  shadows_.append(Code::reduce, Scalar::u32, {dst}, {shadow}).detail = Reduction{Operator::max, 0};
  return dst;
}

Reg TrackedSubgroup::of_vote(const Op& op) {
  const Reg mine = shadows_.of(op.src[0]);
  if (mine == no_reg) return no_reg;
  if (op.code != Code::all && op.code != Code::any) {
    const Reg quad = shadows_.new_reg(Scalar::u32);
    shadows_.append(Code::clustered, Scalar::u32, {quad}, {mine}).detail =
        Reduction{Operator::max, 4};
    return quad;
  }
  const Reg counts =
      op.code == Code::any ? op.src[0] : shadows_.emit(Code::bnot, Scalar::boolean, {op.src[0]});
  const Reg decided = shadows_.new_reg(Scalar::boolean);
  shadows_.append(Code::any, Scalar::boolean, {decided},
                  {shadows_.both(counts, shadows_.is_zero(mine))});
  return shadows_.select(decided, shadows_.constant(0), in_any_lane(mine));
}

Reg TrackedSubgroup::passed_on(const Op& op) {
  const Reg mine = shadows_.of(op.src[0]);
  if (mine == no_reg) return no_reg;
  std::vector<Reg> src = op.src;
  src[0] = mine;
  const Reg dst = shadows_.new_reg(Scalar::u32);
  Op& to = shadows_.append(op.code, Scalar::u32, {dst}, std::move(src));
  to.detail = op.detail;
  if (auto* reduction = std::get_if<Reduction>(&to.detail)) reduction->op = Operator::max;
  return dst;
}

Reg TrackedSubgroup::begun_between_lanes(const Op& op, Reg taken) {
  const auto undefined = shadows_.may_be_undefined().between_lanes(op);
  if (!undefined) return taken;
  const auto lanes = [&](bool outside) {
    const Reg where = shadows_.new_reg(Scalar::boolean);
    Op& to = shadows_.append(Code::undefined_lanes, op.type, {where}, op.src);
    UndefinedLanes detail = undefined_lanes_of(op);
    detail.outside = outside;
    detail.if_agreed = shadows_.rules().has(Check::broadcast_not_uniform);
    to.detail = detail;
    return where;
  };
  const auto number_of = [&](Check rule, const std::string& what) {
    return shadows_.constant(shadows_.rules().has(rule) ? shadows_.origin(rule, what, op.where)
                                                        : 0);
  };
  Reg number = number_of(undefined->rule, undefined->what);
  if (undefined->is_relative)
    number = shadows_.select(lanes(true),
                             number_of(Check::shuffle_past_edge, undefined->what_outside), number);
  return shadows_.select(lanes(false), number, taken == no_reg ? shadows_.constant(0) : taken);
}

}  // namespace lockstep::spirv
