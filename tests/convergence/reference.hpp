#pragma once

#include <array>
#include <compare>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "convergence/coverage.hpp"
#include "convergence/program.hpp"

/// \file
/// Defines maximal reconvergence one lane at a time: each lane is a coroutine that runs the program
/// with C++ control flow. There are no masks and no stack of masks. Lanes meet where they execute
/// the same dynamic instance, which each identifies by the path it took: calls, statements, and
/// iterations of the enclosing loops.

namespace lockstep::test {

/// Thrown when a program takes too long to be useful.
struct TooLong : std::runtime_error {
  TooLong() : std::runtime_error("the program takes too long") {}
};

/// Something that a lane did.
struct Step {
  enum Kind : std::uint8_t {
    log,
    opened,   ///< a selection, loop or switch begins
    closed,   ///< the construct is left through its merge
    decided,  ///< a branch was taken
    jumped,   ///< break, continue or return
    asked,    ///< a condition depended on the tangle
  };

  std::uint64_t key = 0;  ///< identifies the dynamic instance
  Kind kind = log;
};

/// A log of a lane, and the lanes at the same dynamic instance.
struct Passed {
  int site = 0;
  std::uint64_t instance = 0;
  Lanes128 together;
};

/// A construct that a lane left other than through its end.
struct Escaped {
  std::uint64_t key = 0;
  Construct construct = Construct::selection;
  Escape how = Escape::leave_loop;
};

/// Everything that one lane did.
struct Trace {
  std::vector<Step> steps;
  std::vector<Passed> logs;
  std::vector<Escaped> escapes;
};

/// How lanes with different values are together in a switch, where the rules leave it open.
enum class SwitchLanes {
  joined,  ///< by case, and lanes that fall through with those that enter
  apart,   ///< by value, from the switch to its merge
};

/// One invocation: a coroutine that stops at each tangled instruction.
class Invocation {
 public:
  using Path = std::vector<std::int32_t>;

  Invocation(const Program& program, SwitchLanes switch_lanes, int lane, int subgroup,
             Coverage* coverage)
      : program_(program),
        switch_lanes_(switch_lanes),
        coverage_(coverage),
        visits_(static_cast<std::size_t>(program.sites)),
        main_(run(program.functions[0])) {
    asker_.lane = lane;
    asker_.subgroup = subgroup;
    calls_.push_back(main_.handle());
  }
  Invocation(const Invocation&) = delete;
  Invocation& operator=(const Invocation&) = delete;

  /// Runs until the next tangled instruction or the end; subtracts the steps from the fuel.
  void run_on(std::int64_t& fuel) {
    waits_ = false;
    while (!waits_ && !calls_.empty()) {
      if (--fuel < 0) throw TooLong();
      const Task::Handle innermost = calls_.back();
      innermost.resume();
      if (innermost.done()) calls_.pop_back();
    }
  }
  bool waits() const { return waits_; }
  /// The current position. A lane's paths only grow, in the lexicographic order of vectors.
  const Path& path() const { return path_; }
  /// It meets these lanes here.
  void meet(const Lanes128& together) { together_ = together; }

  /// Whether it depended on the tangle inside a switch, where the rules leave the tangle open.
  bool asked_in_switch() const { return asked_in_switch_; }
  Trace take_trace() { return std::move(trace_); }

 private:
  /// How a block ended for its lane.
  enum Way : int { on, left_loop, left_trip, left_function };

  /// A coroutine of this lane: a block, which returns its Way, or a condition, which returns its value.
  class Task {
   public:
    struct promise_type {
      Invocation& lane;
      int result = 0;

      template <class... A>
      explicit promise_type(Invocation& self, const A&...) : lane(self) {}
      Task get_return_object() { return Task(Handle::from_promise(*this)); }
      std::suspend_always initial_suspend() noexcept { return {}; }
      std::suspend_always final_suspend() noexcept { return {}; }
      void return_value(int value) noexcept { result = value; }
      void unhandled_exception() { std::terminate(); }  // nothing in a lane throws
    };
    using Handle = std::coroutine_handle<promise_type>;

    explicit Task(Handle handle) : handle_(handle) {}
    Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Task& operator=(Task&&) = delete;
    ~Task() {
      if (handle_) handle_.destroy();
    }
    Handle handle() const { return handle_; }

    // The caller continues when this one is done: run_on resumes the innermost.
    bool await_ready() const noexcept { return false; }
    void await_suspend(Handle caller) { caller.promise().lane.calls_.push_back(handle_); }
    int await_resume() const noexcept { return handle_.promise().result; }

   private:
    Handle handle_;
  };

  /// Waits until all lanes of this dynamic instance have arrived.
  struct Meeting {
    Invocation& lane;
    bool await_ready() const noexcept { return false; }
    void await_suspend(Task::Handle) { lane.waits_ = true; }
    const Lanes128& await_resume() const noexcept { return lane.together_; }
  };

  /// A construct that the lane is in, and its dynamic instance.
  struct Around {
    Construct construct;
    std::uint64_t key;
  };

  std::uint64_t key(int extra) const {
    std::uint64_t x = 0;
    for (const std::int32_t part : path_) x = hash_of(x, part);
    return hash_of(x, extra);
  }
  void step(Step::Kind kind, int extra = 0) {
    trace_.steps.push_back({key(static_cast<int>(kind) + extra * 8), kind});
  }
  void count(Feature feature) {
    if (coverage_ != nullptr) coverage_->count(feature);
  }

  void open(Construct construct) {
    const std::uint64_t here = key(-1);
    around_.push_back({construct, here});
    trace_.steps.push_back({here, Step::opened});
  }
  void close() {
    trace_.steps.push_back({around_.back().key, Step::closed});
    around_.pop_back();
  }
  /// Leaves the constructs inside the `depth` outermost ones.
  void escape(std::size_t depth, Escape how) {
    for (; around_.size() > depth; around_.pop_back()) escape_here(how);
  }
  void escape_here(Escape how) {
    trace_.escapes.push_back({around_.back().key, around_.back().construct, how});
  }

  Asker asker(int site) {
    Asker result = asker_;
    result.visit = visits_[static_cast<std::size_t>(site)]++;
    return result;
  }

  Task run(const Block& block) {
    const std::size_t depth = path_.size();
    int way = on;
    for (std::size_t k = 0; k < block.size() && way == on; ++k) {
      const Statement& s = block[k];
      path_.resize(depth);
      path_.push_back(static_cast<std::int32_t>(k));
      switch (s.kind) {
        case Statement::log: {
          const Lanes128& together = co_await Meeting{*this};
          log(s.site, together);
          break;
        }
        case Statement::selection:
          way = co_await selection(s);
          break;
        case Statement::loop:
          way = co_await loop(s);
          break;
        case Statement::switch_statement:
          way = co_await switch_statement(s);
          break;
        case Statement::leave_loop:
          step(Step::jumped);
          way = left_loop;
          break;
        case Statement::leave_trip:
          step(Step::jumped);
          way = left_trip;
          break;
        case Statement::leave_function:
          step(Step::jumped);
          way = left_function;
          break;
        case Statement::call:
          co_await call(s.n, s.site);
          break;
      }
    }
    path_.resize(depth);
    co_return way;
  }

  void log(int site, const Lanes128& together) {
    trace_.logs.push_back({site, key(Step::log), together});
    step(Step::log);
    if (in_continue_ > 0) count(Feature::log_in_continue_construct);
    if (in_right_side_ > 0) count(Feature::log_in_right_side);
  }

  Task selection(const Statement& s) {
    const std::size_t depth = path_.size();
    const std::size_t outside = around_.size();
    std::size_t taken = 0;
    bool found = false;
    for (; taken < s.conditions.size() && !found; ++taken) {
      path_.resize(depth);
      path_.push_back(static_cast<std::int32_t>(2 * taken));
      const int holds = co_await ask(s.conditions[taken]);
      // Each Else If is a selection inside the Else of the one before.
      open(taken == 0 ? Construct::selection : Construct::else_if);
      step(Step::decided, holds);
      found = holds != 0;
    }
    if (found) --taken;
    int way = on;
    if (taken < s.bodies.size()) {
      path_.resize(depth);
      path_.push_back(static_cast<std::int32_t>(2 * taken + 1));
      if (!found) count(Feature::else_side);
      way = co_await run(s.bodies[taken]);
    }
    path_.resize(depth);
    if (way == on) {
      while (around_.size() > outside) close();
    }
    co_return way;
  }

  /// The positions of the parts in the path of a loop iteration.
  enum Part : std::int32_t { test_first, body, step_or_test };

  Task loop(const Statement& s) {
    using Form = Statement::Form;
    constexpr Construct kinds[] = {Construct::for_loop, Construct::while_loop, Construct::do_while,
                                   Construct::endless_loop};
    const std::size_t depth = path_.size();
    open(kinds[static_cast<std::size_t>(s.form)]);
    const std::size_t inside = around_.size();
    const int outer_trip = std::exchange(asker_.trip, 0);
    const auto part = [&](Part p) {
      path_.resize(depth);
      path_.push_back(asker_.trip);
      path_.push_back(p);
    };
    int way = on;
    for (;; ++asker_.trip) {
      if (s.form == Form::for_loop || s.form == Form::while_loop) {
        part(test_first);
        const int holds = co_await ask(s.conditions[0]);
        const bool again = holds != 0 && asker_.trip < s.n;
        step(Step::decided, again);
        if (!again && asker_.trip == 0) count(Feature::zero_trips);
        if (!again) break;
      }
      part(body);
      way = co_await run(s.bodies[0]);
      if (way == left_function) break;
      if (way == left_loop) {
        escape(inside, Escape::leave_loop);
        escape_here(Escape::leave_loop);
        way = on;
        break;
      }
      if (way == left_trip) {
        escape(inside, Escape::leave_trip);
        escape_here(Escape::leave_trip);
        way = on;
      }
      part(step_or_test);
      ++in_continue_;
      if (s.form == Form::do_while) {
        const int holds = co_await ask(s.conditions[0]);
        --in_continue_;
        const bool again = holds != 0 && asker_.trip + 1 < s.n;
        step(Step::decided, again);
        if (!again) break;
      } else {
        co_await run(s.bodies[1]);
        --in_continue_;
      }
    }
    asker_.trip = outer_trip;
    path_.resize(depth);
    if (way == on) close();
    co_return way;
  }

  Task switch_statement(const Statement& s) {
    const std::size_t depth = path_.size();
    const int value = selector_of(program_, s, asker(s.site));
    const std::size_t entered = case_of(s, value);
    open(Construct::switch_statement);
    // Lanes that enter no case take the same path, whatever their values.
    step(Step::decided, entered == s.cases.size() ? 0 : value + 2);
    const std::size_t inside = around_.size();
    int way = on;
    for (std::size_t k = entered; k < s.cases.size() && way == on; ++k) {
      path_.resize(depth);
      path_.push_back(switch_lanes_ == SwitchLanes::apart ? value : 0);
      path_.push_back(static_cast<std::int32_t>(k));
      if (k > entered) escape_here(Escape::fall_through);
      ++in_switch_;
      way = co_await run(s.bodies[k]);
      --in_switch_;
    }
    path_.resize(depth);
    if (way == left_loop) {
      escape(inside, Escape::leave_loop);
      escape_here(Escape::leave_loop);
      way = on;
    }
    if (way == on) close();
    co_return way;
  }
  /// The case that a value enters; past the last if it enters none.
  std::size_t case_of(const Statement& s, int value) {
    std::size_t other = s.cases.size();
    for (std::size_t k = 0; k < s.cases.size(); ++k) {
      if (s.cases[k].is_default) other = k;
      for (const int label : s.cases[k].labels) {
        if (label != value) continue;
        if (s.cases[k].labels.size() > 1) count(Feature::several_labels);
        if (s.cases[k].is_default) count(Feature::label_of_default);
        return k;
      }
    }
    if (other == s.cases.size()) {
      count(Feature::no_case);
    } else {
      count(other + 1 == s.cases.size() ? Feature::default_last
            : other == 0                ? Feature::default_first
                                        : Feature::default_between);
    }
    return other;
  }

  Task call(int function, int site) {
    const std::size_t outside = around_.size();
    const int outer_trip = std::exchange(asker_.trip, 0);
    const std::uint64_t here = key(-2);
    around_.push_back({Construct::function, here});
    trace_.steps.push_back({here, Step::opened});
    ++calls_deep_;
    if (coverage_ != nullptr) coverage_->called(function, site, calls_deep_);
    if (in_continue_ > 0) count(Feature::call_in_continue_construct);
    if (in_right_side_ > 0) count(Feature::call_in_right_side);
    const int way = co_await run(program_.functions[static_cast<std::size_t>(function)]);
    if (way == left_function) escape(outside, Escape::leave_function);
    around_.resize(outside);
    --calls_deep_;
    asker_.trip = outer_trip;
    co_return on;
  }

  Task ask(const Condition& c) {
    const std::size_t depth = path_.size();
    int holds = 0;
    const auto part = [&](int k) {
      path_.resize(depth);
      path_.push_back(k);
    };
    switch (c.kind) {
      case Condition::near_first:
      case Condition::odd_ballot: {
        const Lanes128& together = co_await Meeting{*this};
        step(Step::asked);
        if (in_switch_ > 0) count(Feature::tangle_asked_in_switch);
        if (in_switch_ > 0) asked_in_switch_ = true;
        holds = c.kind == Condition::odd_ballot ? together.count() % 2 == 1
                                                : asker_.lane < first_of(together) + c.n;
        break;
      }
      case Condition::logged: {
        const Lanes128& together = co_await Meeting{*this};
        log(c.site, together);
        part(1);
        holds = co_await ask(c.parts[0]);
        break;
      }
      case Condition::called:
        part(0);
        co_await call(c.n, c.site);
        part(1);
        holds = co_await ask(c.parts[0]);
        break;
      case Condition::negated:
        part(0);
        holds = co_await ask(c.parts[0]);
        holds = holds == 0;
        break;
      case Condition::both:
      case Condition::either:
      case Condition::choice: {
        part(0);
        const int left = co_await ask(c.parts[0]);
        open(Construct::short_circuit);
        step(Step::decided, left);
        holds = left;
        const bool right =
            c.kind == Condition::choice || (left != 0) == (c.kind == Condition::both);
        if (right) {
          const bool last = c.kind == Condition::choice && left == 0;
          part(last ? 2 : 1);
          ++in_right_side_;
          holds = co_await ask(c.parts[last ? 2 : 1]);
          --in_right_side_;
        }
        path_.resize(depth);
        close();
        break;
      }
      default:
        holds = data_of(program_, c, asker(c.site));
    }
    path_.resize(depth);
    co_return holds;
  }

  static int first_of(const Lanes128& lanes) {
    int first = 0;
    while (!lanes.test(static_cast<std::size_t>(first))) ++first;
    return first;
  }

  const Program& program_;
  SwitchLanes switch_lanes_;
  Coverage* coverage_;
  Asker asker_;
  std::vector<int> visits_;
  Path path_;
  std::vector<Around> around_;
  Trace trace_;
  Lanes128 together_;
  std::vector<Task::Handle> calls_;
  bool waits_ = false;
  bool asked_in_switch_ = false;
  int in_continue_ = 0;
  int in_right_side_ = 0;
  int in_switch_ = 0;
  int calls_deep_ = 0;
  Task main_;
};

/// The runs of the lanes of one subgroup.
struct Reference {
  std::vector<Trace> lanes;  ///< 128 of them
  bool asked_in_switch = false;
};

/// Counts the lanes that left a construct in a way that other lanes did not.
inline void count_escapes(const Reference& reference, Coverage& coverage) {
  struct Lanes {
    int opened = 0;
    std::array<int, escapes> escaped{};
  };
  std::unordered_map<std::uint64_t, Lanes> constructs;
  for (const Trace& trace : reference.lanes) {
    for (const Step& s : trace.steps) {
      if (s.kind == Step::opened) ++constructs[s.key].opened;
    }
    for (const Escaped& e : trace.escapes)
      ++constructs[e.key].escaped[static_cast<std::size_t>(e.how)];
  }
  for (const Trace& trace : reference.lanes) {
    for (const Escaped& e : trace.escapes) {
      const Lanes& lanes = constructs[e.key];
      if (lanes.escaped[static_cast<std::size_t>(e.how)] < lanes.opened)
        coverage.escaped_alone(e.construct, e.how);
    }
  }
}

/// Runs a program for the lanes of one subgroup. Throws TooLong.
inline Reference run_reference(const Program& program, const Lanes128& existing,
                               SwitchLanes switch_lanes, int subgroup = 0,
                               Coverage* coverage = nullptr) {
  std::int64_t fuel = 150'000;
  std::vector<std::unique_ptr<Invocation>> lanes(existing.size());
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (!existing.test(i)) continue;
    lanes[i] = std::make_unique<Invocation>(program, switch_lanes, static_cast<int>(i), subgroup,
                                            coverage);
    lanes[i]->run_on(fuel);
    if (lanes[i]->waits()) waiting.push_back(i);
  }
  // A lane with the smallest path can only be met by lanes that are already there: the paths of all
  // others are larger, and paths only grow.
  while (!waiting.empty()) {
    std::vector<std::size_t> least, others;
    for (const std::size_t i : waiting) {
      const auto order = least.empty() ? std::strong_ordering::equal
                                       : lanes[i]->path() <=> lanes[least[0]]->path();
      if (order < 0) {
        others.insert(others.end(), least.begin(), least.end());
        least.clear();
      }
      (order <= 0 ? least : others).push_back(i);
    }
    Lanes128 together;
    for (const std::size_t i : least) together.set(i);
    for (const std::size_t i : least) {
      lanes[i]->meet(together);
      lanes[i]->run_on(fuel);
      if (lanes[i]->waits()) others.push_back(i);
    }
    waiting = std::move(others);
  }
  Reference result;
  for (auto& lane : lanes) {
    result.lanes.push_back(lane ? lane->take_trace() : Trace());
    result.asked_in_switch = result.asked_in_switch || (lane && lane->asked_in_switch());
  }
  if (coverage != nullptr) count_escapes(result, *coverage);
  return result;
}

}  // namespace lockstep::test
