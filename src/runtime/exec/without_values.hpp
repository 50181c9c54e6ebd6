#pragma once

#include <string_view>

#include <lockstep/exec/event.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>

#include "runtime/exec/reused_event.hpp"

/// \file
/// Events for observers that ask for no values.

namespace lockstep {

/// As tell_built_in, without what the built-in took and gave. Only where an observer asks for it.
inline void tell_built_in_alone(const ReconvergenceStack& stack, SourceLocation where,
                                const Tangle& tangle, std::string_view name) {
  ReusedEvent event(stack, Event::Kind::built_in, where, ReusedEvent::Use::built_in);
  event->tangles = {tangle};
  event->name = name;
  stack.tell(*event);
}

/// The event of a built-in with operands, which are filled in before tell(); no result.
class ToldOperands {
 public:
  ToldOperands(const ReconvergenceStack& stack, SourceLocation where, const Tangle& tangle,
               std::string_view name, std::size_t count)
      : stack_(stack), event_(stack, Event::Kind::built_in, where, ReusedEvent::Use::operands) {
    event_->tangles = {tangle};
    event_->name = name;
    event_->operands.resize(count);
  }

  LaneValues& operator[](std::size_t k) { return event_->operands[k]; }
  void tell() { stack_.tell(*event_); }

 private:
  const ReconvergenceStack& stack_;
  ReusedEvent event_;
};

/// The event of an access, without values, in memory that is used again. Only where an observer asks for it.
///
/// Requires      access() is filled in before tell(): it may be as the last one's.
/// Active lanes  Those given to tell.
/// Errors        As observers.
/// Cost          No allocation.
/// Spec          None.
/// Example       src/shader/instruments/events/ops/observed.cpp
class ToldAccess {
 public:
  ToldAccess(const ReconvergenceStack& stack, AccessKind kind, SourceLocation where,
             std::string_view name)
      : stack_(stack), event_(stack, kind_of(kind), where, ReusedEvent::Use::access) {
    event_->name = name;
  }

  Access& access() { return event_->access; }
  void tell(LaneSet lanes) {
    if (!lanes.any_lane()) return;
    event_->others = lanes;
    stack_.tell(*event_);
  }

 private:
  const ReconvergenceStack& stack_;
  ReusedEvent event_;
};

}  // namespace lockstep
