#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <lockstep/exec/event.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>

namespace lockstep {

/// An event whose memory is used again for the next one of this thread. An observer may run kernels itself: their
/// events are others.
class ReusedEvent {
 public:
  enum class Use : std::size_t {
    control,   ///< has nothing of built-ins, memory and barriers
    access,    ///< has a name, and what was accessed
    built_in,  ///< has a name
    operands   ///< of a built-in: has a name and those
  };

  ReusedEvent(const ReconvergenceStack& stack, Event::Kind kind, SourceLocation where, Use use)
      : use_(use) {
    Spare& spare = of_thread(use);
    if (spare.in_use)
      event_ = &own_.emplace();
    else
      event_ = &spare.event;
    spare.in_use = true;
    event_->kind = kind;
    event_->where = where;
    event_->workgroup = stack.workgroup;
    event_->subgroup = stack.subgroup;
    event_->depth = static_cast<std::uint32_t>(stack.frames.size());
    event_->tangles = stack.tangles;
    event_->others = {};
    event_->arrivals.clear();
    event_->reason = Event::Reason::together;
    event_->trip = 0;
  }
  ReusedEvent(const ReusedEvent&) = delete;
  ReusedEvent& operator=(const ReusedEvent&) = delete;
  ~ReusedEvent() {
    if (!own_) of_thread(use_).in_use = false;
  }

  Event* operator->() { return event_; }
  const Event& operator*() const { return *event_; }

 private:
  struct Spare {
    Event event;
    bool in_use = false;
  };
  static Spare& of_thread(Use use) {
    thread_local std::array<Spare, 4> spares;
    return spares[static_cast<std::size_t>(use)];
  }

  Use use_;
  std::optional<Event> own_;
  Event* event_;
};

}  // namespace lockstep
