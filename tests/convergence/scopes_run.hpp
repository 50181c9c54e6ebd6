#pragma once

#include <cstdint>
#include <utility>

#include <lockstep/exec/scopes.hpp>

#include "convergence/machine_book.hpp"

/// \file
/// Runs a program through the scopes of kernels in C++, on either kind of state.

namespace lockstep::test {

template <class State>
class ScopesRun {
  using M = exec::MaskOf<State>;
  static constexpr int W = M::width;
  static constexpr bool tangled = requires(State s) { s.stack; };

 public:
  ScopesRun(const Program& program, State& state) : book_(program, 0), state_(state) {}

  void run() {
    run(book_.program().functions[0]);
    check_end();
  }
  const Log& log() const { return book_.log(); }

 private:
  static SourceLocation at(int site) { return {"program", site}; }

  void check_end() {
    if constexpr (tangled) {
      settle(state_);
      if (!state_.stack->frames.empty())
        throw Broken("constructs are left on the stack at the end");
    } else if ((state_.broken | state_.continuing).any_lane()) {
      throw Broken("lanes wait for a loop at the end");
    }
  }
  Tangles tangles() {
    if constexpr (tangled) {
      settle(state_);
      if (!(lockstep::to_lane_set(state_.active) == state_.stack->active()))
        throw Broken("the active mask is not that of all tangles");
      return state_.stack->tangles;
    } else {
      if (!state_.active.any_lane()) return {};
      return {{lockstep::to_lane_set(state_.active)}};
    }
  }

  void run(const Block& block) {
    for (const Statement& s : block) run(s);
  }
  void run(const Statement& s) {
    switch (s.kind) {
      case Statement::log:
        book_.log(s.site, tangles());
        break;
      case Statement::selection:
        if (s.site % 2 == 0)
          chain(s);
        else
          nest(s, 0);
        break;
      case Statement::loop:
        loop(s);
        break;
      case Statement::switch_statement:
        switch_statement(s);
        break;
      case Statement::leave_loop:
        leave_loop(state_, at(s.site));
        break;
      case Statement::leave_trip:
        leave_trip(state_, at(s.site));
        break;
      case Statement::leave_function:
        retire(state_, at(s.site));
        break;
      case Statement::call:
        call_function(s.n, s.site);
        break;
    }
  }

  exec::IfScope<State> when(const Condition& c) {
    const M holds = ask(c);
    return {state_, holds, at(c.site)};
  }
  exec::ElseScope<State> otherwise() { return exec::ElseScope<State>(state_); }

  /// If (a) ... Else If (b) ... Else ..., as with the keywords.
  void chain(const Statement& s) {
    if (auto in = when(s.conditions[0])) run(s.bodies[0]);
    for (std::size_t k = 1; k < s.conditions.size(); ++k) {
      if (auto other = otherwise())
        if (auto in = when(s.conditions[k])) run(s.bodies[k]);
    }
    if (s.bodies.size() > s.conditions.size()) {
      if (auto other = otherwise()) run(s.bodies.back());
    }
  }
  /// If (a) ... Else { If (b) ... Else ... }.
  void nest(const Statement& s, std::size_t k) {
    if (auto in = when(s.conditions[k])) run(s.bodies[k]);
    if (k + 1 == s.bodies.size()) return;
    if (auto other = otherwise()) {
      if (k + 1 < s.conditions.size())
        nest(s, k + 1);
      else
        run(s.bodies[k + 1]);
    }
  }

  void loop(const Statement& s) {
    const int outer_trip = std::exchange(trip_, 0);
    const SourceLocation where = at(s.site);
    if (s.form == Statement::Form::do_while) {
      for (auto l = exec::LoopScope(state_, where); l.again_unless_done(); ++trip_) {
        book_.trip();
        run(s.bodies[0]);
        l.test_last([&] { return test(s); });
      }
    } else {
      for (auto l = exec::LoopScope(state_, where); l.again(test(s));
           l.next(), run(s.bodies[1]), ++trip_) {
        book_.trip();
        run(s.bodies[0]);
      }
    }
    trip_ = outer_trip;
  }
  M test(const Statement& s) {
    if (s.form == Statement::Form::endless) return M::all();
    const M holds = ask(s.conditions[0]);
    const int trips = s.form == Statement::Form::do_while ? trip_ + 1 : trip_;
    return trips < s.n ? holds : M::none();
  }

  void switch_statement(const Statement& s) {
    const auto value = Lanes<std::int32_t, W>::generate([&](int i) {
      const bool active = i < W && state_.active.test(i);
      return active ? book_.selector(s, i, trip_)
                    : static_cast<std::int32_t>(book_.garbage().low % 8) - 2;
    });
    for (auto scope = exec::SwitchScope(state_, value, at(s.site)); scope.again();) {
      for (std::size_t k = 0; k < s.cases.size(); ++k) {
        if (!s.cases[k].is_default) {
          if (auto in = match(scope, s.cases[k], case_at(s, k))) run(s.bodies[k]);
          continue;
        }
        // As kernels spell `case 1: default:`: the lanes of case 1 fall through.
        if (!s.cases[k].labels.empty()) {
          if (auto in = match(scope, s.cases[k], {"labels of default", s.site})) {
          }
        }
        if (auto in = scope.other(case_at(s, k))) run(s.bodies[k]);
      }
    }
  }
  static SourceLocation case_at(const Statement& s, std::size_t k) {
    return {"case", s.site * 8 + static_cast<int>(k)};
  }
  template <class Scope>
  static exec::CaseScope match(Scope& scope, const Statement::Case& c, SourceLocation where) {
    const auto& label = c.labels;
    if (label.size() == 1) return scope.match(where, label[0]);
    if (label.size() == 2) return scope.match(where, label[0], label[1]);
    return scope.match(where, label[0], label[1], label[2]);
  }

  void call_function(int function, int site) {
    const int outer_trip = std::exchange(trip_, 0);
    {
      auto in = exec::CallScope(state_, at(site));
      run(book_.program().functions[static_cast<std::size_t>(function)]);
    }
    trip_ = outer_trip;
  }

  /// The effect of an assignment to a variable.
  void assign(M& to, M value) { to = to.without(state_.active) | (value & state_.active); }

  M ask(const Condition& c) {
    const auto part = [&](std::size_t k) { return ask(c.parts[k]); };
    switch (c.kind) {
      case Condition::logged:
        book_.log(c.site, tangles());
        return part(0);
      case Condition::called:
        call_function(c.n, c.site);
        return part(0);
      case Condition::negated:
        return ~part(0);
      case Condition::both: {
        M result = M::none();
        if (auto in = when(c.parts[0])) assign(result, part(1));
        return result;
      }
      case Condition::either: {
        M result = M::all();
        const M left = part(0);
        if (auto in = exec::IfScope(state_, ~left, at(c.site))) assign(result, part(1));
        return result;
      }
      case Condition::choice: {
        M result = M::none();
        if (auto in = when(c.parts[0])) assign(result, part(1));
        if (auto in = otherwise()) assign(result, part(2));
        return result;
      }
      default:
        return to_mask<W>(book_.answers(c, tangles(), trip_));
    }
  }

  Book book_;
  State& state_;
  int trip_ = 0;
};

}  // namespace lockstep::test
