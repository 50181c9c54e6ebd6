#include "shader/run/branches.hpp"

#include "shader/ir/steps.hpp"

namespace lockstep::spirv {

Branches::Branches(const Ir& ir, bool tangled)
    : ir_(ir), tangled_(tangled), is_jump_(ir.constructs + 1) {
  for (const Op& op : ir.ops) {
    if (op.code == Code::leave_trip) continued_.insert(construct_of(op));
    if (op.code == Code::loop_test) {
      const auto& test = op.as<LoopTest>();
      const bool always = ir.regs[op.src[0]].constant && ir.regs[op.src[0]].value != 0;
      if (test.kind == LoopTest::Kind::asks && !always) tested_.insert(test.construct);
      if (test.kind == LoopTest::Kind::precedes) tested_last_.insert(test.construct);
    }
    if (op.code == Code::if_begin)
      is_jump_[construct_of(op)] = !tangled && ir.regs[op.src[0]].uniform;
  }
  find_apart();
}

void Branches::find_apart() {
  std::vector<std::uint32_t> around;  // the loops and calls around an operation
  for (std::uint32_t k = 0; k < ir_.ops.size(); ++k) {
    const Op& op = ir_.ops[k];
    switch (op.code) {
      case Code::loop_begin:
      case Code::call_begin:
        around.push_back(construct_of(op));
        break;
      case Code::loop_end:
      case Code::call_end:
        around.pop_back();
        break;
      case Code::loop_test:
        if (!is_jump_out(op)) apart_.insert(construct_of(op));
        break;
      case Code::retire:
        if (is_last_return(k)) break;
        [[fallthrough]];
      case Code::leave_loop:
      case Code::leave_loop_around:
      case Code::leave_trip:
        apart_.insert(around.begin(), around.end());
        break;
      default:
        break;
    }
  }
}

bool Branches::is_last_return(std::uint32_t k) const {
  return ir_.ops[k].code == Code::retire && k + 1 < ir_.ops.size() &&
         ir_.ops[k + 1].code == Code::call_end;
}

bool Branches::is_jump_out(const Op& op) const {
  return !tangled_ && ir_.regs[op.src[0]].uniform && !continues(op);
}
bool Branches::is_empty_else(std::uint32_t k) const {
  return ir_.ops[k].code == Code::if_else && k + 1 < ir_.ops.size() &&
         ir_.ops[k + 1].code == Code::if_end &&
         construct_of(ir_.ops[k + 1]) == construct_of(ir_.ops[k]);
}
bool Branches::is_break(std::uint32_t k) const {
  return ir_.ops[k].code == Code::if_begin && !tangled_ && !is_jump(ir_.ops[k]) &&
         k + 2 < ir_.ops.size() && ir_.ops[k + 1].code == Code::leave_loop && is_empty_else(k + 2);
}
bool Branches::goes_back(std::uint32_t k) const {
  return !tangled_ && ir_.ops[k].code == Code::trip_end && !is_loop_of_all(ir_.ops[k]) &&
         k + 1 < ir_.ops.size() && ir_.ops[k + 1].code == Code::loop_back;
}

void Branches::set_targets(Program& program, const std::vector<std::uint32_t>& start) const {
  const Around around = find_around();
  const auto inst_at = [&](std::uint32_t op) { return &program.insts[start[op]]; };
  for (std::uint32_t k = 0; k < ir_.ops.size(); ++k) {
    if (start[k] == start[k + 1]) continue;
    Inst& inst = program.insts[start[k]];
    const Op& op = ir_.ops[k];
    if (op.code == Code::loop_back) {
      inst.target = inst_at(around.loops[construct_of(op)].head);
    } else if (goes_back(k)) {
      inst.target = inst_at(around.loops[construct_of(op)].head);
      inst.args = inst_at(around.loops[construct_of(op)].end);
    } else if (is_break(k)) {
      inst.target = inst_at(around.outside[k]);
    } else if (op.code == Code::if_begin && !tangled_ && !is_jump(op) &&
               ir_.ops[next_part(k)].code == Code::if_end) {
      // No lane entered: there is nothing to end.
      inst.target = inst_at(next_part(k) + 1);
    } else if ((op.code == Code::if_begin || op.code == Code::if_else) && is_jump(op)) {
      inst.target = inst_at(next_part(k));
    } else if (op.code == Code::loop_test && !continues(op)) {
      inst.target = inst_at(around.loops[construct_of(op)].end);
    } else {
      inst.target = inst_at(around.part_end[k]);
    }
  }
}

/// Backwards over the operations, with a stack of targets from the outermost part in.
Branches::Around Branches::find_around() const {
  const auto count = static_cast<std::uint32_t>(ir_.ops.size());
  Around found;
  found.part_end.resize(count);
  found.outside.resize(count);
  found.loops.resize(is_jump_.size());
  std::vector<std::uint32_t> stack{count - 1};
  for (std::uint32_t k = count; k-- > 0;) {
    const Op& op = ir_.ops[k];
    found.part_end[k] = stack.back();
    switch (op.code) {
      case Code::loop_end:
        found.loops[construct_of(op)].end = k;
        [[fallthrough]];
      case Code::if_end:
      case Code::switch_end:
      case Code::call_end:
        stack.push_back(is_elided(k) ? stack.back() : k);
        break;
      case Code::if_else:
      case Code::switch_case:
      case Code::trip_end:
        // Without lanes, a test at the end of an iteration continues at the loop's end.
        stack.back() = is_elided(k) ? stack[stack.size() - 2] : k;
        break;
      case Code::loop_head:
        found.loops[construct_of(op)].head = k;
        break;
      case Code::if_begin:
      case Code::switch_begin:
      case Code::call_begin:
      case Code::loop_begin:
        stack.pop_back();
        found.outside[k] = stack.back();
        break;
      default:
        break;
    }
  }
  return found;
}

/// Selections that are jumps have no instruction at their ends, nor have iterations and calls of all lanes.
bool Branches::is_elided(std::uint32_t k) const {
  const Op& op = ir_.ops[k];
  if (op.code == Code::trip_end) return is_loop_of_all(op);
  if (op.code == Code::call_end) return is_call_of_all(op);
  return (op.code == Code::if_end || op.code == Code::if_else) && is_jump(op);
}

/// The else of the selection that begins at k, or its end.
std::uint32_t Branches::next_part(std::uint32_t k) const {
  const std::uint32_t construct = construct_of(ir_.ops[k]);
  for (std::uint32_t at = k + 1;; ++at) {
    ++steps_of_passes;
    const Op& op = ir_.ops[at];
    if (construct_of(op) != construct) continue;
    if (op.code == Code::if_else && !is_empty_else(at)) return at + 1;
    if (op.code == Code::if_end) return at;
  }
}

}  // namespace lockstep::spirv
