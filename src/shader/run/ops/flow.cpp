#include <algorithm>
#include <atomic>

#include "shader/run/ops/find.hpp"
#include "shader/run/ops/wide.hpp"
#include "shader/run/settings_of_run.hpp"

/// \file
/// Control flow under maximal reconvergence: the transitions of exec/ on one mask.

namespace lockstep::spirv {
namespace {

LOCKSTEP_INLINE FastFrame& frame(const Inst* i, Context& c) { return c.frames[i->number]; }

/// The next instruction, or the target if no lane is left.
LOCKSTEP_INLINE const Inst* next_if(bool any, const Inst* i) { return any ? i + 1 : i->target; }
LOCKSTEP_INLINE const Inst* next_if_any(const Inst* i, const Context& c) {
  return next_if(c.state.active.any_lane(), i);
}

const Inst* if_begin(const Inst* i, Context& c) {
  FastFrame& f = frame(i, c);
  f.entered = exec::enter(c.state, get_mask(c.regs + i->a));
  if (f.entered.any) count_divergence(c, c.state.active, f.entered.waiting);
  return next_if(f.entered.any, i);
}
const Inst* if_else(const Inst* i, Context& c) {
  FastFrame& f = frame(i, c);
  exec::close_selection(c.state, f.entered);
  f.entered = exec::enter_other_side(c.state);
  return next_if(f.entered.any, i);
}
const Inst* if_end(const Inst* i, Context& c) {
  exec::close_selection(c.state, frame(i, c).entered);
  return next_if_any(i, c);
}
const Inst* if_end_after_else(const Inst* i, Context& c) {
  exec::close_other_side(c.state, frame(i, c).entered);
  return next_if_any(i, c);
}

/// Ends the slice where the loop reaches its limit, which end_slice() checks.
LOCKSTEP_INLINE void limit_slice(Context& c) {
  c.slice_end = std::min(c.slice_end, c.loop_start + c.max_trips);
}

/// The iterations of a loop are counted from here on.
const Inst* count_begin(const Inst* i, Context& c) {
  FastFrame& f = frame(i, c);
  f.outer_start = c.loop_start;
  f.steps_before = c.steps;
  c.loop_start = c.steps;
  limit_slice(c);
  return i + 1;
}
/// They do not count as iterations of the enclosing loop.
const Inst* count_end(const Inst* i, Context& c) {
  const FastFrame& f = frame(i, c);
  c.loop_start = f.outer_start + (c.steps - f.steps_before);
  limit_slice(c);
  return i + 1;
}

const Inst* loop_begin(const Inst* i, Context& c) {
  frame(i, c).outer = exec::enter_loop(c.state);
  return count_begin(i, c);
}
const Inst* loop_test(const Inst* i, Context& c) {
  return next_if(stay(c, get_mask(c.regs + i->a)), i);
}
const Inst* trip_end(const Inst* i, Context& c) {
  exec::next_trip(c.state);
  return next_if_any(i, c);
}
/// Lanes where the condition holds leave the loop: a selection that contains only a break.
const Inst* leave_loop_if(const Inst* i, Context& c) {
  return next_if(stay(c, ~get_mask(c.regs + i->a)), i);
}
/// A back edge at which the loop's limit may be reached or the subgroup's turn may be over. In a loop whose test
/// comes first (imm is 1), the remaining lanes may all leave at one more test.
[[gnu::noinline]] const Inst* end_slice(const Inst* i, Context& c) {
  std::uint64_t limit = c.loop_start + c.max_trips + i->imm;
  if (c.steps >= limit) {
    if (!goes_on(c)) fail_endless(c, i);
    c.loop_start = c.steps;
    limit = c.loop_start + c.max_trips + i->imm;
  }
  const bool turn_is_over = c.steps >= c.turn_end;
  if (turn_is_over) c.turn_end = c.steps + slice_steps;
  c.slice_end = std::min(c.turn_end, limit);
  if (!turn_is_over) return i->target;
  c.next = i->target;
  c.stop = Context::Stop::slice;
  return nullptr;
}
const Inst* loop_back(const Inst* i, Context& c) {
  return ++c.steps < c.slice_end ? i->target : end_slice(i, c);
}
/// The end of an iteration that the back edge follows directly.
const Inst* trip_back(const Inst* i, Context& c) {
  exec::next_trip(c.state);
  return c.state.active.any_lane() ? loop_back(i, c) : static_cast<const Inst*>(i->args);
}
const Inst* loop_end(const Inst* i, Context& c) {
  exec::exit_loop(c.state, frame(i, c).outer);
  count_end(i, c);
  return next_if_any(i, c);
}

const Inst* switch_begin(const Inst* i, Context& c) {
  frame(i, c).switching = exec::enter_switch(c.state);
  return i + 1;
}
const Inst* switch_case(const Inst* i, Context& c) {
  const Mask<128> matching = matching_lanes(c, *static_cast<const CaseArgs*>(i->args));
  const Mask<128> waiting = frame(i, c).switching.waiting;
  count_divergence(c, waiting & matching, waiting.without(matching));
  return next_if(exec::enter_case(c.state, frame(i, c).switching, matching), i);
}
const Inst* switch_end(const Inst* i, Context& c) {
  exec::leave_switch(c.state, frame(i, c).switching);
  return next_if_any(i, c);
}

const Inst* call_begin(const Inst* i, Context& c) {
  frame(i, c).returned = exec::call(c.state);
  return i + 1;
}
const Inst* call_end(const Inst* i, Context& c) {
  exec::end_call(c.state, frame(i, c).returned);
  return next_if_any(i, c);
}

const Inst* leave_loop(const Inst* i, Context& c) {
  exec::leave_loop(c.state);
  return i->target;
}
const Inst* leave_loop_around(const Inst* i, Context& c) {
  exec::leave_loop_around(c.state, frame(i, c).switching);
  return i->target;
}
const Inst* leave_trip(const Inst* i, Context& c) {
  exec::leave_trip(c.state);
  return i->target;
}
const Inst* retire(const Inst* i, Context& c) {
  exec::retire(c.state);
  return i->target;
}

const Inst* barrier(const Inst* i, Context& c) {
  c.next = i + 1;
  c.stop = Context::Stop::barrier;
  return nullptr;
}
const Inst* end(const Inst*, Context& c) {
  c.stop = Context::Stop::ended;
  return nullptr;
}

/// The lanes whose selector is one of the labels, lanes beyond the subgroup among them.
template <class T>
Mask<128> labelled_lanes(const Context& c, const CaseArgs& args) {
  BoolResult found;
  for (unsigned k = 0; k < c.program->chunks; ++k) {
    const std::byte* const at = c.regs + args.selector.at;
    const Chunk<T> selector =
        args.selector.varying ? get<T>(at + k * chunk_bytes<T>) : Chunk<T>(get_first<T>(at));
    Mask<chunk_lanes> any;
    for (const std::uint64_t label : args.labels)
      any = any | (selector == Chunk<T>(static_cast<T>(label))).mask();
    found.add(k, any);
  }
  return found.mask();
}

}  // namespace

const Inst* memory_barrier(const Inst* i, Context& c) {
  if (!c.only_thread) std::atomic_thread_fence(std::memory_order_seq_cst);
  return i + 1;
}

Mask<128> matching_lanes(const Context& c, const CaseArgs& args) {
  Mask<128> matching;
  switch (size_of(args.type)) {
    case 1:
      matching = labelled_lanes<std::uint8_t>(c, args);
      break;
    case 2:
      matching = labelled_lanes<std::uint16_t>(c, args);
      break;
    case 4:
      matching = labelled_lanes<std::uint32_t>(c, args);
      break;
    default:
      matching = labelled_lanes<std::uint64_t>(c, args);
  }
  return args.other ? ~matching : matching;
}

std::uint64_t selector_of(const Context& c, const CaseArgs& args, int lane) {
  const std::uint32_t bytes = size_of(args.type);
  const std::byte* at =
      c.regs + args.selector.at + (args.selector.varying ? static_cast<unsigned>(lane) * bytes : 0);
  std::uint64_t value = 0;
  std::memcpy(&value, at, bytes);
  return value;
}

/// A jump if the uniform condition is false.
Run find_jump(bool conditional) {
  if (!conditional) return [](const Inst* i, Context&) { return i->target; };
  return [](const Inst* i, Context& c) { return next_if(get_first<bool>(c.regs + i->a), i); };
}
Run find_leave_loop_if() { return leave_loop_if; }
Run find_trip_back() { return trip_back; }
Run find_begin_of_all() { return count_begin; }
Run find_end_of_all() { return count_end; }

Run find_flow(Code code, bool tangled) {
  if (tangled) return find_tangled_flow(code);
  switch (code) {
#define LOCKSTEP_FLOW_CASE(name) \
  case Code::name:               \
    return name;
    LOCKSTEP_FLOW_CODES(LOCKSTEP_FLOW_CASE)
#undef LOCKSTEP_FLOW_CASE
    case Code::memory_barrier:
      return memory_barrier;
    default:
      return nullptr;
  }
}

Run find_end_after_else(bool tangled) {
  return tangled ? find_tangled_flow(Code::if_end) : if_end_after_else;
}

}  // namespace lockstep::spirv
