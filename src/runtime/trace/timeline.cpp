#include <lockstep/trace/timeline.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/variable_observer.hpp>

#include "runtime/trace/assignment_text.hpp"

namespace lockstep::trace {
namespace {

using Sets = std::vector<LaneSet>;

LaneSet all_of(const Sets& sets) {
  LaneSet all;
  for (const LaneSet s : sets) all = all | s;
  return all;
}

Sets lanes_of(const Tangles& tangles) {
  Sets sets;
  for (const Tangle& t : tangles) sets.push_back(t.lanes);
  return sets;
}

bool same_place(SourceLocation a, SourceLocation b) {
  return a.line == b.line && std::strcmp(a.file, b.file) == 0;
}

bool meets(LaneSet a, LaneSet b) { return (a & b).any_lane(); }

/// The number of sets with lanes of this one.
auto parts(LaneSet whole, const Sets& sets) {
  return std::ranges::count_if(sets, [&](LaneSet s) { return meets(s, whole); });
}

/// Gives each tangle a letter of its own, which it keeps as long as its lowest lane.
class Letters {
 public:
  void forget() { of_lane_.fill(' '); }

  /// `rivals`: lanes of other tangles at the same construct, whose letters are taken.
  std::string name(const Sets& tangles, LaneSet rivals, LaneSet live) {
    std::string names;
    std::string taken = letters_of(rivals);
    for (const LaneSet tangle : tangles) {
      char letter = of(tangle.first());
      if (letter == ' ' || taken.find(letter) != std::string::npos)
        letter = unused(taken + letters_of(live.without(tangle)));
      for_each_lane(tangle, [&](int i) { of_lane_[static_cast<std::size_t>(i)] = letter; });
      names += letter;
      taken += letter;
    }
    return names;
  }
  /// The lanes of a tangle that had this letter get it back.
  void restore(LaneSet lanes, char letter) {
    for_each_lane(lanes, [&](int i) { of_lane_[static_cast<std::size_t>(i)] = letter; });
  }
  char of(int lane) const { return of_lane_[static_cast<std::size_t>(lane)]; }

 private:
  std::string letters_of(LaneSet lanes) const {
    std::string letters;
    for_each_lane(lanes, [&](int i) { letters += of(i); });
    return letters;
  }
  static char unused(const std::string& taken) {
    for (char letter = 'A'; letter <= 'Z'; ++letter) {
      if (taken.find(letter) == std::string::npos) return letter;
    }
    return 'Z';  // more tangles than letters
  }

  std::array<char, 128> of_lane_ = [] {
    std::array<char, 128> none{};
    none.fill(' ');
    return none;
  }();
};

/// Facts that need all events.
struct Foresight {
  bool lines_are_told = false;  ///< every line is reported, so the lines of waiting lanes are known
  std::vector<bool>
      tested_last;  ///< [event]: a loop whose lanes run an iteration before the first test

  explicit Foresight(const std::vector<Event>& events) : tested_last(events.size()) {
    struct Loop {
      std::size_t event;
      bool had_trip = false, known = false;
    };
    std::vector<Loop> loops;
    for (std::size_t k = 0; k < events.size(); ++k) {
      const Event::Kind kind = events[k].kind;
      lines_are_told = lines_are_told || kind == Event::Kind::line;
      if (kind == Event::Kind::loop) loops.push_back({k});
      if (loops.empty()) continue;
      Loop& loop = loops.back();
      if (kind == Event::Kind::next_trip) loop.had_trip = true;
      if (kind == Event::Kind::trip && !std::exchange(loop.known, true))
        tested_last[loop.event] = loop.had_trip;
      if (kind == Event::Kind::exit) loops.pop_back();
    }
  }
};

/// Follows the events, tracks the constructs that lanes are in, and adds steps. Long, as each event changes constructs, letters
/// and rows together.
class Follower {
 public:
  Follower(const std::vector<Event>& events, int subgroup_size) : foresight_(events) {
    timeline_.subgroup_size = subgroup_size;
    for (const Event& event : events) {
      on(event);
      ++number_;
    }
  }

  Timeline take() { return std::move(timeline_); }

 private:
  /// Long, as it has a case for each kind of event.
  void on(const Event& event) {
    drop_row_of_untested_loop(event);
    switch (event.kind) {
      case Event::Kind::start:
        start(event);
        break;
      case Event::Kind::enter:
        if (event.depth > levels_.size())
          enter_selection(event);
        else
          enter_case(event);
        break;
      case Event::Kind::flip:
        flip(event);
        break;
      case Event::Kind::loop:
        enter_loop(event);
        break;
      case Event::Kind::trip:
        test_loop(event);
        break;
      case Event::Kind::call:
        line(event);
        push(Level::Kind::call, event);
        break;
      case Event::Kind::next_trip:
        meet(event, headers_.back().trip, headers_.back().trip_names, levels_.back());
        levels_.back().continuing = {};
        if (!headers_.back().tested_last) begin_line_anew();
        break;
      case Event::Kind::leave:
      case Event::Kind::exit:
        leave(event);
        break;
      case Event::Kind::jump_break:
      case Event::Kind::jump_loop:
      case Event::Kind::jump_continue:
      case Event::Kind::jump_return:
        line(event);
        jump(event);
        break;
      case Event::Kind::built_in:
        note(operation(event), event);
        break;
      case Event::Kind::read:
      case Event::Kind::write:
      case Event::Kind::atomic:
        if (is_assignment(event))
          assign(event);
        else
          operation(event);
        break;
      case Event::Kind::line:
      case Event::Kind::sync:
        line(event);
        break;
      case Event::Kind::barrier:
        line(event);
        close_line();
        break;
      case Event::Kind::end:
        break;
    }
  }

  void start(const Event& event) {
    levels_.clear();
    headers_.clear();
    at_.assign(1, {});
    returned_ = {};
    letters_.forget();
    active_ = lanes_of(event.tangles);
    timeline_.existing = all_of(active_);
    names_ = letters_.name(active_, {}, {});
    close_line();
  }

  LaneSet live() const { return timeline_.existing.without(returned_); }

  void activate(const Tangles& tangles, LaneSet rivals = {}) {
    active_ = lanes_of(tangles);
    names_ = letters_.name(active_, rivals, live());
    close_line();
  }

  void push(Level::Kind kind, const Event& event) {
    Level level;
    level.kind = kind;
    level.where = event.where;
    level.entered = active_;
    levels_.push_back(std::move(level));
    headers_.push_back({active_, names_, active_, names_, foresight_.tested_last[number_]});
    if (kind == Level::Kind::call) at_.emplace_back();
  }
  void pop() {
    if (levels_.back().kind == Level::Kind::call) at_.pop_back();
    levels_.pop_back();
    headers_.pop_back();
  }

  /// The lanes that were not at that line before, and now are.
  LaneSet arrive_at(SourceLocation where) {
    LaneSet starts;
    for_each_lane(all_of(active_), [&](int i) {
      SourceLocation& at = at_.back()[static_cast<std::size_t>(i)];
      if (!foresight_.lines_are_told || at.line == 0 || !same_place(at, where))
        starts = starts | LaneSet::lane(i);
      at = where;
    });
    return starts;
  }
  /// Another iteration: the lanes' line runs once more.
  void begin_line_anew() {
    for_each_lane(all_of(active_), [&](int i) {
      at_.back()[static_cast<std::size_t>(i)] = {"", 0};
    });
  }

  /// The row of what runs at this place: the last one if it is still there. With no active lane
  /// nothing runs, and the row is discarded.
  Step& line(const Event& event) {
    if (active_.empty()) return nobodys_ = Step();
    // The same built-in of the same tangle again: the line runs once more.
    const std::pair call(event.name,
                         event.kind == Event::Kind::built_in ? event.tangles[0].lanes.first() : -1);
    const bool again = event.kind == Event::Kind::built_in &&
                       std::ranges::find(on_this_line_, call) != on_this_line_.end();
    if (!line_is_open_ || again || !same_place(timeline_.steps.back().where, event.where)) {
      Step& step = add(Step::Kind::line, event.where);
      step.starts = arrive_at(event.where);
      if (again) step.starts = all_of(active_);
      on_this_line_.clear();
      line_is_open_ = true;
    }
    on_this_line_.push_back(call);
    return timeline_.steps.back();
  }
  Step& operation(const Event& event) {
    Step& step = line(event);
    step.operations.push_back(number_);
    return step;
  }
  /// What lanes assign belongs to the line that they are at.
  void assign(const Event& event) {
    Step& step = line(event);
    step.assignments.push_back(number_);
    step.values.push_back(assignment_text(event));
  }
  void close_line() { line_is_open_ = false; }

  Step& add(Step::Kind kind, SourceLocation where) {
    Step step;
    step.kind = kind;
    step.where = where;
    step.tangles = active_;
    step.names = names_;
    step.waiting = live().without(all_of(active_));
    step.waiting_names.assign(128, ' ');
    for_each_lane(step.waiting,
                  [&](int i) { step.waiting_names[static_cast<std::size_t>(i)] = letters_.of(i); });
    step.stack = levels_;
    timeline_.steps.push_back(std::move(step));
    return timeline_.steps.back();
  }

  bool parts_some(LaneSet aside) const {
    return std::ranges::any_of(
        active_, [&](LaneSet t) { return meets(t, aside) && t.without(aside).any_lane(); });
  }

  void enter_selection(const Event& event) {
    Step& step = line(event);
    step.aside = event.others;
    step.diverges = parts_some(event.others);
    if (active_.empty())
      entry_steps_.erase(levels_.size());
    else
      entry_steps_[levels_.size()] = timeline_.steps.size() - 1;
    push(Level::Kind::selection, event);
    levels_.back().waiting = event.others;
    activate(event.tangles);
  }

  /// Only now is it clear that the construct is a switch, where all lanes wait for their case first.
  void enter_case(const Event& event) {
    Level& level = levels_.back();
    if (level.kind != Level::Kind::switch_statement) {
      level.kind = Level::Kind::switch_statement;
      const auto entry = entry_steps_.find(levels_.size() - 1);
      if (entry != entry_steps_.end()) timeline_.steps[entry->second].aside = {};
    }
    const LaneSet before = level.waiting;
    level.waiting = event.others;
    activate(event.tangles, level.arrived);
    if (active_.empty()) return;
    Step& step = line(event);
    // The line ran when the switch was entered.
    if (foresight_.lines_are_told) step.starts = {};
    step.diverges = std::ranges::any_of(level.entered, [&](LaneSet t) {
      return meets(t & before, event.others) && (t & before).without(event.others).any_lane();
    });
  }

  void flip(const Event& event) {
    Level& level = levels_.back();
    level.arrived = level.arrived | all_of(active_);
    level.waiting = {};
    activate(event.tangles, level.arrived);
    if (!active_.empty()) add(Step::Kind::other_side, event.where);
  }

  void enter_loop(const Event& event) {
    const std::size_t before = timeline_.steps.size();
    before_loop_ = at_.back();
    line(event);
    row_is_of_loop_ = timeline_.steps.size() > before;
    push(Level::Kind::loop, event);
  }

  /// A loop whose test comes last continues elsewhere at once: its line runs after each iteration,
  /// and has not run yet.
  void drop_row_of_untested_loop(const Event& event) {
    const bool untested = event.kind != Event::Kind::trip && row_is_of_loop_ &&
                          !same_place(timeline_.steps.back().where, event.where);
    row_is_of_loop_ = false;
    if (!untested) return;
    timeline_.steps.pop_back();
    at_.back() = before_loop_;
    close_line();
  }

  void test_loop(const Event& event) {
    Step& step = line(event);
    step.stack = levels_;  // the loop is on it in the first iteration as in all others
    step.aside = event.others;
    step.diverges = parts_some(event.others);
    if (event.tangles.empty())
      step.note = "no lane goes on";
    else
      step.trip = event.trip;
    levels_.back().arrived = levels_.back().arrived | event.others;
    activate(event.tangles);
    headers_.back().trip = active_;
    headers_.back().trip_names = names_;
    if (headers_.back().tested_last) begin_line_anew();
  }

  void leave(const Event& event) {
    const Level ended = std::move(levels_.back());
    const Header header = std::move(headers_.back());
    pop();
    meet(event, header.entered, header.names, ended);
  }

  /// The tangles that met, and those that go on. It gets a row if lanes that were together had
  /// diverged, or diverged lanes rejoined.
  void meet(const Event& event, const Sets& together, const std::string& names, Level construct) {
    const Sets after = lanes_of(event.tangles);
    const auto parted = [&](const Sets& sets) {
      return std::ranges::any_of(together, [&](LaneSet t) { return parts(t, sets) > 1; });
    };
    const bool found_others = after.size() < event.arrivals.size();
    for (std::size_t k = 0; k < together.size(); ++k) {
      for (const LaneSet t : after) {
        if (meets(t, together[k]) && parts(t, event.arrivals) > 1)
          letters_.restore(t & together[k], names[k]);
      }
    }
    activate(event.tangles);
    if (!parted(event.arrivals) && !found_others) return;
    // Lanes that the merge right before left apart: the end of the iteration is the same place.
    if (event.kind == Event::Kind::next_trip && parted(after) && !timeline_.steps.empty() &&
        timeline_.steps.back().kind == Step::Kind::merge && timeline_.steps.back().tangles == after)
      return;
    Step& step = add(Step::Kind::merge, event.where);
    step.merge = event.kind;
    step.trip = event.trip;
    step.arrivals = event.arrivals;
    construct.entered = together;
    step.construct = std::move(construct);
    step.outcome = parted(after)                             ? Step::Outcome::stay_apart
                   : event.reason == Event::Reason::promised ? Step::Outcome::rejoined
                                                             : Step::Outcome::by_choice;
  }

  void jump(const Event& event) {
    const LaneSet leaving = event.others;
    const auto park = [&](auto is_target, LaneSet Level::*where) {
      const auto level = std::find_if(levels_.rbegin(), levels_.rend(), is_target);
      if (level == levels_.rend()) return false;
      (*level).*where = (*level).*where | leaving;
      return true;
    };
    const auto is_loop = [](const Level& l) { return l.kind == Level::Kind::loop; };
    const auto is_call = [](const Level& l) { return l.kind == Level::Kind::call; };
    const auto takes_break = [&](const Level& l) {
      return is_loop(l) || l.kind == Level::Kind::switch_statement;
    };
    if (event.kind == Event::Kind::jump_break)
      park(takes_break, &Level::arrived);
    else if (event.kind == Event::Kind::jump_loop)
      park(is_loop, &Level::arrived);
    else if (event.kind == Event::Kind::jump_continue)
      park(is_loop, &Level::continuing);
    else if (!park(is_call, &Level::arrived))
      returned_ = returned_ | leaving;
    activate(event.tangles);
  }

  /// The result of a built-in, if the tangle has a single one.
  void note(Step& step, const Event& event) {
    const LaneSet lanes = event.tangles[0].lanes;
    const std::string value = value_text(event.result, lanes.first());
    bool uniform = event.result.type != LaneValues::Type::none;
    for_each_lane(lanes, [&](int i) { uniform = uniform && value_text(event.result, i) == value; });
    if (!uniform) return;
    if (!step.note.empty()) step.note += ", ";
    if (active_.size() > 1) step.note += fmt::format("{} ", letters_.of(lanes.first()));
    step.note += "= ";
    step.note += value;
  }
  /// A ballot as a number, as in GLSL's first examples; anything else as GLSL spells it.
  static std::string value_text(const LaneValues& values, int lane) {
    if (values.components != 4 || values.type != LaneValues::Type::uint32)
      return to_string(values, lane);
    std::string text = "0x";
    for (int k = 3; k >= 0; --k) {
      const std::uint64_t word = values.bits[static_cast<std::size_t>(lane * 4 + k)];
      if (text.size() > 2)
        text += fmt::format("{:08x}", word);
      else if (word != 0 || k == 0)
        text += fmt::format("{:x}", word);
    }
    return text;
  }

  Foresight foresight_;
  std::size_t number_ = 0;  ///< of the event
  Timeline timeline_;
  /// The line that each lane is at, in the function that runs and in each around it.
  using Places = std::array<SourceLocation, 128>;
  std::vector<Places> at_{1};
  Places before_loop_{};
  std::vector<Level> levels_;
  /// The lanes that entered a construct and those that began this iteration, with their letters.
  struct Header {
    Sets entered;
    std::string names;
    Sets trip;
    std::string trip_names;
    bool tested_last = false;
  };
  std::vector<Header> headers_;                     ///< one for each level
  std::map<std::size_t, std::size_t> entry_steps_;  ///< by level: the step that entered it
  Sets active_;
  std::string names_;
  LaneSet returned_;
  Letters letters_;
  bool line_is_open_ = false;
  bool row_is_of_loop_ = false;  ///< the last one, of a loop that starts now
  std::vector<std::pair<std::string_view, int>> on_this_line_;  ///< built-ins and their lowest lane
  Step nobodys_;
};

}  // namespace

LaneSet Step::active() const { return all_of(tangles); }

Timeline make_timeline(const std::vector<Event>& events, int subgroup_size) {
  return Follower(events, subgroup_size).take();
}

Summary summarize(const Timeline& timeline) {
  Summary summary;
  std::map<std::pair<std::string_view, int>, LineWork> lines;
  for (std::size_t k = 0; k < timeline.steps.size(); ++k) {
    const Step& step = timeline.steps[k];
    if (step.diverges) ++summary.divergences;
    if (step.kind == Step::Kind::merge && step.outcome == Step::Outcome::stay_apart)
      summary.apart.push_back(k);
    if (step.kind != Step::Kind::line || !step.starts.any_lane()) continue;
    LineWork& work = lines[{step.where.file, step.where.line}];
    work.where = step.where;
    work.times += static_cast<std::uint64_t>(std::ranges::count_if(
        step.tangles, [&](LaneSet tangle) { return (tangle & step.starts).any_lane(); }));
    work.lanes += static_cast<std::uint64_t>(step.starts.count());
  }
  for (const auto& [place, work] : lines) {
    summary.times += work.times;
    summary.lanes += work.lanes;
    summary.lines.push_back(work);
  }
  if (summary.times != 0) {
    summary.utilisation =
        static_cast<double>(summary.lanes) /
        (static_cast<double>(summary.times) * static_cast<double>(timeline.subgroup_size));
  }
  return summary;
}

std::string why_open(const Step& merge, LaneSet existing) {
  const Level& construct = merge.construct;
  if (merge.merge == Event::Kind::next_trip)
    return "nothing is promised at the end of a trip, only at the loop's end";
  if (construct.kind == Level::Kind::call) return "nothing is promised at the end of a function";
  const LaneSet entered = all_of(construct.entered);
  if (entered != existing) {
    return fmt::format("nothing is promised: only {} of {} lanes entered it", entered.count(),
                       existing.count());
  }
  if (construct.entered.size() > 1)
    return "nothing is promised: the lanes that entered it were apart already";
  if (all_of(merge.arrivals) != entered)
    return "nothing is promised: some of its lanes left it by another way";
  return "nothing is promised: the workgroup did not arrive here as a whole";
}

}  // namespace lockstep::trace
