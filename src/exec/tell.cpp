#include <lockstep/exec/tell.hpp>

#include <utility>

namespace lockstep {
namespace {

Event::Kind kind_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::read:
      return Event::Kind::read;
    case AccessKind::write:
      return Event::Kind::write;
    case AccessKind::atomic:
      break;
  }
  return Event::Kind::atomic;
}

/// An event whose memory is used again for the next one of this thread. An observer may run kernels itself: their
/// events are others.
class ReusedEvent {
 public:
  ReusedEvent(const ReconvergenceStack& stack, Event::Kind kind, SourceLocation where)
      : event_(std::move(spare())) {
    event_.kind = kind;
    event_.where = where;
    event_.workgroup = stack.workgroup;
    event_.subgroup = stack.subgroup;
    event_.depth = static_cast<std::uint32_t>(stack.frames.size());
    event_.tangles = stack.tangles;
  }
  ReusedEvent(const ReusedEvent&) = delete;
  ReusedEvent& operator=(const ReusedEvent&) = delete;
  ~ReusedEvent() { spare() = std::move(event_); }

  Event& operator*() { return event_; }

 private:
  /// It has nothing but tangles and others.
  static Event& spare() {
    thread_local Event event;
    return event;
  }

  Event event_;
};

}  // namespace

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

void tell(const ReconvergenceStack& stack, Event::Kind kind, SourceLocation where, LaneSet others) {
  if (!stack.observed()) return;
  ReusedEvent event(stack, kind, where);
  (*event).others = others;
  stack.tell(*event);
}

void tell_built_in(const ReconvergenceStack& stack, SourceLocation where, const Tangle& tangle,
                   std::string_view name, std::vector<LaneValues> operands, LaneValues result) {
  if (!stack.observed()) return;
  Event event = event_at(stack, Event::Kind::built_in, where);
  event.tangles = {tangle};
  event.name = name;
  event.operands = std::move(operands);
  event.result = std::move(result);
  stack.tell(event);
}

void tell_access(const ReconvergenceStack& stack, AccessKind kind, SourceLocation where,
                 LaneSet lanes, Access access, AccessValues values) {
  if (!stack.observed() || !lanes.any_lane()) return;
  Event event = event_at(stack, kind_of(kind), where);
  event.others = lanes;
  event.access = std::move(access);
  event.name = values.name;
  event.operands = std::move(values.operands);
  event.result = std::move(values.result);
  stack.tell(event);
}

void tell_sync(const ReconvergenceStack& stack, SourceLocation where, const Sync& sync) {
  if (!stack.observed()) return;
  const bool stops = sync.execution == Scope::workgroup;
  Event event = event_at(stack, stops ? Event::Kind::barrier : Event::Kind::sync, where);
  event.sync = sync;
  stack.tell(event);
}

}  // namespace lockstep
