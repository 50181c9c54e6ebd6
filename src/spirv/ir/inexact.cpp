#include "spirv/ir/inexact.hpp"

#include <algorithm>

#include "spirv/ir/operations.hpp"
#include "spirv/ir/undefined_results.hpp"

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
  switch (op.code) {
    case Code::move:
      if (any(op.src)) mark(op.dst);
      return;
    case Code::load:
    case Code::load_address:
      if (memory_ || any(op.src)) mark(op.dst);
      return;
    case Code::store:
    case Code::store_address:
      if (any(op.src) && !memory_) memory_ = changed_ = true;
      return;
    case Code::atomic:
    case Code::atomic_address:
      if (!memory_) memory_ = changed_ = true;
      mark(op.dst);
      return;
    case Code::load_indexed:
      if (any(op.src) || any(ir_.indexed[op.as<IndexedPlace>().variable].regs)) mark(op.dst);
      return;
    case Code::store_indexed:
      if (any(op.src)) mark(ir_.indexed[op.as<IndexedPlace>().variable].regs);
      return;
    case Code::array_length:
    case Code::image_texel:
    case Code::image_size:
      if (any(op.src)) mark(op.dst);
      return;
    case Code::image_store:
      if (!memory_) memory_ = changed_ = true;
      return;
    case Code::image_load:
    case Code::image_sample:
    case Code::clock:
      mark(op.dst);
      return;
    case Code::if_begin:
    case Code::switch_begin:
      return visit_condition(op);
    case Code::loop_test:
      if (op.as<LoopTest>().kind == LoopTest::Kind::asks) visit_condition(op);
      return;
    default:
      return;
  }
}

}  // namespace lockstep::spirv
