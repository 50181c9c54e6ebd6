#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

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
    operands,  ///< of a built-in: has a name and those
    variable   ///< has a name, what was accessed, and one operand
  };

  ReusedEvent(const ReconvergenceStack& stack, Event::Kind kind, SourceLocation where, Use use)
      : spare_(&of_thread(use)) {
    if (spare_->in_use) [[unlikely]]
      spare_ = another();
    spare_->in_use = true;
    Event& event = spare_->event;
    event.kind = kind;
    event.where = where;
    event.workgroup = stack.workgroup;
    event.subgroup = stack.subgroup;
    event.depth = static_cast<std::uint32_t>(stack.frames.size());
    event.tangles = stack.tangles;
    event.others = {};
    event.arrivals.clear();
    event.reason = Event::Reason::together;
    event.trip = 0;
  }
  ReusedEvent(const ReusedEvent&) = delete;
  ReusedEvent& operator=(const ReusedEvent&) = delete;
  ~ReusedEvent() {
    spare_->in_use = false;
    if (spare_->is_another) [[unlikely]]
      give_back(spare_);
  }

  Event* operator->() { return &spare_->event; }
  const Event& operator*() const { return spare_->event; }

 private:
  struct Spare {
    Event event;
    bool in_use = false;
    bool is_another = false;  ///< while the thread's is in use
  };
  static Spare& of_thread(Use use) {
    thread_local std::array<Spare, 5> spares;
    return spares[static_cast<std::size_t>(use)];
  }

  [[gnu::noinline, gnu::cold]] static Spare* another() { return new Spare{{}, false, true}; }
  [[gnu::noinline, gnu::cold]] static void give_back(Spare* spare) { delete spare; }

  Spare* spare_;
};

}  // namespace lockstep
