#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include <lockstep/exec/reconvergence_stack.hpp>

#include "convergence/machine_book.hpp"

/// \file
/// Runs a program directly with the transitions of the reconvergence stack, like a front end
/// without C++ scopes.

namespace lockstep::test {

class StackRun {
 public:
  StackRun(const Program& program, ReconvergenceStack& stack)
      : book_(program, static_cast<int>(stack.subgroup)), stack_(stack) {}

  void run() {
    run(book_.program().functions[0]);
    if (!stack_.frames.empty()) throw Broken("constructs are left on the stack at the end");
  }
  const Log& log() const { return book_.log(); }

 private:
  static SourceLocation at(int site) { return {"program", site}; }

  void run(const Block& block) {
    for (const Statement& s : block) run(s);
  }
  void run(const Statement& s) {
    switch (s.kind) {
      case Statement::log:
        book_.log(s.site, stack_.tangles);
        break;
      case Statement::selection:
        selection(s, 0);
        break;
      case Statement::loop:
        loop(s);
        break;
      case Statement::switch_statement:
        switch_statement(s);
        break;
      case Statement::leave_loop:
        leave_loop(stack_, at(s.site));
        break;
      case Statement::leave_trip:
        leave_trip(stack_, at(s.site));
        break;
      case Statement::leave_function:
        retire(stack_, at(s.site));
        break;
      case Statement::call:
        call_function(s.n, s.site);
        break;
    }
  }

  /// The selection of condition k; the next one is in its Else.
  void selection(const Statement& s, std::size_t k) {
    const int site = s.conditions[k].site;
    if (enter(stack_, ask(s.conditions[k]), at(site))) run(s.bodies[k]);
    if (k + 1 < s.bodies.size() && flip(stack_, at(site))) {
      if (k + 1 < s.conditions.size())
        selection(s, k + 1);
      else
        run(s.bodies[k + 1]);
    }
    leave(stack_, at(site));
  }

  void loop(const Statement& s) {
    const int outer_trip = std::exchange(trip_, 0);
    const SourceLocation where = at(s.site);
    const bool test_last = s.form == Statement::Form::do_while;
    enter_loop(stack_, where);
    bool again = test_loop(stack_, test_last ? everyone : test(s), where);
    while (again) {
      book_.trip();
      run(s.bodies[0]);
      next_trip(stack_, where);
      run(s.bodies[1]);
      if (!test_last) ++trip_;
      again = test_loop(stack_, test(s), where);
      if (test_last) ++trip_;
    }
    exit_loop(stack_, where);
    trip_ = outer_trip;
  }
  LaneSet test(const Statement& s) {
    if (s.form == Statement::Form::endless) return everyone;
    const LaneSet holds = ask(s.conditions[0]);
    const int trips = s.form == Statement::Form::do_while ? trip_ + 1 : trip_;
    return trips < s.n ? holds : LaneSet{};
  }

  void switch_statement(const Statement& s) {
    std::array<std::int64_t, 128> value{};
    for (auto& v : value) v = static_cast<int>(book_.garbage().low % 8) - 2;
    for_each_lane(stack_.active(),
                  [&](int i) { value[static_cast<std::size_t>(i)] = book_.selector(s, i, trip_); });
    enter_switch(stack_, at(s.site));
    for (std::size_t k = 0; k < s.cases.size(); ++k) {
      if (enter_case(stack_, matching(s, k, value), value.data(), case_at(s, k))) run(s.bodies[k]);
    }
    leave_switch(stack_, at(s.site));
  }
  static SourceLocation case_at(const Statement& s, std::size_t k) {
    return {"case", s.site * 8 + static_cast<int>(k)};
  }
  static LaneSet matching(const Statement& s, std::size_t k,
                          const std::array<std::int64_t, 128>& value) {
    const auto has = [&](const Statement::Case& c, std::int64_t v) {
      return std::find(c.labels.begin(), c.labels.end(), v) != c.labels.end();
    };
    LaneSet result;
    for (int i = 0; i < 128; ++i) {
      const std::int64_t v = value[static_cast<std::size_t>(i)];
      const bool here =
          has(s.cases[k], v) || (s.cases[k].is_default &&
                                 std::none_of(s.cases.begin(), s.cases.end(),
                                              [&](const Statement::Case& c) { return has(c, v); }));
      if (here) result = result | LaneSet::lane(i);
    }
    return result;
  }

  void call_function(int function, int site) {
    const int outer_trip = std::exchange(trip_, 0);
    call(stack_, at(site));
    run(book_.program().functions[static_cast<std::size_t>(function)]);
    end_call(stack_, at(site));
    trip_ = outer_trip;
  }

  LaneSet ask(const Condition& c) {
    const auto part = [&](std::size_t k) { return ask(c.parts[k]); };
    switch (c.kind) {
      case Condition::logged:
        book_.log(c.site, stack_.tangles);
        return part(0);
      case Condition::called:
        call_function(c.n, c.site);
        return part(0);
      case Condition::negated:
        return everyone.without(part(0));
      case Condition::both: {
        const LaneSet left = part(0);
        LaneSet result;
        if (enter(stack_, left, at(c.site))) result = part(1) & stack_.active();
        leave(stack_, at(c.site));
        return result;
      }
      case Condition::either: {
        LaneSet result = part(0);
        if (enter(stack_, everyone.without(result), at(c.site)))
          result = result | (part(1) & stack_.active());
        leave(stack_, at(c.site));
        return result;
      }
      case Condition::choice: {
        const LaneSet left = part(0);
        LaneSet result;
        if (enter(stack_, left, at(c.site))) result = part(1) & stack_.active();
        if (flip(stack_, at(c.site))) result = result | (part(2) & stack_.active());
        leave(stack_, at(c.site));
        return result;
      }
      default:
        return book_.answers(c, stack_.tangles, trip_);
    }
  }

  static constexpr LaneSet everyone = LaneSet::first_n(128);

  Book book_;
  ReconvergenceStack& stack_;
  int trip_ = 0;
};

}  // namespace lockstep::test
