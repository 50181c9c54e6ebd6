#include "shader/instruments/bounds/allowed_control.hpp"

#include <optional>
#include <utility>

namespace lockstep::spirv {

using Kind = Bound::Kind;

AllowedControl::AllowedControl(AllowedValues& allowed, const std::vector<Op>& before)
    : allowed_(allowed), before_(before), later_(allowed.ir(), before) {
  if (!allowed.inexact().decides()) return;
  control_ = allowed.new_allowed(true);
  group_ = allowed.new_allowed(true);
}

void AllowedControl::track(Op&& op) {
  const std::uint32_t construct = construct_of(op);
  const bool decides =
      construct != no_construct && control_ != no_reg && allowed_.effects().of(construct).decides;
  switch (op.code) {
    case Code::if_begin:
    case Code::switch_begin:
    case Code::loop_begin:
    case Code::call_begin:
      if (decides) save(construct);
      if (op.code == Code::if_begin || op.code == Code::switch_begin) enter(op);
      break;
    case Code::loop_test:
      if (op.as<LoopTest>().kind == LoopTest::Kind::asks) enter(op);
      break;
    case Code::if_end:
    case Code::switch_end:
    case Code::loop_end:
    case Code::call_end:
      allowed_.ops().keep(std::move(op));
      if (decides) leave(construct);
      return;
    default:
      break;
  }
  allowed_.ops().keep(std::move(op));
}

void AllowedControl::save(std::uint32_t construct) {
  const Reg control = allowed_.new_allowed(true), group = allowed_.new_allowed(true);
  saved_[construct] = {control, group};
  allowed_.copy(control, control_);
  allowed_.copy(group, group_);
}

void AllowedControl::enter(const Op& op) {
  if (!allowed_.may(op.src[0])) return;
  allowed_.append(Kind::enter, {control_}, {control_, allowed_.of(op.src[0])});
  const std::uint32_t reach = allowed_.effects().reach(construct_of(op));
  const auto& stores =
      reach == leaves_all ? allowed_.effects().all_stores() : allowed_.effects().of(reach).stores;
  for (const std::uint32_t k : stores) {
    if (later_.may_follow(k, position_, reach)) taint(k, reach);
  }
  allowed_.append(Kind::spread, {group_}, {group_, control_});
}

/// What a later store may leave: in one element of each lane if that is known, or anywhere in the resource.
void AllowedControl::taint(std::uint32_t store, std::uint32_t reach) {
  const Op& op = before_[store];
  const bool any_image = op.code == Code::image_store && op.as<ImageOp>().choices > 0;
  const Reg index = index_of(op);
  const auto known = any_image ? std::nullopt : later_.computed_by(index, store, position_, reach);
  std::vector<Reg> src{no_reg, control_};
  if (known) {
    src[0] = computed_here(index, known->ops);
    for (const Reg r : allowed_.of_all(known->roots)) src.push_back(r);
  }
  allowed_.append(Kind::taint, {}, std::move(src), kept(op)).element = known.has_value();
}

/// Repeats operations, and returns what a register is by them.
Reg AllowedControl::computed_here(Reg r, const std::vector<std::uint32_t>& ops) {
  std::map<Reg, Reg> copies;
  for (const std::uint32_t k : ops) {
    Op op = before_[k];
    for (Reg& source : op.src) {
      if (const auto known = copies.find(source); known != copies.end()) source = known->second;
    }
    if (op.code == Code::move) {
      copies[op.dst[0]] = op.src[0];
      continue;
    }
    RegInfo info = allowed_.ir().regs[op.dst[0]];
    info.variable = false;
    allowed_.ir().regs.push_back(info);
    const Reg again = static_cast<Reg>(allowed_.ir().regs.size() - 1);
    copies[op.dst[0]] = again;
    op.dst = {again};
    op.silent = true;
    op.masked = false;
    op.where = allowed_.ops().where();
    allowed_.ops().keep(std::move(op));
  }
  const auto found = copies.find(r);
  return found == copies.end() ? r : found->second;
}

void AllowedControl::leave(std::uint32_t construct) {
  const ConstructEffects& effects = allowed_.effects().of(construct);
  for (const Reg r : effects.written) {
    if (allowed_.may(r))
      allowed_.append(Kind::mark, {allowed_.of_variable(r)}, {allowed_.of_variable(r), control_});
  }
  // Lanes that jumped away are missing until where they went.
  if (effects.leaves != no_construct) return;
  allowed_.copy(control_, saved_.at(construct).first);
  allowed_.copy(group_, saved_.at(construct).second);
}

}  // namespace lockstep::spirv
