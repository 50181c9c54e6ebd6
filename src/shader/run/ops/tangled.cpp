#include <array>
#include <utility>
#include <vector>

#include <lockstep/exec/tangled_state.hpp>
#include <lockstep/exec/tell.hpp>

#include "runtime/exec/without_values.hpp"
#include "shader/ir/break_sides.hpp"
#include "shader/run/judged_operands.hpp"
#include "shader/run/ops/chosen_order.hpp"
#include "shader/run/ops/find.hpp"
#include "shader/run/ops/lane_values.hpp"
#include "shader/run/ops/wide.hpp"
#include "shader/run/settings_of_run.hpp"

/// \file
/// Control flow under any rule: the transitions of the reconvergence stack, and built-ins that run
/// once per tangle.

namespace lockstep::spirv {
namespace {

LaneSet lanes(const Context& c, std::uint32_t at) { return to_lane_set(get_mask(c.regs + at)); }

/// The mask that instructions read follows the stack.
const Inst* follow(const Inst* i, Context& c) {
  c.state.active = to_mask<128>(c.stack->active());
  return c.state.active.any_lane() ? i + 1 : i->target;
}

/// Copies the lanes of `from` into `to`.
void blend(std::byte* to, const std::byte* from, Scalar type, const Mask<128>& lanes) {
  if (type == Scalar::boolean) {
    put_mask(to, (get_mask(from) & lanes) | get_mask(to).without(lanes));
    return;
  }
  const std::size_t size = size_of(type);
  for_each_lane(lanes, [&](int lane) {
    const std::size_t at = static_cast<std::size_t>(lane) * size;
    std::memcpy(to + at, from + at, size);
  });
}

/// Copies the lanes' values to another copy of the registers.
void copy_lanes(const Program& program, const LaneSet& which, std::byte* to,
                const std::byte* from) {
  const Mask<128> lanes = to_mask<128>(which);
  for (const LaneSlot& slot : program.lane_slots)
    blend(to + slot.at, from + slot.at, slot.type, lanes);
}

const Inst* if_else(const Inst* i, Context& c);

/// The code after `before`, which lanes have entered; the end of that side if all of them run it after the loop.
const Inst* enter_side(const Inst* before, BreakSides side, const Inst* i, Context& c) {
  if ((c.program->break_sides[i->number] & side) == 0) return before + 1;
  const LaneSet lanes = c.stack->active();
  LateBreak* late = break_late(*c.stack, where(c, i), before + 1);
  if (late == nullptr) return before + 1;
  late->kept.resize(c.program->register_bytes);
  copy_lanes(*c.program, lanes, late->kept.data(), c.regs);
  follow(i, c);
  return before->target;
}

/// In any order: where the chooser says so, the other side first.
const Inst* if_begin_chosen(const Inst* i, Context& c) {
  const bool has_other = i->target->run == if_else;
  if (has_other && enter_other_first(*c.stack, lanes(c, i->a), where(c, i), i)) {
    follow(i, c);
    return enter_side(i->target, other_side_breaks, i, c);
  }
  if (!has_other) lockstep::enter(*c.stack, lanes(c, i->a), where(c, i));
  const Inst* next = follow(i, c);
  return next == i->target ? next : enter_side(i, first_side_breaks, i, c);
}

const Inst* if_begin(const Inst* i, Context& c) {
  if (c.program->any_order) return if_begin_chosen(i, c);
  lockstep::enter(*c.stack, lanes(c, i->a), where(c, i));
  return follow(i, c);
}
const Inst* if_else(const Inst* i, Context& c) {
  if (c.stack->frames.back().other != nullptr) return i->target;  // it came first
  lockstep::flip(*c.stack, where(c, i));
  const Inst* next = follow(i, c);
  return c.program->any_order && next != i->target ? enter_side(i, other_side_breaks, i, c) : next;
}
const Inst* if_end(const Inst* i, Context& c) {
  const Frame& frame = c.stack->frames.back();
  if (frame.other != nullptr && !frame.waiting.empty()) {
    const auto* begin = static_cast<const Inst*>(frame.other);
    lockstep::flip(*c.stack, where(c, i));
    follow(i, c);
    return enter_side(begin, first_side_breaks, begin, c);
  }
  lockstep::leave(*c.stack, where(c, i));
  return follow(i, c);
}
/// Lanes pause without leaving their tangles, until the end.
const Inst* silent_begin(const Inst* i, Context& c) {
  c.state.active = c.state.active & get_mask(c.regs + i->a);
  return c.state.active.any_lane() ? i + 1 : i->target;
}
const Inst* silent_end(const Inst* i, Context& c) { return follow(i, c); }

const Inst* loop_begin(const Inst* i, Context& c) {
  lockstep::enter_loop(*c.stack, where(c, i));
  return i + 1;
}
/// Before the first iteration of a loop whose test comes last there is none.
const Inst* first_trip(const Inst* i, Context& c) {
  if (!c.stack->tangles.empty()) ++c.stack->frames.back().trips;
  return follow(i, c);
}
const Inst* loop_test(const Inst* i, Context& c) {
  if (i->imm == before_first_iteration) return first_trip(i, c);
  ReconvergenceStack& stack = *c.stack;
  // The limit is of each loop, and only rises.
  if (const std::uint64_t trips = stack.frames.back().trips; trips >= stack.max_trips && goes_on(c))
    stack.max_trips = trips + c.max_trips;
  lockstep::test_loop(stack, lanes(c, i->a), where(c, i));
  return follow(i, c);
}
const Inst* trip_end(const Inst* i, Context& c) {
  lockstep::next_trip(*c.stack, where(c, i));
  return follow(i, c);
}
/// The stack counts the iterations of each loop.
const Inst* loop_back(const Inst* i, Context& c) {
  if (++c.steps < c.turn_end) return i->target;
  c.turn_end = c.steps + tangled_slice_steps;
  c.next = i->target;
  c.stop = Context::Stop::slice;
  return nullptr;
}
const Inst* loop_end(const Inst* i, Context& c) {
  if (const auto late = resume_late_break(*c.stack, where(c, i))) {
    copy_lanes(*c.program, late->lanes, c.regs, late->kept.data());
    follow(i, c);
    return static_cast<const Inst*>(late->at);
  }
  lockstep::exit_loop(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* switch_begin(const Inst* i, Context& c) {
  lockstep::enter_switch(*c.stack, where(c, i));
  return i + 1;
}
const Inst* switch_case(const Inst* i, Context& c) {
  const auto& args = *static_cast<const CaseArgs*>(i->args);
  std::array<std::int64_t, 128> selector{};
  for (int lane = 0; lane < c.size; ++lane)
    selector[static_cast<std::size_t>(lane)] =
        static_cast<std::int64_t>(selector_of(c, args, lane));
  lockstep::enter_case(*c.stack, to_lane_set(matching_lanes(c, args)), selector.data(),
                       where(c, i));
  return follow(i, c);
}
const Inst* switch_end(const Inst* i, Context& c) {
  lockstep::leave_switch(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* call_begin(const Inst* i, Context& c) {
  lockstep::call(*c.stack, where(c, i));
  return i + 1;
}
const Inst* call_end(const Inst* i, Context& c) {
  lockstep::end_call(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* leave_loop(const Inst* i, Context& c) {
  lockstep::leave_loop(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* leave_loop_around(const Inst* i, Context& c) {
  lockstep::leave_loop_around(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* leave_trip(const Inst* i, Context& c) {
  lockstep::leave_trip(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* retire(const Inst* i, Context& c) {
  lockstep::retire(*c.stack, where(c, i));
  return follow(i, c);
}
/// The runner waits for the others, then continues after it.
const Inst* barrier(const Inst* i, Context& c) {
  c.next = i + 1;
  c.stop = Context::Stop::barrier;
  return nullptr;
}
const Inst* tell_memory_barrier(const Inst* i, Context& c) {
  show_tangle(c);
  tell_sync(*c.stack, where(c, i), op_of(c, i).as<BarrierOp>().sync);
  return memory_barrier(i, c);
}
const Inst* end(const Inst*, Context& c) {
  c.stop = Context::Stop::ended;
  return nullptr;
}

std::size_t bytes_of(const Program& program, Scalar type) {
  return type == Scalar::boolean ? bool_bytes
                                 : static_cast<std::size_t>(program.width) * size_of(type);
}

/// Each lane's components of `values`, then those of `more`.
LaneValues joined(const LaneValues& values, const LaneValues& more) {
  LaneValues all{values.type, values.components + more.components, {}};
  const auto a = static_cast<std::size_t>(values.components);
  const auto b = static_cast<std::size_t>(more.components);
  for (std::size_t lane = 0; lane * a < values.bits.size(); ++lane) {
    for (std::size_t k = 0; k < a; ++k) all.bits.push_back(values.bits[lane * a + k]);
    for (std::size_t k = 0; k < b; ++k) all.bits.push_back(more.bits[lane * b + k]);
  }
  return all;
}

/// What the operation on the next component of a vector gives, added to what those before it gave.
void add_result(Code code, LaneValues& result, const LaneValues& part) {
  const bool holds_for_all = code == Code::all_equal || code == Code::partition;
  if (!holds_for_all) {
    result = joined(result, part);
    return;
  }
  for (std::size_t k = 0; k < result.bits.size(); ++k) result.bits[k] &= part.bits[k];
}

/// The operand that is a constant of the instruction: the size of clusters, 0 if there is none.
std::uint32_t cluster_size(const Op& op) {
  if (const auto* cluster = std::get_if<Cluster>(&op.detail)) return cluster->lanes;
  return op.code == Code::clustered ? op.as<Reduction>().cluster : 0;
}

/// What the operation took and gave, without the constant operand.
ToldBuiltIn told_of(const Context& c, const ListArgs& list) {
  ToldBuiltIn told;
  std::size_t at = 0;
  for (const std::uint64_t count : list.counts) {
    told.operands.push_back(
        lane_values(c, std::span(list.slots).subspan(at, count), list.types[at]));
    at += count;
  }
  told.result = lane_values(c, std::span(list.result).first(static_cast<std::size_t>(list.results)),
                            list.result_type);
  return told;
}

/// Reports a tangle's operation without its result.
void tell_operands(Context& c, const Inst* i, const ListArgs& list, const Tangle& tangle) {
  ToldOperands told(*c.stack, where(c, i), tangle, list.name, list.counts.size());
  std::size_t at = 0;
  for (std::size_t k = 0; k < list.counts.size(); at += list.counts[k++])
    read_lane_values(c, std::span(list.slots).subspan(at, list.counts[k]), list.types[at], told[k]);
  told.tell();
}

/// Reports a tangle's operation; of a vector when its last component is done.
void tell(Context& c, const Inst* i, const ListArgs& list, const Tangle& tangle,
          std::size_t number) {
  const Op& op = op_of(c, i);
  if (!c.stack->interest.values && !has_judged_operands(list.name)) {
    if (op.part + 1 >= op.parts) tell_built_in_alone(*c.stack, where(c, i), tangle, list.name);
    return;
  }
  if (!c.stack->interest.values && op.parts == 1 && cluster_size(op) == 0)
    return tell_operands(c, i, list, tangle);
  ToldBuiltIn told = told_of(c, list);
  if (op.parts > 1) {
    if (op.part == 0) {
      c.told.resize(number);
      c.told.push_back(std::move(told));
    } else {
      ToldBuiltIn& whole = c.told[number];
      whole.operands[0] = joined(whole.operands[0], told.operands[0]);
      add_result(op.code, whole.result, told.result);
    }
    if (op.part + 1 < op.parts) return;
    told = std::move(c.told[number]);
  }
  if (const std::uint32_t size = cluster_size(op); size != 0)
    told.operands.push_back({LaneValues::Type::uint32, 1,
                             std::vector<std::uint64_t>(static_cast<std::size_t>(c.size), size)});
  tell_built_in(*c.stack, where(c, i), tangle, list.name, std::move(told.operands),
                std::move(told.result));
}

/// The operation on the active lanes, which are a tangle.
void run_group_operation(const Inst* i, Context& c, const ListArgs& list, const Inst& inner) {
  // The result may replace the operands.
  const std::vector<LaneResult> chosen = reduced_in_chosen_order(i, c, list);
  list.each(&inner, c);
  const std::size_t size = chosen.empty() ? 0 : size_of(list.result_type);
  for (const auto& [lane, bits] : chosen)
    std::memcpy(c.regs + list.result[0].at + static_cast<std::size_t>(lane) * size, &bits, size);
}

const Inst* each_tangle(const Inst* i, Context& c) {
  show_tangle(c);
  const auto& list = *static_cast<const ListArgs*>(i->args);
  Inst inner = *i;
  inner.args = list.inner_args;
  if (c.stack->tangles.size() == 1) {
    run_group_operation(i, c, list, inner);
    if (!list.silent) tell(c, i, list, c.stack->tangles[0], 0);
    return i + 1;
  }
  const exec::State<128> whole = c.state;
  const std::size_t bytes = bytes_of(*c.program, list.result_type);
  std::vector<std::byte> all(bytes * static_cast<std::size_t>(list.results));
  const auto result = [&](int k) { return c.regs + list.result[static_cast<std::size_t>(k)].at; };
  std::size_t number = 0;
  for (const Tangle& tangle : c.stack->tangles) {
    c.state.active = to_mask<128>(tangle.lanes);
    run_group_operation(i, c, list, inner);
    if (!list.silent) tell(c, i, list, tangle, number++);
    for (int k = 0; k < list.results; ++k)
      blend(all.data() + bytes * static_cast<std::size_t>(k), result(k), list.result_type,
            c.state.active);
  }
  for (int k = 0; k < list.results; ++k)
    std::memcpy(result(k), all.data() + bytes * static_cast<std::size_t>(k), bytes);
  c.state = whole;
  return i + 1;
}

}  // namespace

Run find_each_tangle() { return each_tangle; }

Run find_silent_selection(Code code) { return code == Code::if_begin ? silent_begin : silent_end; }

Run find_tangled_flow(Code code) {
  switch (code) {
#define LOCKSTEP_FLOW_CASE(name) \
  case Code::name:               \
    return name;
    LOCKSTEP_FLOW_CODES(LOCKSTEP_FLOW_CASE)
#undef LOCKSTEP_FLOW_CASE
    case Code::memory_barrier:
      return tell_memory_barrier;
    default:
      return nullptr;
  }
}

}  // namespace lockstep::spirv
