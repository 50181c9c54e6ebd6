#include "shader/instruments/undefined/may_be_undefined.hpp"

#include <algorithm>

#include "shader/ir/assigned.hpp"

namespace lockstep::spirv {

MayBeUndefined::MayBeUndefined(const Ir& ir, Checks rules)
    : ir_(ir), rules_(rules), unassigned_(ir.regs.size()), registers_(ir.regs.size()) {
  const bool variables = rules.has(Check::uninitialised_variable);
  if (variables) unassigned_ = find_unassigned(ir);
  for (const ResourceUse& use : ir.resources) {
    tracked_.push_back(use.kind == ResourceUse::Kind::workgroup && !use.by_address);
    shared_.push_back(tracked_.back() && starts_undefined(use));
  }
  for (Reg r = 0; r < registers_.size(); ++r)
    registers_[r] = unassigned_[r] || (variables && ir.regs[r].undefined);
  do {
    changed_ = false;
    for (const Op& op : ir.ops) find(op);
    for (const IndexedVariable& v : ir.indexed) {
      if (any(v.regs)) mark(v.regs);
    }
  } while (changed_);
}

bool MayBeUndefined::any(std::span<const Reg> regs) const {
  return std::any_of(regs.begin(), regs.end(), [&](Reg r) { return (*this)(r); });
}

bool MayBeUndefined::is_shared(const Op& op) const {
  return (op.code == Code::load || op.code == Code::store || op.code == Code::atomic) &&
         tracked_[place_of(op).resource];
}

bool MayBeUndefined::starts_undefined(const ResourceUse& use) const {
  return use.zeroed < use.bytes && rules_.has(Check::uninitialised_shared);
}

bool MayBeUndefined::begins_in(const Op& op) const {
  return is_pure(op.code) && has_domain(op, ir_.regs) && rules_.has(domain_rule(op.code));
}

std::optional<UndefinedBetweenLanes> MayBeUndefined::between_lanes(const Op& op) const {
  auto found = undefined_rule(op);
  const bool beyond = found && found->is_relative && rules_.has(Check::shuffle_past_edge);
  if (found && !rules_.has(found->rule) && !beyond) found.reset();
  return found;
}

void MayBeUndefined::find(const Op& op) {
  using Find = void (MayBeUndefined::*)(const Op& op);
  static constexpr Find of_effects[] = {
#define LOCKSTEP_ROW(code, operands, result, uniformity, undefined, bounds, event, instruction) \
  &MayBeUndefined::find_##undefined,
      LOCKSTEP_EFFECTS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
  };
  if (is_control(op.code)) return;
  if (is_pure(op.code)) {
    if (any(op.src) || begins_in(op)) mark(op.dst);
  } else if (is_subgroup(op.code)) {
    if (any(op.src) || between_lanes(op)) mark(op.dst);
  } else {
    const auto row = static_cast<std::size_t>(op.code) - static_cast<std::size_t>(Code::move);
    (this->*of_effects[row])(op);
  }
}

// ---- What the column `undefined` of effects names ----

void MayBeUndefined::find_move(const Op& op) {
  if (any(op.src)) mark(op.dst);
}
void MayBeUndefined::find_load(const Op& op) {
  if (is_shared(op)) find_in_shared(op);
}
void MayBeUndefined::find_store(const Op& op) {
  if (is_shared(op)) find_in_shared(op);
}
void MayBeUndefined::find_atomic(const Op& op) {
  if (is_shared(op)) find_in_shared(op);
}
void MayBeUndefined::find_load_indexed(const Op& op) {
  if (any(ir_.indexed[op.as<IndexedPlace>().variable].regs)) mark(op.dst);
}
void MayBeUndefined::find_store_indexed(const Op& op) {
  if ((*this)(op.src[1])) mark(ir_.indexed[op.as<IndexedPlace>().variable].regs);
}

void MayBeUndefined::find_in_shared(const Op& op) {
  const std::uint32_t resource = place_of(op).resource;
  const bool takes_over =
      op.code == Code::store || (op.code == Code::atomic && keeps_operand(op.as<AtomicOp>().op));
  if (takes_over && any(std::span(op.src).subspan(1))) mark_shared(resource);
  if (op.code != Code::store && shared_[resource] && !op.dst.empty()) mark(op.dst);
}

void MayBeUndefined::mark(std::span<const Reg> regs) {
  for (const Reg r : regs) {
    changed_ = changed_ || !registers_[r];
    registers_[r] = true;
  }
}

void MayBeUndefined::mark_shared(std::uint32_t resource) {
  changed_ = changed_ || !shared_[resource];
  shared_[resource] = true;
}

}  // namespace lockstep::spirv
