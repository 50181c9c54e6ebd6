#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/event.hpp>

/// \file
/// The expected events of a run, and how a recording differs from them.

namespace lockstep::trace {

/// Tangles as tests write them: 0b1010 is one tangle of lanes 1 and 3; {0b0010, 0b1000} are the
/// same lanes in two tangles; 0 is none.
struct ExpectedTangles {
  std::vector<LaneSet> tangles;

  ExpectedTangles(std::uint64_t lanes) : ExpectedTangles(LaneSet{lanes, 0}) {}
  ExpectedTangles(LaneSet lanes) {
    if (lanes.any_lane()) tangles.push_back(lanes);
  }
  ExpectedTangles(std::initializer_list<LaneSet> apart) : tangles(apart) {}
  ExpectedTangles(std::initializer_list<std::uint64_t> apart) {
    for (const std::uint64_t lanes : apart) tangles.push_back({lanes, 0});
  }
};

/// One event, as far as a test specifies it.
struct ExpectedEvent {
  Event::Kind kind;
  std::vector<LaneSet> tangles;  ///< of a jump: the lanes that leave
  std::optional<std::string> name;
  std::optional<int> line;
  std::optional<std::vector<LaneSet>> arrivals;
  std::optional<Event::Reason> reason;
  std::optional<LaneSet> others;
};

/// An expected trace, written from its first event to its last:
///
///     expect().enter(0b1010).built_in("subgroupAdd", 0b1010).flip(0b0101).leave(0b1111)
///
/// Each event names its kind and the tangles that are active after it (for a jump: those that leave).
/// Line, arrivals, reason and others are compared if given; they refer to the preceding event.
///
/// Requires      at, arrived, because and others follow an event.
/// Active lanes  In each event, by tangle, in the order of the run.
/// Errors        None; difference() reports deviations.
/// Cost          Comparing takes time proportional to the product of the lengths between the first
///               and the last difference.
/// Spec          None.
/// Example       tests/trace/expect.cpp
class ExpectedTrace {
 public:
  /// Events of this kind are not compared.
  ExpectedTrace& ignoring(Event::Kind kind) {
    ignored_.insert(kind);
    return *this;
  }

  /// The subgroup begins.
  ExpectedTrace& start(ExpectedTangles t) { return add(Event::Kind::start, t); }
  /// A selection or case starts.
  ExpectedTrace& enter(ExpectedTangles t) { return add(Event::Kind::enter, t); }
  /// The other side of a selection starts.
  ExpectedTrace& flip(ExpectedTangles t) { return add(Event::Kind::flip, t); }
  /// A selection, switch or call is over.
  ExpectedTrace& leave(ExpectedTangles t) { return add(Event::Kind::leave, t); }
  /// A loop starts.
  ExpectedTrace& loop(ExpectedTangles t) { return add(Event::Kind::loop, t); }
  /// A loop's test.
  ExpectedTrace& trip(ExpectedTangles t) { return add(Event::Kind::trip, t); }
  /// A loop's continue target.
  ExpectedTrace& next_trip(ExpectedTangles t) { return add(Event::Kind::next_trip, t); }
  /// A loop is over.
  ExpectedTrace& exit(ExpectedTangles t) { return add(Event::Kind::exit, t); }
  /// A function starts.
  ExpectedTrace& call(ExpectedTangles t) { return add(Event::Kind::call, t); }
  /// These lanes leave the innermost loop or switch.
  ExpectedTrace& jump_break(ExpectedTangles t) { return add(Event::Kind::jump_break, t); }
  /// These lanes leave the innermost loop from inside a switch.
  ExpectedTrace& jump_loop(ExpectedTangles t) { return add(Event::Kind::jump_loop, t); }
  /// These lanes leave this iteration.
  ExpectedTrace& jump_continue(ExpectedTangles t) { return add(Event::Kind::jump_continue, t); }
  /// These lanes leave the function or kernel.
  ExpectedTrace& jump_return(ExpectedTangles t) { return add(Event::Kind::jump_return, t); }
  /// A subgroup built-in of one tangle.
  ExpectedTrace& built_in(std::string name, ExpectedTangles t) {
    return add(Event::Kind::built_in, t, std::move(name));
  }
  /// Lanes read an array.
  ExpectedTrace& read(ExpectedTangles t) { return add(Event::Kind::read, t); }
  /// Lanes write an array.
  ExpectedTrace& write(ExpectedTangles t) { return add(Event::Kind::write, t); }
  /// Lanes update an array with an atomic built-in.
  ExpectedTrace& atomic(std::string name, ExpectedTangles t) {
    return add(Event::Kind::atomic, t, std::move(name));
  }
  /// The subgroup has reached a workgroup barrier.
  ExpectedTrace& barrier(ExpectedTangles t) { return add(Event::Kind::barrier, t); }
  /// The subgroup has ended.
  ExpectedTrace& end(ExpectedTangles t) { return add(Event::Kind::end, t); }

  /// Where the last event happened.
  ExpectedTrace& at(int line) {
    events_.back().line = line;
    return *this;
  }
  /// The tangles that met at the last event, in the order of arrival.
  ExpectedTrace& arrived(ExpectedTangles t) {
    events_.back().arrivals = std::move(t.tangles);
    return *this;
  }
  /// Why they rejoined or did not.
  ExpectedTrace& because(Event::Reason reason) {
    events_.back().reason = reason;
    return *this;
  }
  /// The lanes that wait or leave at the last event.
  ExpectedTrace& others(ExpectedTangles t) {
    LaneSet lanes;
    for (const LaneSet tangle : t.tangles) lanes = lanes | tangle;
    events_.back().others = lanes;
    return *this;
  }

  /// The expected events, in order.
  const std::vector<ExpectedEvent>& events() const { return events_; }
  /// The kinds of events that are not compared.
  const std::set<Event::Kind>& ignored() const { return ignored_; }

 private:
  ExpectedTrace& add(Event::Kind kind, ExpectedTangles& t,
                     std::optional<std::string> name = std::nullopt) {
    events_.push_back({.kind = kind,
                       .tangles = std::move(t.tangles),
                       .name = std::move(name),
                       .line = std::nullopt,
                       .arrivals = std::nullopt,
                       .reason = std::nullopt,
                       .others = std::nullopt});
    return *this;
  }

  std::vector<ExpectedEvent> events_;
  std::set<Event::Kind> ignored_;
};

/// An empty expected trace, to be extended.
inline ExpectedTrace expect() { return {}; }

/// Empty if the recording is as expected. Else both, aligned, one event per line: `-` is expected
/// but missing, `+` happened unexpectedly, other lines are in both; long equal parts are left out.
std::string difference(const ExpectedTrace& expected, const std::vector<Event>& recorded);

}  // namespace lockstep::trace
