#include <lockstep/exec/reconvergence_stack.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <lockstep/config.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/tell.hpp>

#include "runtime/exec/reused_event.hpp"

namespace lockstep {
namespace {

using Kind = Event::Kind;

// The votes of subgroups where the workgroup meets.
constexpr std::uint32_t vote_yes = 1;
constexpr std::uint32_t vote_no = 2;

Rule rule_of(const ReconvergenceStack& stack) {
  return stack.convergence == nullptr ? Rule::maximal : stack.convergence->rule;
}

std::uint32_t choose(const ReconvergenceStack& stack, std::uint32_t options, SourceLocation where) {
  Chooser* chooser = stack.convergence == nullptr ? nullptr : stack.convergence->chooser;
  return chooser == nullptr ? 0 : chooser->choose(options, where);
}

bool choose_apart(const ReconvergenceStack& stack, SourceLocation where, Choice choice) {
  Chooser* chooser = stack.convergence == nullptr ? nullptr : stack.convergence->chooser;
  return chooser != nullptr && chooser->choose_for_place(2, where, choice) != 0;
}

/// The votes of all subgroups on one question. A subgroup without a Meeting votes alone. A meeting that has no answer yet
/// throws, and the subgroup comes again to the same transition: each asks before it changes what it asks about.
std::uint32_t meet(ReconvergenceStack& stack, SourceLocation where, std::uint32_t vote) {
  const std::uint64_t instance = stack.meetings + 1;
  const std::uint32_t votes =
      stack.meeting == nullptr ? vote : stack.meeting->meet(where, instance, vote);
  stack.meetings = instance;
  return votes;
}

/// Whether the rule promises that the active lanes rejoin at the end of a construct that starts
/// here, provided that none escapes.
bool promises(const ReconvergenceStack& stack) {
  switch (rule_of(stack)) {
    case Rule::maximal:
      return true;
    case Rule::subgroup_uniform:
      return stack.tangles.size() == 1 && stack.tangles[0].lanes == stack.existing;
    case Rule::core:
      return stack.tangles.size() == 1 && stack.tangles[0].whole_workgroup;
  }
  return false;
}

LOCKSTEP_INLINE Frame& push(ReconvergenceStack& stack, Frame::Kind kind, SourceLocation where) {
  Frame& frame = stack.frames.push(kind, where);
  frame.header = stack.tangles;
  frame.promised = promises(stack);
  return frame;
}

/// As lockstep::tell, without a call in between; `others` gives the lanes if an observer asks for the event.
template <class Others>
void tell_with(const ReconvergenceStack& stack, Kind kind, SourceLocation where, Others others,
               std::uint64_t trip = 0) {
  if (!stack.asks(kind)) return;
  ReusedEvent event(stack, kind, where, ReusedEvent::Use::control);
  event->others = others();
  event->trip = static_cast<std::uint32_t>(trip);
  stack.tell(*event);
}

/// The same lanes, in two registers. g++ 12 otherwise stores the halves to read them as one vector, which waits until both
/// stores are over.
LaneSet in_registers(LaneSet lanes) {
  asm("" : "+r"(lanes.low), "+r"(lanes.high));
  return lanes;
}

/// The tangle that is together with the rest of the workgroup, or null. There is one at most: it has all lanes of the
/// subgroup that have not returned.
const Tangle* whole_among(const Tangles& tangles) {
  for (const Tangle& tangle : tangles)
    if (tangle.whole_workgroup) return &tangle;
  return nullptr;
}

/// Whether the workgroup, if it is together here, remains so where the lanes of `staying` stay: all go the same way.
LOCKSTEP_INLINE bool remains_whole(ReconvergenceStack& stack, const Tangles& tangles,
                                   LaneSet staying, SourceLocation where) {
  const Tangle* const whole = whole_among(tangles);
  if (whole == nullptr) return false;
  const bool stays = (whole->lanes & staying).any_lane();
  const bool goes = whole->lanes.without(staying).any_lane();
  const std::uint32_t votes = meet(stack, where, (stays ? vote_yes : 0) | (goes ? vote_no : 0));
  return votes == vote_yes || votes == vote_no;
}

/// Each tangle splits in two: the lanes of `staying` stay, the others go to `to`. `whole` is remains_whole().
LOCKSTEP_INLINE void split(Tangles& tangles, LaneSet staying, Tangles& to, bool whole) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < tangles.size(); ++k) {
    const LaneSet stay = tangles[k].lanes & staying, go = tangles[k].lanes.without(staying);
    const bool together = tangles[k].whole_workgroup && whole;
    if (go.any_lane()) to.add(go, together);
    if (stay.any_lane()) tangles[kept++].set(stay, together);
  }
  tangles.shrink(kept);
}

/// Lanes that entered together rejoin.
void join_as_entered(const Tangles& header, const Tangles& arrivals, Tangles& joined) {
  const LaneSet all = arrivals.lanes();
  joined.clear();
  for (const Tangle& entered : header) {
    const LaneSet back = all & entered.lanes;
    if (back.any_lane()) joined.add(back, false);
  }
}

/// Each arriving set joins an earlier one or stays apart: the chooser decides.
void join_as_chosen(const ReconvergenceStack& stack, const Tangles& arrivals, SourceLocation where,
                    Tangles& joined) {
  joined.clear();
  for (const Tangle& arrival : arrivals) {
    const auto groups = static_cast<std::uint32_t>(joined.size());
    const std::uint32_t group = groups == 0 ? 0 : choose(stack, groups + 1, where);
    if (group == groups)
      joined.push_back(arrival);
    else
      joined[group].set(joined[group].lanes | arrival.lanes, false);
  }
}

/// Whether the weaker rules promise that these arrivals at the end of the construct rejoin.
bool keeps_promise(ReconvergenceStack& stack, const Frame& frame, const Tangles& arrivals,
                   SourceLocation where) {
  if (!frame.promised) return false;
  const bool everyone = arrivals.lanes() == frame.header.lanes();
  if (rule_of(stack) == Rule::subgroup_uniform) return everyone;
  return meet(stack, where, everyone ? vote_yes : vote_no) == vote_yes;
}

enum class Place { merge, elsewhere };

/// Makes the arrivals at the innermost construct, which are a set of its frame, the active tangles, rejoined as rule and
/// chooser decide.
LOCKSTEP_INLINE Event::Reason rejoin(ReconvergenceStack& stack, const Tangles& arrivals,
                                     Place place, SourceLocation where) {
  const Frame& frame = stack.frames.back();
  const bool several = arrivals.size() > 1;
  const bool never_apart = arrivals.empty() || (arrivals.size() == 1 &&
                                                (arrivals[0].whole_workgroup || !frame.promised));
  if (rule_of(stack) == Rule::maximal) {
    join_as_entered(frame.header, arrivals, stack.tangles);
    return several ? Event::Reason::promised : Event::Reason::together;
  }
  if (never_apart && !(frame.promised && arrivals.empty() && place == Place::merge)) {
    stack.tangles = arrivals;
    return Event::Reason::together;
  }
  if (place == Place::merge && keeps_promise(stack, frame, arrivals, where)) {
    stack.tangles.clear();
    stack.tangles.add(arrivals.lanes(), rule_of(stack) == Rule::core);
    return several ? Event::Reason::promised : Event::Reason::together;
  }
  join_as_chosen(stack, arrivals, where, stack.tangles);
  return several ? Event::Reason::chosen : Event::Reason::together;
}

/// Ends the innermost construct, at which all of its lanes have arrived.
void merge(ReconvergenceStack& stack, Place place, Kind kind, SourceLocation where) {
  const Event::Reason reason = rejoin(stack, stack.frames.back().arrived, place, where);
  const Frame& ended = stack.frames.pop();
  if (stack.asks(kind)) tell_merge(stack, kind, where, ended.arrived, reason, ended.trips);
}

Frame* innermost(ReconvergenceStack& stack, auto matches) {
  for (Frame* frame = stack.frames.end(); frame != stack.frames.begin();)
    if (matches(*--frame)) return frame;
  return nullptr;
}
bool is_loop(const Frame& frame) { return frame.kind == Frame::Kind::loop; }

/// Whether all lanes of the workgroup have the same value while they are together: then no bit is
/// set in one and clear in another.
bool workgroup_agrees(ReconvergenceStack& stack, LaneSet lanes, const std::int64_t* value,
                      SourceLocation where) {
  std::uint64_t set = 0, clear = 0;
  for_each_lane(lanes, [&](int i) {
    set |= static_cast<std::uint64_t>(value[i]);
    clear |= ~static_cast<std::uint64_t>(value[i]);
  });
  bool agree = true;
  for (const int shift : {0, 32}) {
    const std::uint32_t set_anywhere = meet(stack, where, static_cast<std::uint32_t>(set >> shift));
    agree &= (set_anywhere & meet(stack, where, static_cast<std::uint32_t>(clear >> shift))) == 0;
  }
  return agree;
}

/// The lanes of a case, kept apart where the compiler separates them by their value. `agrees`: workgroup_agrees(), if
/// they are together with the rest of the workgroup.
Tangles lanes_of_case(const ReconvergenceStack& stack, const Tangle& coming, bool agrees,
                      const std::int64_t* selector, SourceLocation where) {
  const auto same_value = [&](LaneSet lanes) {
    LaneSet same;
    const std::int64_t value = selector[lanes.first()];
    for_each_lane(lanes, [&](int i) {
      if (selector[i] == value) same = same | LaneSet::lane(i);
    });
    return same;
  };
  const bool one_value = coming.whole_workgroup ? agrees : same_value(coming.lanes) == coming.lanes;
  if (one_value || !choose_apart(stack, where, Choice::switch_grouping)) return {coming};
  Tangles apart;
  for (LaneSet rest = coming.lanes; rest.any_lane();) {
    apart.push_back({same_value(rest)});
    rest = rest.without(apart.back().lanes);
  }
  return apart;
}

/// The lanes that come to a case and those that fall into it: if they entered the switch together
/// they may be joined, which is the compiler's choice. A tangle may hold lanes that entered apart.
Tangles joined_by_fallthrough(const ReconvergenceStack& stack, const Tangles& header,
                              Tangles coming, Tangles fallen, SourceLocation where) {
  Tangles result = coming;
  for (const Tangle& t : fallen) result.push_back(t);
  for (const Tangle& entered : header) {
    const auto is_of_it = [&](const Tangle& t) { return (t.lanes & entered.lanes).any_lane(); };
    if (std::none_of(coming.begin(), coming.end(), is_of_it) ||
        std::none_of(fallen.begin(), fallen.end(), is_of_it) ||
        choose_apart(stack, where, Choice::fallthrough))
      continue;
    LaneSet joined;
    Tangles others;
    for (const Tangle& t : result) {
      if (is_of_it(t))
        joined = joined | t.lanes;
      else
        others.push_back(t);
    }
    others.push_back({joined});
    result = std::move(others);
  }
  return result;
}

}  // namespace

std::string_view to_string(Rule rule) {
  switch (rule) {
    case Rule::maximal:
      return "maximal";
    case Rule::subgroup_uniform:
      return "subgroup-uniform";
    case Rule::core:
      return "core";
  }
  return "?";
}

Interest Convergence::interest() const {
  Interest all = Interest::none();
  if (observer != nullptr) all = observer->interest();
  for (const Observer* one : observers) all = all | one->interest();
  return all;
}

bool needs_meetings(const Convergence& convergence) {
  if (convergence.rule != Rule::core) return false;
  const Chooser* chooser = convergence.chooser;
  return chooser == nullptr || chooser->asks(Choice::rejoin) || convergence.interest().kinds.any();
}

ReconvergenceStack::ReconvergenceStack(const ReconvergenceStack&) = default;
ReconvergenceStack::ReconvergenceStack(ReconvergenceStack&&) noexcept = default;
ReconvergenceStack& ReconvergenceStack::operator=(const ReconvergenceStack&) = default;
ReconvergenceStack& ReconvergenceStack::operator=(ReconvergenceStack&&) noexcept = default;
ReconvergenceStack::~ReconvergenceStack() = default;

ReconvergenceStack::ReconvergenceStack(LaneSet lanes, const Convergence& c, Meeting* m)
    : existing(lanes), convergence(&c), interest(c.interest()), meeting(m), max_trips(c.max_trips) {
  if (lanes.any_lane()) tangles.push_back({lanes, c.rule == Rule::core});
  if (c.observers.empty())
    only_observer = c.observer;
  else if (c.observers.size() == 1 && c.observer == nullptr)
    only_observer = c.observers.front();
}

void ReconvergenceStack::restart(LaneSet lanes, const Convergence& c, Meeting* m) {
  Frames kept = std::move(frames);
  kept.clear();
  *this = ReconvergenceStack(lanes, c, m);
  frames = std::move(kept);
}

void ReconvergenceStack::tell_several(const Event& event) const {
  const auto pass = [&](Observer* observer) {
    if (observer->interest().kinds.has(event.kind)) observer->on(event);
  };
  if (convergence->observer != nullptr) pass(convergence->observer);
  for (Observer* observer : convergence->observers) pass(observer);
}

namespace {

LOCKSTEP_INLINE bool enter_selection(ReconvergenceStack& stack, LaneSet condition, bool whole,
                                     SourceLocation where) {
  Frame& frame = push(stack, Frame::Kind::selection, where);
  split(stack.tangles, condition, frame.waiting, whole);
  tell_with(stack, Kind::enter, where, [&] { return frame.waiting.lanes(); });
  return !stack.tangles.empty();
}

}  // namespace

bool enter(ReconvergenceStack& stack, LaneSet condition, SourceLocation where) {
  condition = in_registers(condition);
  return enter_selection(stack, condition, remains_whole(stack, stack.tangles, condition, where),
                         where);
}

bool enter_other_first(ReconvergenceStack& stack, LaneSet condition, SourceLocation where,
                       const void* other) {
  const bool whole = remains_whole(stack, stack.tangles, condition, where);
  const LaneSet active = stack.active();
  const bool two_sides = (active & condition).any_lane() && active.without(condition).any_lane();
  Chooser* chooser = stack.convergence->chooser;
  const bool swapped =
      two_sides && chooser != nullptr && chooser->choose(2, where, Choice::side_order) != 0;
  enter_selection(stack, swapped ? active.without(condition) : condition, whole, where);
  if (swapped) stack.frames.back().other = other;
  return swapped;
}

bool flip(ReconvergenceStack& stack, SourceLocation where) {
  Frame& frame = stack.frames.back();
  frame.arrived.take(stack.tangles);
  stack.tangles.take(frame.waiting);
  tell_with(stack, Kind::flip, where, [&] { return frame.arrived.lanes(); });
  return !stack.tangles.empty();
}

void leave(ReconvergenceStack& stack, SourceLocation where) {
  Frame& frame = stack.frames.back();
  frame.arrived.take(stack.tangles);
  frame.arrived.take(frame.waiting);
  merge(stack, Place::merge, Kind::leave, where);
}

void enter_loop(ReconvergenceStack& stack, SourceLocation where) {
  push(stack, Frame::Kind::loop, where);
  tell(stack, Kind::loop, where);
}

namespace {

[[noreturn]] void stop_endless_loop(const ReconvergenceStack& stack, const Frame& loop) {
  EndlessLoop::Lanes lanes;
  lanes.spinning = stack.active();
  lanes.left = loop.arrived.lanes();
  lanes.elsewhere = stack.existing.without(lanes.spinning | lanes.left);
  const EndlessLoop::Subgroup subgroup{stack.workgroup, stack.subgroup};
  fail::endless_loop(loop.where, lanes, loop.trips, &subgroup);
}

}  // namespace

bool test_loop(ReconvergenceStack& stack, LaneSet condition, SourceLocation where) {
  condition = in_registers(condition);
  Frame& frame = stack.frames.back();
  if (stack.tangles.empty()) return false;
  const LaneSet before = stack.active();
  split(stack.tangles, condition, frame.arrived,
        remains_whole(stack, stack.tangles, condition, where));
  if (!stack.tangles.empty() && frame.trips >= stack.max_trips) stop_endless_loop(stack, frame);
  if (!stack.tangles.empty()) ++frame.trips;
  tell_with(
      stack, Kind::trip, where, [&] { return before.without(condition); }, frame.trips);
  return !stack.tangles.empty();
}

void next_trip(ReconvergenceStack& stack, SourceLocation where) {
  Frame& frame = stack.frames.back();
  stack.tangles.take(frame.continuing);
  frame.continuing.take(stack.tangles);
  const Event::Reason reason = rejoin(stack, frame.continuing, Place::elsewhere, where);
  if (stack.asks(Kind::next_trip))
    tell_merge(stack, Kind::next_trip, where, frame.continuing, reason, frame.trips);
  frame.continuing.clear();
}

LateBreak* break_late(ReconvergenceStack& stack, SourceLocation where, const void* at) {
  const bool whole = std::ranges::any_of(stack.tangles, &Tangle::whole_workgroup);
  if (rule_of(stack) == Rule::maximal || stack.tangles.empty() || whole ||
      !choose_apart(stack, where, Choice::late_break))
    return nullptr;
  Frame* const loop = innermost(stack, is_loop);
  auto late = std::ranges::find(loop->late, at, &LateBreak::at);
  if (late == loop->late.end()) {
    late = loop->late.insert(late, {at, {}, {}, {}});
    for (const Frame* frame = loop + 1; frame != stack.frames.end(); ++frame) {
      Frame& empty = late->inside.emplace_back();
      empty.kind = frame->kind;
      empty.where = frame->where;
    }
  }
  late->lanes = late->lanes | stack.active();
  const LaneSet leaving = stack.active();
  stack.tangles.clear();
  tell(stack, Kind::jump_break, where, leaving);
  return &*late;
}

std::optional<LateBreak> resume_late_break(ReconvergenceStack& stack, SourceLocation where) {
  Frame& loop = stack.frames.back();
  if (loop.late.empty()) return std::nullopt;
  LateBreak late = std::move(loop.late.front());
  loop.late.erase(loop.late.begin());
  loop.arrived.take(loop.continuing);
  loop.arrived.take(stack.tangles);
  stack.tangles = {{late.lanes}};
  for (const Frame& inside : late.inside) stack.frames.push(inside);
  tell(stack, Kind::enter, where);
  return late;
}

void exit_loop(ReconvergenceStack& stack, SourceLocation where) {
  Frame& frame = stack.frames.back();
  frame.arrived.take(frame.continuing);
  frame.arrived.take(stack.tangles);
  merge(stack, Place::merge, Kind::exit, where);
}

void enter_switch(ReconvergenceStack& stack, SourceLocation where) {
  Frame& frame = push(stack, Frame::Kind::switch_statement, where);
  frame.waiting.take(stack.tangles);
  tell_with(stack, Kind::enter, where, [&] { return frame.waiting.lanes(); });
}

bool enter_case(ReconvergenceStack& stack, LaneSet matching, const std::int64_t* selector,
                SourceLocation where) {
  Frame& frame = stack.frames.back();
  Tangles matched, coming;
  const LaneSet others{~matching.low, ~matching.high};
  const bool whole = remains_whole(stack, frame.waiting, others, where);
  const Tangle* const together = whole ? whole_among(frame.waiting) : nullptr;
  const bool agrees = together != nullptr && !(together->lanes & others).any_lane() &&
                      workgroup_agrees(stack, together->lanes, selector, where);
  split(frame.waiting, others, matched, whole);
  for (const Tangle& t : matched) {
    Tangles groups = lanes_of_case(stack, t, agrees, selector, where);
    coming.take(groups);
  }
  stack.tangles = joined_by_fallthrough(stack, frame.header, std::move(coming),
                                        std::exchange(stack.tangles, {}), where);
  tell_with(stack, Kind::enter, where, [&] { return frame.waiting.lanes(); });
  return !stack.tangles.empty();
}

void leave_switch(ReconvergenceStack& stack, SourceLocation where) { leave(stack, where); }

void call(ReconvergenceStack& stack, SourceLocation where) {
  push(stack, Frame::Kind::call, where);
  tell(stack, Kind::call, where);
}

void end_call(ReconvergenceStack& stack, SourceLocation where) {
  stack.frames.back().arrived.take(stack.tangles);
  merge(stack, Place::elsewhere, Kind::leave, where);
}

void leave_loop(ReconvergenceStack& stack, SourceLocation where) {
  const LaneSet leaving = stack.active();
  Frame* frame = innermost(stack, [](const Frame& f) {
    return f.kind == Frame::Kind::loop || f.kind == Frame::Kind::switch_statement;
  });
  if (frame == nullptr) {
    throw Error(fmt::format("{}:{}: Break outside a loop or switch", where.file, where.line));
  }
  frame->arrived.take(stack.tangles);
  tell(stack, Kind::jump_break, where, leaving);
}

void leave_loop_around(ReconvergenceStack& stack, SourceLocation where) {
  const LaneSet leaving = stack.active();
  Frame* frame = innermost(stack, is_loop);
  if (frame == nullptr)
    throw Error(fmt::format("{}:{}: Break outside a loop", where.file, where.line));
  frame->arrived.take(stack.tangles);
  tell(stack, Kind::jump_loop, where, leaving);
}

void leave_trip(ReconvergenceStack& stack, SourceLocation where) {
  const LaneSet leaving = stack.active();
  Frame* frame = innermost(stack, is_loop);
  if (frame == nullptr) {
    throw Error(fmt::format("{}:{}: Continue outside a loop", where.file, where.line));
  }
  frame->continuing.take(stack.tangles);
  tell(stack, Kind::jump_continue, where, leaving);
}

void retire(ReconvergenceStack& stack, SourceLocation where) {
  const LaneSet leaving = stack.active();
  Frame* frame = innermost(stack, [](const Frame& f) { return f.kind == Frame::Kind::call; });
  if (frame != nullptr)
    frame->arrived.take(stack.tangles);
  else
    stack.tangles.clear();
  tell(stack, Kind::jump_return, where, leaving);
}

void pass_barrier(ReconvergenceStack& stack, bool whole_workgroup) {
  if (rule_of(stack) != Rule::core) return;
  if (stack.tangles.size() == 1 && stack.tangles[0].lanes == stack.existing)
    stack.tangles[0].whole_workgroup = whole_workgroup;
}

std::string to_string(const ReconvergenceStack& stack) {
  constexpr std::string_view kinds[] = {"selection", "loop", "switch", "call"};
  const auto list = [](std::string_view title, const Tangles& tangles) {
    std::string text;
    for (const Tangle& t : tangles) text += fmt::format(" {{{}}}", to_string(t.lanes));
    return text.empty() ? text : fmt::format("  {}{}", title, text);
  };
  std::string text;
  for (const Frame& frame : stack.frames) {
    text += fmt::format(
        "{}:{}: {}{}{}{}{}{}\n", frame.where.file, frame.where.line,
        kinds[static_cast<std::size_t>(frame.kind)], list("entered", frame.header),
        list("waiting", frame.waiting), list("arrived", frame.arrived),
        list("continuing", frame.continuing),
        frame.kind == Frame::Kind::loop ? fmt::format("  trips {}", frame.trips) : std::string());
  }
  const std::string here = list("active", stack.tangles);
  return text + (here.empty() ? "no lane is active\n" : here.substr(2) + "\n");
}

}  // namespace lockstep
