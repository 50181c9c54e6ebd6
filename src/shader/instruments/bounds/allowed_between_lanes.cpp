#include "shader/instruments/bounds/allowed_between_lanes.hpp"

#include <utility>
#include <vector>

#include "shader/instruments/undefined/undefined_results.hpp"
#include "shader/ir/built_ins.hpp"

namespace lockstep::spirv {

using Kind = Bound::Kind;

namespace {

/// Whether the operation moves its first operand between lanes and does nothing else.
bool is_move_between_lanes(const Op& op) {
  using enum spec::Form;
  if (std::holds_alternative<Reduction>(op.detail)) return false;
  const spec::Form form = spec::function(name_of(op)).form;
  return form == value_index || form == value_index_cluster || form == value;
}

}  // namespace

void AllowedBetweenLanes::track(Op&& op) {
  if (!allowed_.inexact().any(op.dst)) {
    allowed_.ops().keep(std::move(op));
    return;
  }
  std::vector<Reg> src{lanes_undefined(op), control_.group()};
  for (const Reg r : allowed_.of_all(op.src)) src.push_back(r);
  const auto of = kept(op);
  if (is_reduction_of_floats(op)) {
    src.insert(src.begin(), {op.src[0], op.dst[0]});
    for (std::size_t k = 1; k < op.src.size(); ++k) src.push_back(op.src[k]);
    allowed_.ops().keep(std::move(op));
    allowed_.append(Kind::reduce, {allowed_.result(of->dst[0])}, std::move(src), of).ordered =
        ordered_;
    return;
  }
  if (is_move_between_lanes(op)) {
    src.insert(src.begin(), source_lanes(op));
    allowed_.append(Kind::gather, {allowed_.result(op.dst[0])}, std::move(src), of);
  } else {
    std::vector<Reg> dst;
    for (const Reg r : op.dst)
      dst.push_back(allowed_.may(r) ? allowed_.result(r) : allowed_.new_allowed());
    allowed_.append(Kind::between, std::move(dst), std::move(src), of);
  }
  allowed_.ops().keep(std::move(op));
}

/// The lane that each lane's value comes from: what the operation does to the lanes' numbers.
Reg AllowedBetweenLanes::source_lanes(const Op& op) {
  Op moved = op;
  const Reg dst = add_register(allowed_.ir(), {.type = Scalar::u32});
  moved.type = Scalar::u32;
  moved.src[0] = lane_numbers();
  moved.dst = {dst};
  moved.silent = true;
  moved.part = 0;
  moved.parts = 1;
  allowed_.ops().keep(std::move(moved));
  return dst;
}

Reg AllowedBetweenLanes::lanes_undefined(const Op& op) {
  if (!undefined_rule(op)) return no_reg;
  const Reg where = add_register(allowed_.ir(), {.type = Scalar::boolean});
  allowed_.ops().add(Code::undefined_lanes, op.type, {where}, op.src).detail =
      undefined_lanes_of(op);
  return where;
}

Reg AllowedBetweenLanes::lane_numbers() {
  if (lane_ == no_reg) {
    BuiltInUse use{spv::BuiltIn::SubgroupLocalInvocationId, {}};
    for (const BuiltInUse& known : allowed_.ir().built_ins) {
      if (known.built_in == use.built_in) lane_ = known.regs[0];
    }
    if (lane_ == no_reg) {
      lane_ = add_register(allowed_.ir(), {.type = Scalar::u32});
      allowed_.ir().regs[lane_].lanes = true;
      use.regs = {lane_};
      allowed_.ir().built_ins.push_back(use);
    }
  }
  return lane_;
}

}  // namespace lockstep::spirv
