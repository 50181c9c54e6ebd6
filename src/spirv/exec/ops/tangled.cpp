#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/exec/tangled_state.hpp>
#include <lockstep/exec/tell.hpp>

#include "spirv/exec/ops/find.hpp"
#include "spirv/exec/ops/lane_values.hpp"
#include "spirv/exec/ops/wide.hpp"

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

const Inst* if_begin(const Inst* i, Context& c) {
  lockstep::enter(*c.stack, lanes(c, i->a), where(c, i));
  return follow(i, c);
}
const Inst* if_else(const Inst* i, Context& c) {
  lockstep::flip(*c.stack, where(c, i));
  return follow(i, c);
}
const Inst* if_end(const Inst* i, Context& c) {
  lockstep::leave(*c.stack, where(c, i));
  return follow(i, c);
}
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
  lockstep::test_loop(*c.stack, lanes(c, i->a), where(c, i));
  return follow(i, c);
}
const Inst* trip_end(const Inst* i, Context& c) {
  lockstep::next_trip(*c.stack, where(c, i));
  return follow(i, c);
}
/// The stack counts the iterations of each loop.
const Inst* loop_back(const Inst* i, Context& c) {
  if (++c.steps < c.turn_end) return i->target;
  c.turn_end = c.steps + slice_steps;
  c.next = i->target;
  c.stop = Context::Stop::slice;
  return nullptr;
}
const Inst* loop_end(const Inst* i, Context& c) {
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

/// Copies the tangle's lanes of `from` into `to`.
void blend(std::byte* to, const std::byte* from, Scalar type, const Mask<128>& tangle) {
  if (type == Scalar::boolean) {
    put_mask(to, (get_mask(from) & tangle) | get_mask(to).without(tangle));
    return;
  }
  const std::size_t size = size_of(type);
  for_each_lane(tangle, [&](int lane) {
    const std::size_t at = static_cast<std::size_t>(lane) * size;
    std::memcpy(to + at, from + at, size);
  });
}

/// Each lane's components of `more` behind those of `values`.
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

/// Reports a tangle's operation; of a vector when its last component is done.
void tell(Context& c, const Inst* i, const ListArgs& list, const Tangle& tangle,
          std::size_t number) {
  const Op& op = op_of(c, i);
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

const Inst* each_tangle(const Inst* i, Context& c) {
  const auto& list = *static_cast<const ListArgs*>(i->args);
  Inst inner = *i;
  inner.args = list.inner_args;
  if (c.stack->tangles.size() == 1) {
    list.each(&inner, c);
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
    list.each(&inner, c);
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
