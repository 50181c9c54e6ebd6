#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/exec/event.hpp>

/// \file
/// What one subgroup did, step by step and line by line: the form in which a trace is shown.

namespace lockstep::trace {

/// A construct that lanes are in at some step, and who of them is where.
struct Level {
  enum class Kind { selection, loop, switch_statement, call };

  Kind kind = Kind::selection;
  SourceLocation where;
  std::vector<LaneSet> entered;  ///< tangle by tangle
  LaneSet waiting;               ///< for the other side, or for their case
  LaneSet arrived;               ///< at its end
  LaneSet continuing;            ///< at the end of this trip of a loop

  friend bool operator==(const Level& a, const Level& b) {
    return a.kind == b.kind && a.where.line == b.where.line && a.entered == b.entered &&
           a.waiting == b.waiting && a.arrived == b.arrived && a.continuing == b.continuing;
  }
};

/// One row of a timeline: a source line that lanes execute, or a place where lanes meet.
struct Step {
  enum class Kind {
    line,        ///< tangles execute this line, each on its own
    other_side,  ///< the Else of the selection at this line starts for these tangles
    merge,       ///< lanes that were apart meet at the end of the construct at this line
  };
  /// What came of a meeting.
  enum class Outcome {
    rejoined,    ///< the rule promises it
    by_choice,   ///< nothing promises it, and the chooser let them
    stay_apart,  ///< nothing promises it, and the chooser kept some apart that entered together
  };

  Kind kind = Kind::line;
  SourceLocation where;
  std::vector<LaneSet> tangles;  ///< who executes; of a merge: who goes on
  std::string names;             ///< a letter for each tangle, which it keeps from step to step
  LaneSet starts;             ///< of them: who begins with the line here; the others go on with it
  LaneSet aside;              ///< of them: where the line's condition is false
  LaneSet waiting;            ///< neither active nor returned
  std::string waiting_names;  ///< [lane]: the letter that a lane of `waiting` had last
  bool diverges = false;      ///< lanes of one tangle part here
  std::uint32_t trip = 0;     ///< of a loop's test
  std::string note;           ///< the built-ins' results
  std::vector<Level> stack;   ///< the constructs around it, from the outermost in

  Event::Kind merge = Event::Kind::leave;  ///< of a merge: leave, exit or next_trip
  Outcome outcome = Outcome::rejoined;     ///< of a merge
  std::vector<LaneSet> arrivals;           ///< of a merge: who met
  Level construct;                         ///< of a merge: what ended

  /// The lanes of all tangles.
  LaneSet active() const;
};

/// All steps of one subgroup.
struct Timeline {
  int subgroup_size = 0;
  LaneSet existing;  ///< the lanes that it started with
  std::vector<Step> steps;
};

/// Puts together the events of one subgroup, as a Recorder kept them.
///
/// Requires      Events of one subgroup in their order, from its start.
/// Active lanes  Those of the events.
/// Errors        None.
/// Cost          A small allocation or two an event.
/// Spec          None.
/// Example       tests/trace/timeline.cpp
Timeline make_timeline(const std::vector<Event>& events, int subgroup_size);

/// How often a line ran, and how many lanes did. Where a shader tells of each of its lines, one that
/// has several parts, as a selection or a loop on one line, runs once, in each trip of its own loop once.
struct LineWork {
  SourceLocation where;
  std::uint64_t times = 0;  ///< once for each tangle
  std::uint64_t lanes = 0;  ///< lanes of all times
};

/// A timeline in numbers. A tangle executes a line on its own, as a subgroup of a real device does.
struct Summary {
  std::uint64_t times = 0;         ///< lines executed, once for each tangle
  std::uint64_t lanes = 0;         ///< lanes that executed them
  double utilisation = 0;          ///< lanes / (times * subgroup size)
  std::uint64_t divergences = 0;   ///< steps where lanes of one tangle parted
  std::vector<std::size_t> apart;  ///< the steps that are merges which did not rejoin
  std::vector<LineWork> lines;     ///< by file and line
};
/// Adds a timeline up.
Summary summarize(const Timeline& timeline);

/// Why the rule promised nothing at a merge that did not rejoin, in words.
std::string why_open(const Step& merge, LaneSet existing);

}  // namespace lockstep::trace
