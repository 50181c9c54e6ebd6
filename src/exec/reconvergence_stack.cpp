#include <lockstep/exec/reconvergence_stack.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>
#include <lockstep/exec/tell.hpp>

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

/// The votes of all subgroups on one question. A subgroup without a Meeting votes alone.
std::uint32_t meet(ReconvergenceStack& stack, SourceLocation where, std::uint32_t vote) {
  ++stack.meetings;
  return stack.meeting == nullptr ? vote : stack.meeting->meet(where, stack.meetings, vote);
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

Frame& push(ReconvergenceStack& stack, Frame::Kind kind, SourceLocation where) {
  Frame& frame = stack.frames.emplace_back();
  frame.kind = kind;
  frame.where = where;
  frame.header = stack.tangles;
  frame.promised = promises(stack);
  return frame;
}

/// Stores both halves of the lanes at once. Of two stores, a copy of the set would have to wait until they are over.
void set(Tangle& tangle, LaneSet lanes, bool whole_workgroup) {
  using Halves [[gnu::vector_size(sizeof(LaneSet))]] = std::uint64_t;
  const Halves halves{lanes.low, lanes.high};
  std::memcpy(static_cast<void*>(&tangle.lanes), &halves, sizeof halves);
  tangle.whole_workgroup = whole_workgroup;
}
Tangle make_tangle(LaneSet lanes, bool whole_workgroup = false) {
  Tangle tangle;
  set(tangle, lanes, whole_workgroup);
  return tangle;
}

/// Each tangle splits in two: the lanes that part go to `to`, the others stay. A part remains with the rest of the
/// workgroup if the whole workgroup goes the same way.
void split(ReconvergenceStack& stack, Tangles& tangles, LaneSet parting, Tangles& to,
           SourceLocation where) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < tangles.size(); ++k) {
    const Tangle& whole = tangles[k];
    const LaneSet staying = whole.lanes.without(parting), going = whole.lanes & parting;
    const bool stays = staying.any_lane(), goes = going.any_lane();
    bool together = whole.whole_workgroup;
    if (together) {
      const std::uint32_t votes = meet(stack, where, (stays ? vote_yes : 0) | (goes ? vote_no : 0));
      together = votes == vote_yes || votes == vote_no;
    }
    if (goes) to.push_back(make_tangle(going, together));
    if (stays) set(tangles[kept++], staying, together);
  }
  tangles.shrink(kept);
}

/// Lanes that entered together rejoin.
Tangles joined_as_entered(const Tangles& header, const Tangles& arrivals) {
  Tangles result;
  const LaneSet all = arrivals.lanes();
  for (const Tangle& entered : header) {
    const LaneSet back = all & entered.lanes;
    if (back.any_lane()) result.push_back(make_tangle(back));
  }
  return result;
}

/// Each arriving set joins an earlier one or stays apart: the chooser decides.
Tangles joined_as_chosen(const ReconvergenceStack& stack, const Tangles& arrivals,
                         SourceLocation where) {
  Tangles result;
  for (const Tangle& arrival : arrivals) {
    const auto groups = static_cast<std::uint32_t>(result.size());
    const std::uint32_t group = groups == 0 ? 0 : choose(stack, groups + 1, where);
    if (group == groups)
      result.push_back(arrival);
    else
      set(result[group], result[group].lanes | arrival.lanes, false);
  }
  return result;
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

/// Makes the arrivals at the innermost construct the active tangles, rejoined as rule and chooser decide.
Event::Reason rejoin(ReconvergenceStack& stack, const Tangles& arrivals, Place place,
                     SourceLocation where) {
  const Frame& frame = stack.frames.back();
  const bool several = arrivals.size() > 1;
  const bool never_apart = arrivals.empty() || (arrivals.size() == 1 &&
                                                (arrivals[0].whole_workgroup || !frame.promised));
  if (rule_of(stack) == Rule::maximal) {
    stack.tangles = joined_as_entered(frame.header, arrivals);
    return several ? Event::Reason::promised : Event::Reason::together;
  }
  if (never_apart && !(frame.promised && arrivals.empty() && place == Place::merge)) {
    stack.tangles = arrivals;
    return Event::Reason::together;
  }
  if (place == Place::merge && keeps_promise(stack, frame, arrivals, where)) {
    stack.tangles = {make_tangle(arrivals.lanes(), rule_of(stack) == Rule::core)};
    return several ? Event::Reason::promised : Event::Reason::together;
  }
  stack.tangles = joined_as_chosen(stack, arrivals, where);
  return several ? Event::Reason::chosen : Event::Reason::together;
}

/// Ends the innermost construct with these arrivals.
void merge(ReconvergenceStack& stack, const Tangles& arrivals, Place place, Kind kind,
           SourceLocation where) {
  const Event::Reason reason = rejoin(stack, arrivals, place, where);
  const std::uint64_t trips = stack.frames.back().trips;
  stack.frames.pop_back();
  tell_merge(stack, kind, where, arrivals, reason, trips);
}

Frame* innermost(ReconvergenceStack& stack, auto matches) {
  const auto found = std::find_if(stack.frames.rbegin(), stack.frames.rend(), matches);
  return found == stack.frames.rend() ? nullptr : &*found;
}

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

/// The lanes of a case, kept apart where the compiler separates them by their value.
Tangles lanes_of_case(ReconvergenceStack& stack, const Tangle& coming, const std::int64_t* selector,
                      SourceLocation where) {
  const auto same_value = [&](LaneSet lanes) {
    LaneSet same;
    const std::int64_t value = selector[lanes.first()];
    for_each_lane(lanes, [&](int i) {
      if (selector[i] == value) same = same | LaneSet::lane(i);
    });
    return same;
  };
  const bool one_value = coming.whole_workgroup
                             ? workgroup_agrees(stack, coming.lanes, selector, where)
                             : same_value(coming.lanes) == coming.lanes;
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
  Interest all{EventKinds(), false};
  if (observer != nullptr) all = observer->interest();
  for (const Observer* one : observers) all = all | one->interest();
  return all;
}

bool needs_meetings(const Convergence& convergence) {
  if (convergence.rule != Rule::core) return false;
  const Chooser* chooser = convergence.chooser;
  return chooser == nullptr || chooser->asks(Choice::rejoin) || convergence.interest().kinds.any();
}

ReconvergenceStack::ReconvergenceStack(LaneSet lanes, const Convergence& c, Meeting* m)
    : existing(lanes), convergence(&c), interest(c.interest()), meeting(m), max_trips(c.max_trips) {
  if (lanes.any_lane()) tangles.push_back({lanes, c.rule == Rule::core});
}

void ReconvergenceStack::tell(const Event& event) const {
  const bool alone = convergence->observers.size() + (convergence->observer != nullptr) == 1;
  const auto pass = [&](Observer* observer) {
    if ((alone ? interest : observer->interest()).kinds.has(event.kind)) observer->on(event);
  };
  if (convergence->observer != nullptr) pass(convergence->observer);
  for (Observer* observer : convergence->observers) pass(observer);
}

bool enter(ReconvergenceStack& stack, LaneSet condition, SourceLocation where) {
  Frame& frame = push(stack, Frame::Kind::selection, where);
  split(stack, stack.tangles, stack.active().without(condition), frame.waiting, where);
  tell(stack, Kind::enter, where, frame.waiting.lanes());
  return !stack.tangles.empty();
}

bool enter_other_first(ReconvergenceStack& stack, LaneSet condition, SourceLocation where,
                       const void* other) {
  const LaneSet active = stack.active();
  const bool two_sides = (active & condition).any_lane() && active.without(condition).any_lane();
  Chooser* chooser = stack.convergence->chooser;
  const bool swapped =
      two_sides && chooser != nullptr && chooser->choose(2, where, Choice::side_order) != 0;
  enter(stack, swapped ? active.without(condition) : condition, where);
  if (swapped) stack.frames.back().other = other;
  return swapped;
}

bool flip(ReconvergenceStack& stack, SourceLocation where) {
  Frame& frame = stack.frames.back();
  frame.arrived.take(stack.tangles);
  stack.tangles = std::exchange(frame.waiting, {});
  tell(stack, Kind::flip, where, frame.arrived.lanes());
  return !stack.tangles.empty();
}

void leave(ReconvergenceStack& stack, SourceLocation where) {
  Frame& frame = stack.frames.back();
  Tangles arrivals = std::exchange(frame.arrived, {});
  arrivals.take(stack.tangles);
  arrivals.take(frame.waiting);
  merge(stack, arrivals, Place::merge, Kind::leave, where);
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
  Frame& frame = stack.frames.back();
  const LaneSet left = stack.active().without(condition);
  split(stack, stack.tangles, left, frame.arrived, where);
  if (stack.tangles.empty() && !left.any_lane()) return false;
  if (!stack.tangles.empty() && frame.trips >= stack.max_trips) stop_endless_loop(stack, frame);
  if (!stack.tangles.empty()) ++frame.trips;
  tell(stack, Kind::trip, where, left, frame.trips);
  return !stack.tangles.empty();
}

void next_trip(ReconvergenceStack& stack, SourceLocation where) {
  Frame& frame = stack.frames.back();
  Tangles arrivals = std::exchange(stack.tangles, {});
  arrivals.take(frame.continuing);
  const Event::Reason reason = rejoin(stack, arrivals, Place::elsewhere, where);
  tell_merge(stack, Kind::next_trip, where, arrivals, reason, stack.frames.back().trips);
}

LateBreak* break_late(ReconvergenceStack& stack, SourceLocation where, const void* at) {
  const bool whole = std::ranges::any_of(stack.tangles, &Tangle::whole_workgroup);
  if (rule_of(stack) == Rule::maximal || stack.tangles.empty() || whole ||
      !choose_apart(stack, where, Choice::late_break))
    return nullptr;
  const auto loop = std::find_if(stack.frames.rbegin(), stack.frames.rend(),
                                 [](const Frame& f) { return f.kind == Frame::Kind::loop; });
  auto late = std::ranges::find(loop->late, at, &LateBreak::at);
  if (late == loop->late.end()) {
    late = loop->late.insert(late, {at, {}, {}, {}});
    for (auto frame = loop.base(); frame != stack.frames.end(); ++frame) {
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
  stack.frames.insert(stack.frames.end(), late.inside.begin(), late.inside.end());
  tell(stack, Kind::enter, where);
  return late;
}

void exit_loop(ReconvergenceStack& stack, SourceLocation where) {
  Frame& frame = stack.frames.back();
  Tangles arrivals = std::exchange(frame.arrived, {});
  arrivals.take(frame.continuing);
  arrivals.take(stack.tangles);
  merge(stack, arrivals, Place::merge, Kind::exit, where);
}

void enter_switch(ReconvergenceStack& stack, SourceLocation where) {
  Frame& frame = push(stack, Frame::Kind::switch_statement, where);
  frame.waiting = std::exchange(stack.tangles, {});
  tell(stack, Kind::enter, where, frame.waiting.lanes());
}

bool enter_case(ReconvergenceStack& stack, LaneSet matching, const std::int64_t* selector,
                SourceLocation where) {
  Frame& frame = stack.frames.back();
  Tangles matched, coming;
  split(stack, frame.waiting, matching, matched, where);
  for (const Tangle& t : matched) {
    Tangles groups = lanes_of_case(stack, t, selector, where);
    coming.take(groups);
  }
  stack.tangles = joined_by_fallthrough(stack, frame.header, std::move(coming),
                                        std::exchange(stack.tangles, {}), where);
  tell(stack, Kind::enter, where, frame.waiting.lanes());
  return !stack.tangles.empty();
}

void leave_switch(ReconvergenceStack& stack, SourceLocation where) { leave(stack, where); }

void call(ReconvergenceStack& stack, SourceLocation where) {
  push(stack, Frame::Kind::call, where);
  tell(stack, Kind::call, where);
}

void end_call(ReconvergenceStack& stack, SourceLocation where) {
  Tangles arrivals = std::exchange(stack.frames.back().arrived, {});
  arrivals.take(stack.tangles);
  merge(stack, arrivals, Place::elsewhere, Kind::leave, where);
}

void leave_loop(ReconvergenceStack& stack, SourceLocation where) {
  const LaneSet leaving = stack.active();
  Frame* frame = innermost(stack, [](const Frame& f) {
    return f.kind == Frame::Kind::loop || f.kind == Frame::Kind::switch_statement;
  });
  if (frame == nullptr) {
    throw Error(
        fmt::format("{}:{}: Break stands in no loop and no switch", where.file, where.line));
  }
  frame->arrived.take(stack.tangles);
  tell(stack, Kind::jump_break, where, leaving);
}

void leave_loop_around(ReconvergenceStack& stack, SourceLocation where) {
  const LaneSet leaving = stack.active();
  Frame* frame = innermost(stack, [](const Frame& f) { return f.kind == Frame::Kind::loop; });
  if (frame == nullptr)
    throw Error(fmt::format("{}:{}: Break stands in no loop", where.file, where.line));
  frame->arrived.take(stack.tangles);
  tell(stack, Kind::jump_loop, where, leaving);
}

void leave_trip(ReconvergenceStack& stack, SourceLocation where) {
  const LaneSet leaving = stack.active();
  Frame* frame = innermost(stack, [](const Frame& f) { return f.kind == Frame::Kind::loop; });
  if (frame == nullptr) {
    throw Error(fmt::format("{}:{}: Continue stands in no loop", where.file, where.line));
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
  constexpr std::string_view names[] = {"selection", "loop", "switch", "call"};
  const auto list = [](std::string_view title, const Tangles& tangles) {
    std::string text;
    for (const Tangle& t : tangles) text += fmt::format(" {{{}}}", to_string(t.lanes));
    return text.empty() ? text : fmt::format("  {}{}", title, text);
  };
  std::string text;
  for (const Frame& frame : stack.frames) {
    text += fmt::format(
        "{}:{}: {}{}{}{}{}{}\n", frame.where.file, frame.where.line,
        names[static_cast<std::size_t>(frame.kind)], list("entered", frame.header),
        list("waiting", frame.waiting), list("arrived", frame.arrived),
        list("continuing", frame.continuing),
        frame.kind == Frame::Kind::loop ? fmt::format("  trips {}", frame.trips) : std::string());
  }
  const std::string here = list("active", stack.tangles);
  return text + (here.empty() ? "no lane is active\n" : here.substr(2) + "\n");
}

}  // namespace lockstep
