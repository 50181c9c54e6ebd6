#include "shader/run/assembler.hpp"

#include <memory>
#include <utility>

#include "shader/run/ops/functions.hpp"

/// \file
/// Control flow.

namespace lockstep::spirv {
namespace {

bool is_silent_selection(const Op& op) {
  const auto* branch = std::get_if<Branch>(&op.detail);
  return branch != nullptr && branch->silent;
}

}  // namespace

/// Long, as it has a case for each operation of control flow.
void Assembler::emit_flow(const Op& op) {
  Inst inst = start(op);
  if (program_.on_stack() && is_silent_selection(op)) return add_silent_selection(op, inst);
  switch (op.code) {
    case Code::if_begin:
      if (branches_.is_jump(op)) return add_test(op, Test::jump, functions().find_jump(true));
      if (branches_.is_break(at_))
        return add_test(op, Test::leave, functions().find_leave_loop_if());
      return add_test(op, Test::enter, functions().find_flow(op.code, program_.on_stack()));
    case Code::retire:
      // Directly before the end, returning has no effect.
      if (ir_.ops[at_ + 1].code == Code::end) return;
      if (branches_.is_last_return(at_) && branches_.is_call_of_all(ir_.ops[at_ + 1])) return;
      break;
    case Code::leave_loop:
      if (at_ > 0 && branches_.is_break(at_ - 1)) return;
      break;
    case Code::if_else:
      if (branches_.is_empty_else(at_)) return;
      if (branches_.is_jump(op))
        return add_flow(op, inst, functions().find_jump(false), EmitRule::Kind::jump);
      if (is_test(op.code, op.type, inst, program_.chunks))
        return add_flow(op, inst, EmitRule::Kind::other_side);
      break;
    case Code::if_end:
      if (branches_.is_jump(op) || (at_ > 2 && branches_.is_break(at_ - 3))) return;
      return add_end_of_selection(op, inst);
    case Code::loop_test:
      // A test that all lanes pass exists only for the events of the stack. A loop whose test comes last has none
      // before its first iteration.
      if (!program_.on_stack() && op.as<LoopTest>().kind != LoopTest::Kind::asks) return;
      if (op.as<LoopTest>().kind == LoopTest::Kind::precedes) {
        inst.imm = before_first_iteration;
        return add_flow(op, inst, functions().find_flow(op.code, true), EmitRule::Kind::branch);
      }
      if (branches_.is_jump_out(op)) return add_test(op, Test::jump, functions().find_jump(true));
      return add_test(op, Test::stay, functions().find_flow(op.code, program_.on_stack()));
    case Code::loop_head:
      return;
    case Code::loop_begin:
      if (!branches_.is_loop_of_all(op)) break;
      return add_flow(op, inst, functions().find_begin_of_all(), EmitRule::Kind::count_begin);
    case Code::loop_end:
      if (!branches_.is_loop_of_all(op)) break;
      return add_flow(op, inst, functions().find_end_of_all(), EmitRule::Kind::count_end);
    case Code::trip_end:
      if (branches_.is_loop_of_all(op)) return;
      return add_end_of_trip(op, inst);
    case Code::loop_back:
      if (branches_.goes_back(at_ - 1)) return;
      inst.imm = branches_.tests_first(op) ? 1 : 0;
      inst.a = branches_.is_loop_of_all(op) ? back_of_all : 0;
      return add_flow(op, inst, EmitRule::Kind::iterate);
    case Code::switch_case:
      inst.args = case_args(op);
      break;
    case Code::leave_loop_around:
      inst.number = static_cast<std::uint16_t>(op.as<LeaveAround>().outermost);
      break;
    case Code::call_begin:
      if (branches_.is_call_of_all(op)) return;
      calls_.push_back(construct_of(op));
      break;
    case Code::call_end:
      if (branches_.is_call_of_all(op)) return;
      calls_.pop_back();
      break;
    case Code::barrier:
      // The outermost call knows which lanes have returned from the entry point.
      inst.imm = calls_.empty() ? 0 : calls_.front() + 1;
      return add_flow(op, inst, EmitRule::Kind::stop);
    case Code::end:
      return add_flow(op, inst, EmitRule::Kind::end);
    case Code::memory_barrier:
      return add_flow(op, inst, functions().find_flow(op.code, program_.tangled),
                      EmitRule::Kind::branch);
    default:
      break;
  }
  add_flow(op, inst, EmitRule::Kind::branch);
}

/// The stack does not hear of it, either.
void Assembler::add_silent_selection(const Op& op, Inst inst) {
  if (op.code == Code::if_else) return;  // which is empty
  if (op.code == Code::if_begin) operand(inst, 0, op.src[0]);
  add_flow(op, inst, functions().find_silent_selection(op.code), EmitRule::Kind::branch);
}

const CaseArgs* Assembler::case_args(const Op& op) {
  auto args = std::make_unique<CaseArgs>();
  const auto& one = op.as<Case>();
  args->labels = one.labels;
  args->other = one.is_default;
  args->type = op.type;
  args->selector = slot(op.src[0]);
  return program_.case_args.emplace_back(std::move(args)).get();
}

/// By the machine's function for the operation.
void Assembler::add_flow(const Op& op, const Inst& inst, EmitRule::Kind kind) {
  add_flow(op, inst, functions().find_flow(op.code, program_.on_stack()), kind);
}

void Assembler::add_end_of_trip(const Op& op, Inst inst) {
  EmitRule rule{EmitRule::Kind::rejoin, op.code, op.type};
  rule.continues = branches_.continues(op);
  if (!branches_.goes_back(at_))
    return add(op, inst, functions().find_flow(op.code, program_.on_stack()), rule);
  rule.kind = EmitRule::Kind::iterate;
  inst.imm = branches_.tests_first(op) ? 1 : 0;
  add(op, inst, functions().find_trip_back(), rule);
}

void Assembler::add_end_of_selection(const Op& op, const Inst& inst) {
  const bool is_short = is_test(op.code, op.type, inst, program_.chunks);
  const EmitRule::Kind kind = is_short ? EmitRule::Kind::rejoin : EmitRule::Kind::branch;
  if (at_ > 0 && !branches_.is_empty_else(at_ - 1))
    return add_flow(op, inst, functions().find_end_after_else(program_.on_stack()), kind);
  add_flow(op, inst, kind);
}

}  // namespace lockstep::spirv
