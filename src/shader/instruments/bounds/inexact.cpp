#include "shader/instruments/bounds/inexact.hpp"

#include <algorithm>

#include "shader/instruments/undefined/undefined_results.hpp"
#include "shader/ir/operations.hpp"

namespace lockstep::spirv {

Inexact::Inexact(const Ir& ir, ControlEffects& effects, const std::vector<bool>& unassigned)
    : ir_(ir), effects_(effects), may_(ir.regs.size()) {
  for (Reg r = 0; r < may_.size(); ++r)
    may_[r] = ir.regs[r].undefined || ir.regs[r].open || unassigned[r];
  for (const ResourceUse& use : ir.resources)
    memory_ = memory_ || (use.kind == ResourceUse::Kind::workgroup && use.zeroed < use.bytes);
  do {
    changed_ = false;
    for (const Op& op : ir.ops) visit(op);
    for (const IndexedVariable& v : ir.indexed) {
      if (any(v.regs)) mark(v.regs);
    }
    for (std::uint32_t k = 0; k < ir.constructs; ++k) {
      if (effects.of(k).decides) mark(effects.of(k).written);
      if (effects.of(k).decides && !effects.of(k).stores.empty() && !memory_)
        memory_ = changed_ = true;
    }
  } while (changed_);
}

bool Inexact::any(std::span<const Reg> regs) const {
  return std::any_of(regs.begin(), regs.end(), [&](Reg r) { return r != no_reg && has(r); });
}
void Inexact::mark(Reg r) {
  changed_ = changed_ || !may_[r];
  may_[r] = true;
}
void Inexact::mark_memory() {
  changed_ = changed_ || !memory_;
  memory_ = true;
}
void Inexact::mark(std::span<const Reg> regs) {
  for (const Reg r : regs) mark(r);
}

/// Whether a component-wise operation gives something inexact of exact operands.
bool Inexact::begins(const Op& op) const {
  switch (operation_of(op.code).precision) {
    case Precision::passes_on:
      return false;
    case Precision::of_bits:
      return true;
    case Precision::converts:
      return is_float(op.type) || is_float(op.from);
    case Precision::exact:
    case Precision::rounds:
      return is_float(op.type) || has_domain(op, ir_.regs);
  }
  return true;
}

void Inexact::visit_condition(const Op& op) {
  if (!has(op.src[0])) return;
  decides_ = true;
  if (effects_.decide(construct_of(op))) changed_ = true;
}

void Inexact::visit(const Op& op) {
  if (is_pure(op.code)) {
    if (any(op.src) || begins(op)) mark(op.dst);
    return;
  }
  if (is_subgroup(op.code)) {
    // Where lanes may be apart, other ones may take part.
    if (any(op.src) || decides_ || is_reduction_of_floats(op) || undefined_rule(op)) mark(op.dst);
    return;
  }
  using See = void (Inexact::*)(const Op& op);
  static constexpr See of_effects[] = {
#define LOCKSTEP_ROW(code, operands, result, uniformity, undefined, bounds, event, instruction) \
  &Inexact::see_##bounds,
      LOCKSTEP_EFFECTS(LOCKSTEP_ROW)
#undef LOCKSTEP_ROW
  };
  if (!is_control(op.code)) {
    const auto row = static_cast<std::size_t>(op.code) - static_cast<std::size_t>(Code::move);
    return (this->*of_effects[row])(op);
  }
  if (op.code == Code::if_begin || op.code == Code::switch_begin) visit_condition(op);
  if (op.code == Code::loop_test && op.as<LoopTest>().kind == LoopTest::Kind::asks)
    visit_condition(op);
}

// ---- What the column `bounds` of effects names ----

void Inexact::see_nothing(const Op&) {}
void Inexact::see_of_operands(const Op& op) {
  if (any(op.src)) mark(op.dst);
}
void Inexact::see_move(const Op& op) { see_of_operands(op); }
void Inexact::see_load(const Op& op) {
  if (memory_ || any(op.src)) mark(op.dst);
}
void Inexact::see_store(const Op& op) {
  if (any(op.src)) mark_memory();
}
void Inexact::see_atomic(const Op& op) {
  mark_memory();
  mark(op.dst);
}
void Inexact::see_load_indexed(const Op& op) {
  if (any(op.src) || any(ir_.indexed[op.as<IndexedPlace>().variable].regs)) mark(op.dst);
}
void Inexact::see_store_indexed(const Op& op) {
  if (any(op.src)) mark(ir_.indexed[op.as<IndexedPlace>().variable].regs);
}
void Inexact::see_image_store(const Op&) { mark_memory(); }
void Inexact::see_image_load(const Op& op) { mark(op.dst); }
void Inexact::see_image_sample(const Op& op) { mark(op.dst); }

}  // namespace lockstep::spirv
