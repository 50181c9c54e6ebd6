#include "shader/instruments/bounds/bounded_control.hpp"

#include <algorithm>

#include "shader/ir/regions.hpp"

namespace lockstep::spirv {
namespace {

bool writes_memory(Code code) {
  return code == Code::store || code == Code::store_address || code == Code::atomic ||
         code == Code::atomic_address || code == Code::image_store;
}

}  // namespace

ControlEffects::ControlEffects(const Ir& ir) : list_(ir.constructs) {
  std::uint32_t innermost = no_construct;
  std::vector<std::uint32_t> calls;
  for (std::uint32_t k = 0; k < ir.ops.size(); ++k) {
    const Op& op = ir.ops[k];
    const std::uint32_t construct = construct_of(op);
    if (opens_construct(op.code)) {
      list_[construct].parent = innermost;
      innermost = construct;
      if (op.code == Code::call_begin) calls.push_back(construct);
    } else if (closes_construct(op.code)) {
      innermost = list_[construct].parent;
      if (op.code == Code::call_end) calls.pop_back();
    } else if (op.code == Code::retire) {
      note_jump(innermost, calls.empty() ? leaves_all : calls.back());
    } else if (op.code == Code::leave_loop || op.code == Code::leave_loop_around ||
               op.code == Code::leave_trip) {
      note_jump(innermost, construct);
    } else if (writes_memory(op.code)) {
      note_store(k, innermost);
    }
    if (op.code == Code::store_indexed) {
      for (const Reg r : ir.indexed[op.as<IndexedPlace>().variable].regs) note_write(r, innermost);
    }
    visit_results(op, [&](Reg r) {
      if (ir.regs[r].variable) note_write(r, innermost);
    });
  }
}

void ControlEffects::note_store(std::uint32_t op, std::uint32_t innermost) {
  stores_.push_back(op);
  for (std::uint32_t c = innermost; c != no_construct; c = list_[c].parent)
    list_[c].stores.push_back(op);
}
void ControlEffects::note_write(Reg variable, std::uint32_t innermost) {
  for (std::uint32_t c = innermost; c != no_construct; c = list_[c].parent) {
    auto& written = list_[c].written;
    if (std::find(written.begin(), written.end(), variable) == written.end())
      written.push_back(variable);
  }
}

bool ControlEffects::is_around(std::uint32_t outer, std::uint32_t inner) const {
  if (outer == leaves_all) return true;
  for (std::uint32_t c = list_[inner].parent; c != no_construct; c = list_[c].parent) {
    if (c == outer) return true;
  }
  return false;
}

/// Every construct between the jump and its target is left; of several targets the outermost counts.
void ControlEffects::note_jump(std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t c = from; c != no_construct && c != to; c = list_[c].parent) {
    std::uint32_t& known = list_[c].leaves;
    if (known == no_construct ||
        (known != leaves_all && (to == leaves_all || is_around(to, known))))
      known = to;
  }
}

bool ControlEffects::decide(std::uint32_t construct) {
  if (list_[construct].decides) return false;
  list_[construct].decides = true;
  // Up to its target, lanes that jumped away are missing.
  const std::uint32_t to = list_[construct].leaves;
  if (to == no_construct) return true;
  for (std::uint32_t c = list_[construct].parent; c != no_construct; c = list_[c].parent) {
    decide(c);
    if (c == to) break;
  }
  return true;
}

std::uint32_t ControlEffects::reach(std::uint32_t construct) const {
  std::uint32_t c = construct;
  while (list_[c].leaves != no_construct) {
    if (list_[c].leaves == leaves_all) return leaves_all;
    c = list_[c].leaves;
  }
  return c;
}

}  // namespace lockstep::spirv
