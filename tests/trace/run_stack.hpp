#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/trace/recorder.hpp>

/// \file
/// Sample traces, built by hand on a reconvergence stack.

namespace lockstep::test {

/// A subgroup whose transitions, at lines of one file, are recorded.
class StackRun {
 public:
  StackRun(LaneSet lanes, Rule rule, Chooser chooser, std::string file = "no such file.hpp")
      : file_(std::move(file)),
        chooser_(std::move(chooser)),
        convergence_{.rule = rule, .chooser = &chooser_, .observer = &recorder_},
        stack_(lanes, convergence_) {
    tell(Event::Kind::start, 0);
  }
  StackRun(const StackRun&) = delete;
  StackRun& operator=(const StackRun&) = delete;

  ReconvergenceStack& stack() { return stack_; }
  SourceLocation at(int line) const { return {file_.c_str(), line}; }
  const std::vector<Event>& events() const { return recorder_.events(); }

  void enter(std::uint64_t lanes, int line) { lockstep::enter(stack_, {lanes, 0}, at(line)); }
  void flip(int line) { lockstep::flip(stack_, at(line)); }
  void leave(int line) { lockstep::leave(stack_, at(line)); }

  /// A built-in at this line, with one result in all lanes, for each tangle.
  void built_in(std::string_view name, int line, std::uint32_t result) {
    for (const Tangle& t : stack_.tangles) {
      Event event = event_at(Event::Kind::built_in, line);
      event.tangles = {t};
      event.name = name;
      event.result = {LaneValues::Type::uint32, 1, std::vector<std::uint64_t>(128, result++)};
      stack_.tell(event);
    }
  }
  void tell(Event::Kind kind, int line) { stack_.tell(event_at(kind, line)); }

 private:
  Event event_at(Event::Kind kind, int line) const {
    Event event;
    event.kind = kind;
    event.where = at(line);
    event.depth = static_cast<std::uint32_t>(stack_.frames.size());
    event.tangles = stack_.tangles;
    event.others = kind == Event::Kind::read ? stack_.active() : LaneSet{};
    return event;
  }

  std::string file_;
  trace::Recorder recorder_;
  Chooser chooser_;
  Convergence convergence_;
  ReconvergenceStack stack_;
};

}  // namespace lockstep::test
