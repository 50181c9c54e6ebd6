#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/exec/event.hpp>

/// \file
/// What one subgroup did, step by step and line by line: the form in which a trace is displayed.

namespace lockstep::trace {

/// An enclosing construct at some step, and where its lanes are.
struct Level {
  /// The kinds of constructs.
  enum class Kind { selection, loop, switch_statement, call };

  Kind kind = Kind::selection;
  SourceLocation where;
  std::vector<LaneSet> entered;  ///< one set per tangle
  LaneSet waiting;               ///< for the other side, or for their case
  LaneSet arrived;               ///< at its end
  LaneSet continuing;            ///< at the end of this iteration of a loop

  friend bool operator==(const Level& a, const Level& b) {
    return a.kind == b.kind && a.where.line == b.where.line && a.entered == b.entered &&
           a.waiting == b.waiting && a.arrived == b.arrived && a.continuing == b.continuing;
  }
};

/// One row of a timeline: a source line that lanes execute, or a place where lanes meet.
struct Step {
  /// What a step is.
  enum class Kind {
    line,        ///< tangles execute this line, one after another
    other_side,  ///< the Else of the selection at this line starts for these tangles
    merge,       ///< diverged lanes meet at the end of the construct at this line
  };
  /// The outcome of a merge.
  enum class Outcome {
    rejoined,    ///< the rule promises it
    by_choice,   ///< nothing promises it, but the chooser allowed it
    stay_apart,  ///< nothing promises it, and the chooser kept lanes apart that entered together
  };

  Kind kind = Kind::line;
  SourceLocation where;
  std::vector<LaneSet> tangles;  ///< those that execute; of a merge: those that go on
  std::string names;             ///< a letter for each tangle, stable from step to step
  LaneSet starts;   ///< of these: lanes that start the line here; the others go on with it
  LaneSet aside;    ///< of these: lanes where the line's condition is false
  LaneSet waiting;  ///< neither active nor returned
  std::string waiting_names;  ///< [lane]: the last letter of a lane in `waiting`
  bool diverges = false;      ///< lanes of one tangle diverge here
  std::uint32_t trip = 0;     ///< of a loop's test
  std::string note;           ///< the built-ins' results
  /// The events of its built-ins and accesses to memory, by number.
  std::vector<std::size_t> operations;
  /// The events that write named variables, by number.
  std::vector<std::size_t> assignments;
  std::vector<std::string> values;  ///< what they write: "n = 3 in lanes 0-2, 4 in lane 3"
  std::vector<Level> stack;         ///< the enclosing constructs, from the outermost in

  Event::Kind merge = Event::Kind::leave;  ///< of a merge: leave, exit or next_trip
  Outcome outcome = Outcome::rejoined;     ///< of a merge
  std::vector<LaneSet> arrivals;           ///< of a merge: the tangles that met
  Level construct;                         ///< of a merge: the construct that ended

  /// The lanes of all tangles.
  LaneSet active() const;
};

/// All steps of one subgroup.
struct Timeline {
  int subgroup_size = 0;
  LaneSet existing;  ///< the lanes it started with
  std::vector<Step> steps;
};

/// Builds a timeline from the events of one subgroup, as a Recorder stores them.
///
/// Requires      Events of one subgroup in order, from its start.
/// Active lanes  As in the events.
/// Errors        None.
/// Cost          One or two small allocations per event.
/// Spec          None.
/// Example       tests/trace/timeline.cpp
Timeline make_timeline(const std::vector<Event>& events, int subgroup_size);

/// How often a line ran, and with how many lanes. In a shader that reports every line, a line with several
/// parts, such as a selection or a loop on one line, counts once, and once per iteration of its own loop.
struct LineWork {
  SourceLocation where;
  std::uint64_t times = 0;  ///< once per tangle
  std::uint64_t lanes = 0;  ///< lanes of all executions
};

/// Statistics of a timeline. Each tangle executes a line on its own, as subgroups of real devices do.
struct Summary {
  std::uint64_t times = 0;         ///< lines executed, once per tangle
  std::uint64_t lanes = 0;         ///< lanes that executed them
  double utilisation = 0;          ///< lanes / (times * subgroup size)
  std::uint64_t divergences = 0;   ///< steps where lanes of one tangle diverged
  std::vector<std::size_t> apart;  ///< steps that are merges without reconvergence
  std::vector<LineWork> lines;     ///< by file and line
};
/// Summarises a timeline.
Summary summarize(const Timeline& timeline);

/// Why the rule promised nothing at a merge without reconvergence, in words.
std::string why_open(const Step& merge, LaneSet existing);

}  // namespace lockstep::trace
