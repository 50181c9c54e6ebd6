#pragma once

#include <algorithm>
#include <utility>

#include "convergence/program.hpp"

/// \file
/// Generates random programs that terminate.

namespace lockstep::test {

/// What a generated program may contain.
struct Style {
  int statements = 30;  ///< approximately, over all functions
  int depth = 4;
  /// How many of a hundred conditions depend on the tangle (elect and the like).
  int tangled = 10;
  /// How many of a hundred conditions and selectors are fixed.
  int fixed = 0;
};

/// Generates one program. It terminates because loops have an iteration limit, or because in every
/// late iteration a lane of each remaining tangle leaves: there, no lane continues before it.
class Generator {
 public:
  Generator(std::uint64_t number, const Style& style) : draw_(number), style_(style) {
    program_.number = number;
  }

  Program program() {
    const int functions = 1 + draw_.below(4);
    program_.functions.resize(static_cast<std::size_t>(functions));
    budget_ = style_.statements;
    for (int f = 0; f < functions; ++f) {
      Place place{.function = f, .depth = f == 0 ? style_.depth : 2 + draw_.below(2)};
      place.loops = f == 0 ? 0 : 1;
      budget_ = std::max(budget_, 4);
      Block body = block(place);
      while (f == 0 && budget_ > style_.statements / 2) append(body, block(place));
      body.push_back(log());
      program_.functions[static_cast<std::size_t>(f)] = std::move(body);
    }
    program_.sites = sites_;
    return std::move(program_);
  }

 private:
  struct Place {
    int function = 0;
    int depth = 0;
    int loops = 0;
    bool in_loop = false;      ///< Continue is legal
    bool in_switch = false;    ///< Break is legal outside of loops, too
    bool endless = false;      ///< the innermost loop is
    bool expression = false;   ///< only what an expression can contain
    bool conditional = false;  ///< a jump here leaves other lanes in the construct
  };

  static void append(Block& to, Block from) {
    for (Statement& s : from) to.push_back(std::move(s));
  }
  static Place inside(Place place) {
    --place.depth;
    place.conditional = true;
    return place;
  }

  Block block(const Place& place) {
    Block result;
    for (int n = 1 + draw_.below(3); n > 0; --n) result.push_back(statement(place));
    if (place.expression) return result;
    if (place.conditional && draw_.chance(35))
      append(result, jump(place));
    else if (draw_.chance(50))
      result.push_back(log());
    return result;
  }

  Statement statement(const Place& place) {
    --budget_;
    if (place.depth <= 0 || budget_ < 0) return log();
    const int choice = draw_.below(100);
    if (choice < 22) return selection(place);
    if (choice < 34 && has_functions(place)) return call(place);
    if (place.expression) return log();
    if (choice < 50 && place.loops < 3) return loop(place);
    if (choice < 57 && place.loops < 2) return endless_loop(place);
    if (choice < 71) return switch_statement(place);
    return log();
  }

  Statement log() { return {.kind = Statement::log, .site = sites_++}; }
  bool has_functions(const Place& place) const {
    return place.function + 1 < static_cast<int>(program_.functions.size());
  }
  int later_function(const Place& place) {
    const int first = place.function + 1;
    return first + draw_.below(static_cast<int>(program_.functions.size()) - first);
  }
  Statement call(const Place& place) {
    return {.kind = Statement::call, .site = sites_++, .n = later_function(place)};
  }

  Block jump(const Place& place) {
    std::vector<Statement::Kind> legal;
    if (place.in_loop || place.in_switch) legal.insert(legal.end(), 3, Statement::leave_loop);
    if (place.in_loop) legal.insert(legal.end(), 3, Statement::leave_trip);
    if (place.function > 0 || draw_.chance(25)) legal.push_back(Statement::leave_function);
    if (legal.empty()) return {log()};
    const Statement::Kind kind =
        legal[static_cast<std::size_t>(draw_.below(static_cast<int>(legal.size())))];
    Statement leaving{.kind = kind, .site = sites_++};
    if (kind != Statement::leave_trip || !place.endless) return {leaving};
    Statement early{.kind = Statement::selection, .site = sites_++};
    early.conditions.push_back({.kind = Condition::trip_below, .site = sites_++, .n = 3});
    early.bodies.push_back({std::move(leaving)});
    return {std::move(early), log()};
  }

  Statement selection(const Place& place) {
    Statement s{.kind = Statement::selection, .site = sites_++};
    for (int n = draw_.chance(70) ? 1 : 2 + draw_.below(2); n > 0; --n) {
      s.conditions.push_back(condition(place, 2));
      s.bodies.push_back(block(inside(place)));
    }
    if (draw_.chance(50)) s.bodies.push_back(block(inside(place)));
    return s;
  }

  Block continue_construct(const Place& place) {
    Place step = inside(place);
    step.expression = true;
    return block(step);
  }
  Place in_a_loop(const Place& place) {
    Place body = inside(place);
    ++body.loops;
    body.in_loop = true;
    body.in_switch = false;
    body.endless = false;
    body.conditional = false;
    return body;
  }

  Statement loop(const Place& place) {
    Statement s{.kind = Statement::loop, .site = sites_++};
    s.form = static_cast<Statement::Form>(draw_.below(3));
    const Place body = in_a_loop(place);
    s.n = draw_.below(5);
    switch (draw_.below(4)) {
      case 0:
        s.conditions.push_back({.kind = Condition::always, .site = sites_++});
        break;
      case 1:
        s.conditions.push_back(
            {.kind = Condition::trip_below_lane, .site = sites_++, .n = 2 + draw_.below(4)});
        s.n = 5;
        break;
      default:
        s.conditions.push_back(condition(body, 2));
    }
    s.bodies.push_back(block(body));
    s.bodies.emplace_back();
    if (s.form == Statement::Form::for_loop && draw_.chance(60))
      s.bodies.back() = continue_construct(place);
    return s;
  }

  Statement endless_loop(const Place& place) {
    Statement s{.kind = Statement::loop, .site = sites_++};
    s.form = Statement::Form::endless;
    s.conditions.push_back({.kind = Condition::always, .site = sites_++});
    Place body = in_a_loop(place);
    body.endless = true;
    Block statements = block(body);
    statements.push_back(way_out(body));
    append(statements, block(body));
    s.bodies.push_back(std::move(statements));
    s.bodies.emplace_back();
    if (draw_.chance(40)) s.bodies.back() = continue_construct(place);
    return s;
  }
  /// Some lane of each tangle leaves here: in iteration 6 at the latest, or when it is the first left.
  Statement way_out(const Place& place) {
    Statement s{.kind = Statement::selection, .site = sites_++};
    Condition leaves{.kind = Condition::negated, .site = sites_++};
    if (draw_.chance(style_.tangled * 5)) {
      leaves = {.kind = Condition::near_first, .site = sites_++, .n = 1};
      if (place.loops > 1) leaves.n = 8 + draw_.below(24);
    } else {
      leaves.parts.push_back(
          {.kind = Condition::trip_below_lane, .site = sites_++, .n = 1 + draw_.below(6)});
    }
    s.conditions.push_back(std::move(leaves));
    Block body{log()};
    if (draw_.chance(20)) append(body, block(inside(place)));
    const bool returns = place.function > 0 && draw_.chance(30);
    body.push_back(
        {.kind = returns ? Statement::leave_function : Statement::leave_loop, .site = sites_++});
    s.bodies.push_back(std::move(body));
    return s;
  }

  Statement switch_statement(const Place& place) {
    Statement s{.kind = Statement::switch_statement, .site = sites_++};
    s.selector = static_cast<Statement::Selector>(draw_.below(5));
    if (style_.fixed > 0 && draw_.chance(style_.fixed)) s.selector = Statement::Selector::fixed;
    s.n = 2 + draw_.below(5);
    const int cases = 1 + draw_.below(5);
    const int other = draw_.below(cases + 1);  // the last: none
    std::vector<int> labels{0, 1, 2, 3, 4, 5, -1};
    for (std::size_t k = labels.size() - 1; k > 0; --k)
      std::swap(labels[k], labels[static_cast<std::size_t>(draw_.below(static_cast<int>(k) + 1))]);
    Place body = inside(place);
    body.in_switch = true;
    body.conditional = false;
    for (int k = 0; k < cases; ++k) {
      Statement::Case& c = s.cases.emplace_back();
      c.is_default = k == other;
      // `case 1: default:` is one case.
      const int most = c.is_default ? draw_.below(4) - 1 : 1 + draw_.below(3);
      for (int n = most; n > 0 && !labels.empty(); --n) {
        c.labels.push_back(labels.back());
        labels.pop_back();
      }
      if (c.labels.empty() && !c.is_default) {
        s.cases.pop_back();
        break;
      }
      s.bodies.push_back(case_body(body));
    }
    return s;
  }
  Block case_body(const Place& place) {
    if (draw_.chance(10)) return {};
    Block body = block(place);
    Place end = place;
    end.conditional = true;
    if (draw_.chance(40))
      body.push_back({.kind = Statement::leave_loop, .site = sites_++});
    else if (draw_.chance(25))
      append(body, jump(end));
    return body;
  }

  Condition condition(const Place& place, int depth) {
    Condition c;
    c.site = sites_++;
    if (style_.fixed > 0 && draw_.chance(style_.fixed)) {
      c.kind = Condition::fixed;
      c.n = draw_.below(2);
      return c;
    }
    const int choice = draw_.below(100);
    if (depth > 0 && choice < 26) return compound(place, depth, std::move(c));
    if (draw_.chance(style_.tangled)) {
      c.kind = draw_.chance(70) ? Condition::near_first : Condition::odd_ballot;
      c.n = draw_.chance(50) ? 1 : 1 + draw_.below(20);
    } else if (choice < 40) {
      c.kind = Condition::lane_bits;
      c.bits = {draw_.next(), draw_.next()};
    } else if (choice < 50) {
      c.kind = Condition::lane_from;
      c.n = draw_.chance(60) ? draw_.below(9) : draw_.below(128);
    } else if (choice < 60 && place.in_loop) {
      c.kind = draw_.chance(60) ? Condition::lane_is_trip : Condition::trip_below_lane;
      c.n = 2 + draw_.below(4);
    } else if (choice < 70) {
      c.kind = draw_.chance(60) ? Condition::same_for_all : Condition::same_for_subgroup;
    } else {
      c.kind = Condition::by_lane;
      c.n = 2 + draw_.below(2);
      if (draw_.chance(50)) {
        const int site = sites_++;
        return {.kind = Condition::negated, .site = site, .parts = {std::move(c)}};
      }
    }
    return c;
  }
  Condition compound(const Place& place, int depth, Condition c) {
    const auto part = [&] { c.parts.push_back(condition(place, depth - 1)); };
    // The right side of a short circuit usually has a side effect.
    const auto effect = [&] {
      Condition right{.kind = Condition::logged, .site = sites_++};
      right.parts.push_back(condition(place, depth - 1));
      c.parts.push_back(std::move(right));
    };
    switch (draw_.below(6)) {
      case 0:
        c.kind = Condition::logged;
        part();
        break;
      case 1:
        c.kind = has_functions(place) ? Condition::called : Condition::logged;
        if (c.kind == Condition::called) c.n = later_function(place);
        part();
        break;
      case 2:
        c.kind = Condition::negated;
        part();
        break;
      case 3:
      case 4:
        c.kind = draw_.chance(50) ? Condition::both : Condition::either;
        part();
        effect();
        break;
      default:
        c.kind = Condition::choice;
        part();
        effect();
        effect();
    }
    return c;
  }

  Draw draw_;
  Style style_;
  Program program_;
  int budget_ = 0;
  int sites_ = 1;
};

}  // namespace lockstep::test
