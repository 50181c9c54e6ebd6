#include <lockstep/exec/tell.hpp>

#include <utility>

#include "runtime/exec/reused_event.hpp"

namespace lockstep {
namespace {

Event event_at(const ReconvergenceStack& stack, Event::Kind kind, SourceLocation where) {
  Event event;
  event.kind = kind;
  event.where = where;
  event.workgroup = stack.workgroup;
  event.subgroup = stack.subgroup;
  event.depth = static_cast<std::uint32_t>(stack.frames.size());
  event.tangles = stack.tangles;
  return event;
}

}  // namespace

void tell(const ReconvergenceStack& stack, Event::Kind kind, SourceLocation where, LaneSet others,
          std::uint64_t trip) {
  if (!stack.asks(kind)) return;
  ReusedEvent event(stack, kind, where, ReusedEvent::Use::control);
  event->others = others;
  event->trip = static_cast<std::uint32_t>(trip);
  stack.tell(*event);
}

void tell_merge(const ReconvergenceStack& stack, Event::Kind kind, SourceLocation where,
                const Tangles& arrivals, Event::Reason reason, std::uint64_t trip) {
  if (!stack.asks(kind)) return;
  ReusedEvent event(stack, kind, where, ReusedEvent::Use::control);
  event->reason = reason;
  event->trip = static_cast<std::uint32_t>(trip);
  for (const Tangle& t : arrivals) event->arrivals.push_back(t.lanes);
  stack.tell(*event);
}

void tell_built_in(const ReconvergenceStack& stack, SourceLocation where, const Tangle& tangle,
                   std::string_view name, std::vector<LaneValues> operands, LaneValues result) {
  if (!stack.asks(Event::Kind::built_in)) return;
  Event event = event_at(stack, Event::Kind::built_in, where);
  event.tangles = {tangle};
  event.name = name;
  event.operands = std::move(operands);
  event.result = std::move(result);
  stack.tell(event);
}

void tell_access(const ReconvergenceStack& stack, AccessKind kind, SourceLocation where,
                 LaneSet lanes, Access access, AccessValues values) {
  if (!stack.asks(kind_of(kind)) || !lanes.any_lane()) return;
  Event event = event_at(stack, kind_of(kind), where);
  event.others = lanes;
  event.access = std::move(access);
  event.name = values.name;
  event.operands = std::move(values.operands);
  event.result = std::move(values.result);
  stack.tell(event);
}

void tell_sync(const ReconvergenceStack& stack, SourceLocation where, const Sync& sync) {
  const bool stops = sync.execution == Scope::workgroup;
  const auto kind = stops ? Event::Kind::barrier : Event::Kind::sync;
  if (!stack.asks(kind)) return;
  Event event = event_at(stack, kind, where);
  event.sync = sync;
  stack.tell(event);
}

}  // namespace lockstep
