#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/lane_bytes.hpp>
#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/memory_object.hpp>
#include <lockstep/exec/memory_order.hpp>
#include <lockstep/exec/source_location.hpp>
#include <lockstep/exec/tangles.hpp>

/// \file
/// The events of a subgroup, as plain values for observers.

namespace lockstep {

/// One number, vector or ballot per lane.
struct LaneValues {
  /// The types of values.
  enum class Type {
    none,
    boolean,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    float32,
    float64
  };

  Type type = Type::none;
  int components = 0;
  /// Component k of lane i, its bits zero-extended, is at [i * components + k].
  std::vector<std::uint64_t> bits;

  friend bool operator==(const LaneValues&, const LaneValues&) = default;
};
/// The value of one lane as GLSL would spell it, vectors in parentheses.
std::string to_string(const LaneValues& values, int lane);

/// Where the lanes of a read, write or atomic went in one object.
///
/// Requires      None.
/// Active lanes  Only the lanes of the event's `others` matter.
/// Errors        None.
/// Cost          None.
/// Spec          SPIR-V OpLoad, OpStore, OpAtomic..., OpImageRead, OpImageWrite
/// Example       tests/ports/events.cpp
struct Access {
  /// The byte of a lane that touches nothing: its place is outside the object or an array in it.
  static constexpr std::uint64_t outside = LaneBytes::outside;

  MemoryObject object;
  const std::byte* data =
      nullptr;                ///< the object's first byte in this process: objects may overlap
  LaneBytes byte;             ///< of each lane: where its first number starts in the object
  std::uint32_t bytes = 0;    ///< of one number or texel; 0 through a sampler, which reads several
  std::uint32_t count = 1;    ///< of numbers that each lane touches
  std::uint32_t step = 0;     ///< bytes from one number to the next
  MemoryOrder order;          ///< of an atomic, and of coherent or volatile memory
  std::uint32_t unequal = 0;  ///< of a compare-and-swap: the semantics where it does not replace

  friend bool operator==(const Access& a, const Access& b) {
    return a.object == b.object && a.byte == b.byte && a.bytes == b.bytes && a.count == b.count &&
           a.step == b.step && a.order == b.order && a.unequal == b.unequal;
  }
};

/// An event in a subgroup. It can be kept: names and files live as long as the process.
struct Event {
  /// What happened.
  enum class Kind {
    start,          ///< the subgroup begins
    enter,          ///< a selection or case starts: tangles enter, `others` wait
    flip,           ///< the other side of a selection starts
    leave,          ///< a selection, switch or call ends: see arrivals and reason
    loop,           ///< a loop starts
    trip,           ///< a loop's test: tangles stay, `others` have left
    next_trip,      ///< a loop's continue target: see arrivals and reason
    exit,           ///< a loop ends: see arrivals and reason
    call,           ///< a function starts
    jump_break,     ///< lanes (`others`) leave the innermost loop or switch
    jump_loop,      ///< lanes (`others`) leave the innermost loop from inside a switch
    jump_continue,  ///< lanes (`others`) leave this iteration
    jump_return,    ///< lanes (`others`) leave the function or kernel
    line,           ///< tangles reach a line of a shader
    built_in,       ///< a subgroup built-in, once per tangle
    read,           ///< lanes (`others`) read an object
    write,          ///< lanes (`others`) write an object
    atomic,         ///< lanes (`others`) update an object, one after another
    barrier,        ///< the subgroup has reached a workgroup barrier
    sync,           ///< a memory barrier, or a barrier of the subgroup
    end,            ///< the subgroup has ended
  };
  /// Why the lanes that arrived at a merge rejoined, or did not.
  enum class Reason {
    together,  ///< they were never apart
    promised,  ///< the rule promises it
    chosen,    ///< the rule leaves it open, and the chooser decided
  };

  Kind kind = Kind::start;
  SourceLocation where;
  std::array<std::uint32_t, 3> workgroup{};
  std::uint32_t subgroup = 0;
  std::uint32_t depth = 0;  ///< number of enclosing constructs
  Tangles tangles;          ///< the active tangles after it
  LaneSet others;
  std::vector<LaneSet> arrivals;
  Reason reason = Reason::together;
  std::uint32_t trip = 0;

  std::string_view name;  ///< of a built-in or an atomic
  /// Of a built-in; of memory what GLSL's function takes besides it: coordinates, what is written.
  std::vector<LaneValues> operands;
  LaneValues result;  ///< of a built-in, a read or an atomic
  /// Of memory; lanes that reach different objects with one instruction give an event for each object.
  Access access;
  Sync sync;  ///< of barrier and sync

  friend bool operator==(const Event&, const Event&);
};

/// Whether events of this kind are accesses to memory.
inline bool is_access(Event::Kind kind) {
  return kind == Event::Kind::read || kind == Event::Kind::write || kind == Event::Kind::atomic;
}
/// Whether a lane's access changes memory: not if it reads, or is an atomic that only reads or compares
/// and finds another value.
bool changes_memory(const Event& event, int lane);
/// The kind of event of an access.
constexpr Event::Kind kind_of(AccessKind kind) {
  return kind == AccessKind::read    ? Event::Kind::read
         : kind == AccessKind::write ? Event::Kind::write
                                     : Event::Kind::atomic;
}
/// The name of a kind of event in traces.
std::string_view to_string(Event::Kind kind);
/// The lanes as a list of ranges: "0-3,7".
std::string to_string(LaneSet lanes);
/// One line that describes the event, for logs and failing tests.
std::string to_string(const Event& event);

/// A set of kinds of events.
class EventKinds {
 public:
  constexpr EventKinds() = default;
  constexpr EventKinds(std::initializer_list<Event::Kind> kinds) {
    for (const Event::Kind kind : kinds) bits_ |= bit(kind);
  }
  /// Every kind.
  static constexpr EventKinds all() {
    EventKinds kinds;
    kinds.bits_ = bit(Event::Kind::end) * 2 - 1;
    return kinds;
  }

  /// Whether the kind is in the set.
  constexpr bool has(Event::Kind kind) const { return (bits_ & bit(kind)) != 0; }
  /// Whether the set has a kind.
  constexpr bool any() const { return bits_ != 0; }
  /// The set without the kinds of the other one.
  constexpr EventKinds without(EventKinds others) const {
    EventKinds kinds;
    kinds.bits_ = bits_ & ~others.bits_;
    return kinds;
  }
  friend constexpr EventKinds operator|(EventKinds a, EventKinds b) {
    a.bits_ |= b.bits_;
    return a;
  }
  friend constexpr auto operator<=>(const EventKinds&, const EventKinds&) = default;

 private:
  static constexpr std::uint32_t bit(Event::Kind kind) {
    return std::uint32_t{1} << static_cast<int>(kind);
  }

  std::uint32_t bits_ = 0;
};

/// What an observer wants to be told.
struct Interest {
  EventKinds kinds = EventKinds::all();
  /// Operands and results. Otherwise reads and writes have none and no name. Atomics have only a name, except
  /// compare-and-swaps, whose values tell what they changed. Built-ins have a name, and the operands that a rule of
  /// checks needs: those that must not differ between lanes, are ballots or are of quads. Kernels may give more.
  bool values = true;
  /// Also accesses that conflict with none of other invocations: to private memory, and reads of buffers and images
  /// that nothing in the dispatch writes. Kernels may give more.
  bool conflict_free = true;

  /// Of nothing.
  static constexpr Interest none() { return {EventKinds(), false, false}; }

  friend constexpr Interest operator|(const Interest& a, const Interest& b) {
    return {a.kinds | b.kinds, a.values || b.values, a.conflict_free || b.conflict_free};
  }
  friend constexpr auto operator<=>(const Interest&, const Interest&) = default;
};

/// Receives the events of a run, subgroup by subgroup in the order of execution.
///
/// Requires      The event and what it points to are valid only during the call. The interest stays the same.
/// Active lanes  An observer cannot change the run.
/// Errors        Its exceptions end the run and reach the caller of dispatch.
/// Cost          Its own; a machine creates no events for which no observer asks.
/// Spec          None.
/// Example       include/lockstep/trace/recorder.hpp
class Observer {
 public:
  virtual ~Observer() = default;
  /// An event of a kind that it asked for; with values also if only another observer asked for them.
  virtual void on(const Event& event) = 0;
  /// What it is told.
  virtual Interest interest() const { return {}; }
};

}  // namespace lockstep
