#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/source_location.hpp>

/// \file
/// The events of a subgroup, as plain values for observers.

namespace lockstep {

/// A set of lanes that execute the same dynamic instance together.
struct Tangle {
  LaneSet lanes;
  /// Whether all other lanes of the workgroup execute that instance, too.
  bool whole_workgroup = false;

  friend bool operator==(const Tangle&, const Tangle&) = default;
};
using Tangles = std::vector<Tangle>;

/// One number, vector or ballot per lane.
struct LaneValues {
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

/// An event in a subgroup.
struct Event {
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
    read,           ///< lanes (`others`) read an array
    write,          ///< lanes (`others`) write an array
    atomic,         ///< lanes (`others`) update an array, one after another
    barrier,        ///< the subgroup has reached a workgroup barrier
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

  std::string_view name;             ///< of a built-in or an atomic
  std::vector<LaneValues> operands;  ///< of a built-in; of memory: place, then the written value
  LaneValues result;                 ///< of a built-in or a read
  std::uint32_t binding = 0;         ///< of memory: position among the dispatch's arguments

  friend bool operator==(const Event&, const Event&);
};

/// The name of a kind of event in traces.
std::string_view to_string(Event::Kind kind);
/// The lanes as a list of ranges: "0-3,7".
std::string to_string(LaneSet lanes);
/// One line that describes the event, for logs and failing tests.
std::string to_string(const Event& event);

/// Receives every event of a run, subgroup by subgroup in the order of execution.
///
/// Requires      The event and what it points to are valid only during the call.
/// Active lanes  An observer cannot change the run.
/// Errors        Its exceptions end the run and reach the caller of dispatch.
/// Cost          Its own; a machine without an observer creates no events.
/// Spec          None.
/// Example       include/lockstep/trace/recorder.hpp
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on(const Event& event) = 0;
};

}  // namespace lockstep
