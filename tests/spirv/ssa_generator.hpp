#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "convergence/draw.hpp"
#include "spirv/ssa_program.hpp"

/// \file
/// Random programs with phis: at loops of one block and of several, at the merges of selections, switches
/// and loops, at cases that others fall through to, and at continue targets.

namespace lockstep::test::ssa {

class Generator {
 public:
  Generator(std::uint64_t seed, int statements) : draw_(seed), budget_(statements) {
    for (int id = 0; id < given_count; ++id) known_.push_back(id);
  }

  Program program() {
    here_ = new_block();
    place(here_);
    while (budget_ > 0) statements(0);
    // What is known in the end, which includes values from inside loops.
    for (int k = 0; k < 6; ++k) store_any();
    return std::move(program_);
  }

 private:
  /// A loop or switch that is being made.
  struct Around {
    bool is_loop = false;
    int merge = -1, continued = -1;
    int breaks = 0, continues = 0;
  };

  Block& block(int number) { return program_.blocks[static_cast<std::size_t>(number)]; }
  Block& block() { return block(here_); }
  int new_block() {
    program_.blocks.emplace_back();
    return static_cast<int>(program_.blocks.size()) - 1;
  }
  void place(int number) { program_.order.push_back(number); }
  /// Goes on in a block, of whose phis the values are known from here on.
  void enter(int number) {
    place(number);
    here_ = number;
    for (const Phi& phi : block().phis) known_.push_back(phi.result);
  }

  int new_value(Kind kind) {
    program_.kinds.push_back(kind);
    return static_cast<int>(program_.kinds.size()) - 1;
  }
  Kind kind_of(int id) const { return program_.kinds[static_cast<std::size_t>(id)]; }
  /// A value that is known here, mostly one of the latest.
  int any(Kind kind) {
    std::vector<int> fitting;
    for (const int id : known_)
      if (kind_of(id) == kind) fitting.push_back(id);
    const int count = static_cast<int>(fitting.size());
    const int back = draw_.chance(60) ? std::min(count, 4) : count;
    return fitting[static_cast<std::size_t>(count - 1 - draw_.below(back))];
  }
  int compute(What what, std::array<int, 3> operands, Kind kind) {
    const int result = new_value(kind);
    block().body.push_back({what, result, operands, 0});
    known_.push_back(result);
    return result;
  }
  int number() { return any(Kind::number); }
  int flag() {
    if (draw_.chance(30)) return any(Kind::flag);
    return compute(draw_.chance(70) ? What::less : What::equal, {number(), number()}, Kind::flag);
  }

  void add_phis(int target, int count) {
    for (int k = 0; k < count; ++k) {
      constexpr Kind kinds[] = {Kind::number, Kind::number, Kind::real, Kind::flag};
      block(target).phis.push_back({new_value(kinds[draw_.below(4)]), {}});
    }
  }
  /// The phis of a block take values that are known here.
  void give_phis(int target) {
    for (Phi& phi : block(target).phis) {
      int value = any(kind_of(phi.result));
      // Loops that swap: a phi takes the value of another of the same block.
      if (draw_.chance(40)) {
        const auto& others = block(target).phis;
        const int other =
            others[static_cast<std::size_t>(draw_.below(static_cast<int>(others.size())))].result;
        const bool is_known = std::find(known_.begin(), known_.end(), other) != known_.end();
        if (is_known && kind_of(other) == kind_of(phi.result)) value = other;
      }
      phi.sources.emplace_back(value, here_);
    }
  }
  void go_to(int target) {
    give_phis(target);
    block().end = End::branch;
    block().targets = {target};
  }
  /// Ends the block with a way to each side, of which the first is taken where the condition holds.
  void part(int condition, int first, int second) {
    if (draw_.chance(30)) {
      condition = compute(What::negate, {condition}, Kind::flag);
      std::swap(first, second);
    }
    block().end = End::conditional;
    block().condition = condition;
    block().targets = {first, second};
  }

  void statements(int depth) {
    const int count = 1 + draw_.below(4);
    for (int k = 0; k < count; ++k) statement(depth);
  }
  void statement(int depth) {
    const int what = budget_-- > 0 && depth < 4 ? draw_.below(100) : 0;
    if (what < 35) return arithmetic();
    if (what < 42) return store_any();
    if (what < 60) return selection(depth);
    if (what < 70) return choice(depth);
    if (loops_ >= 3) return arithmetic();
    ++loops_;
    if (what < 82)
      loop_of_one_block();
    else
      loop(depth);
    --loops_;
  }

  void arithmetic() {
    switch (draw_.below(9)) {
      case 0:
        compute(What::multiply, {number(), number()}, Kind::number);
        break;
      case 1:
        compute(What::flip, {number(), number()}, Kind::number);
        break;
      case 2:
        compute(What::low_real, {number()}, Kind::real);
        break;
      case 3:
        compute(What::bits, {any(Kind::real)}, Kind::number);
        break;
      case 4:
        compute(What::middle, {any(Kind::real), any(Kind::real)}, Kind::real);
        break;
      case 5:
        compute(What::choose, {flag(), number(), number()}, Kind::number);
        break;
      case 6:
        flag();
        break;
      default:
        compute(What::add, {number(), number()}, Kind::number);
        break;
    }
  }
  void store_any() { store(any(static_cast<Kind>(draw_.below(3)))); }
  void store(int value) {
    if (next_slot_ == slots) return;
    if (kind_of(value) == Kind::real) value = compute(What::bits, {value}, Kind::number);
    if (kind_of(value) == Kind::flag)
      value = compute(What::choose, {value, one, three}, Kind::number);
    block().body.push_back({What::store, -1, {value}, next_slot_++});
  }

  /// What f makes known is unknown after it.
  template <class F>
  void scoped(F&& f) {
    const std::size_t count = known_.size();
    f();
    known_.resize(count);
  }

  /// Ends an arm: in a way out of what is around, if there is one and it may, or at the merge.
  bool end_arm(int merge, bool may_leave) {
    if (may_leave && draw_.chance(40) && leave()) return true;
    go_to(merge);
    return false;
  }
  /// A way out: break, continue, or rarely return.
  bool leave() {
    if (draw_.chance(5)) {
      block().end = End::done;
      return true;
    }
    if (around_.empty()) return false;
    Around* inner = &around_.back();
    if (!inner->is_loop) {
      // From inside a switch the loop around it may be left, too.
      const auto loop =
          std::find_if(around_.rbegin(), around_.rend(), [](const Around& a) { return a.is_loop; });
      if (loop == around_.rend() || draw_.chance(50)) {
        go_to(inner->merge);
        return true;
      }
      inner = &*loop;
    }
    if (draw_.chance(50)) {
      ++inner->breaks;
      go_to(inner->merge);
    } else {
      ++inner->continues;
      go_to(inner->continued);
    }
    return true;
  }

  void selection(int depth) {
    const int condition = flag();
    const int merge = new_block(), first = new_block();
    const int second = draw_.chance(50) ? new_block() : merge;
    add_phis(merge, draw_.below(4));
    part(condition, first, second);
    block().merge = merge;
    if (second == merge) give_phis(merge);
    bool left = false;
    scoped([&] {
      enter(first);
      statements(depth + 1);
      left = end_arm(merge, true);
    });
    if (second != merge) {
      scoped([&] {
        enter(second);
        statements(depth + 1);
        end_arm(merge, !left);
      });
    }
    enter(merge);
  }

  void choice(int depth) {
    const int selector = compute(What::low_bits, {number()}, Kind::number);
    const int merge = new_block();
    const int count = 1 + draw_.below(4);
    add_phis(merge, draw_.below(3));
    std::vector<int> targets{merge};
    for (int k = 0; k < count; ++k) targets.push_back(new_block());
    for (int k = 1; k <= count; ++k) add_phis(targets[static_cast<std::size_t>(k)], draw_.below(3));
    if (draw_.chance(50)) targets[0] = targets[static_cast<std::size_t>(1 + draw_.below(count))];
    block().end = End::choice;
    block().condition = selector;
    block().merge = merge;
    block().targets = targets;
    if (targets[0] == merge) give_phis(merge);
    for (int k = 1; k <= count; ++k) give_phis(targets[static_cast<std::size_t>(k)]);
    // No arm leaves before one goes to the merge: something must come there.
    bool reached = targets[0] == merge;
    around_.push_back({.is_loop = false, .merge = merge});
    for (std::size_t k = 1; k < targets.size(); ++k) {
      scoped([&] {
        enter(targets[k]);
        statements(depth + 1);
        if (k + 1 < targets.size() && draw_.chance(40))
          go_to(targets[k + 1]);
        else
          reached = !end_arm(merge, reached) || reached;
      });
    }
    around_.pop_back();
    enter(merge);
  }

  /// How often a loop goes round: 1 to 4 times, which lanes may disagree on.
  int bound() {
    const int low =
        compute(What::low_bits, {draw_.chance(30) ? int{common} : number()}, Kind::number);
    return compute(What::add, {low, one}, Kind::number);
  }
  /// A phi that counts from zero.
  int add_counter(int header) {
    const int counter = new_value(Kind::number);
    block(header).phis.push_back({counter, {{zero, here_}}});
    return counter;
  }

  /// The counter's value from the back edge, after give_phis has drawn one.
  void step(int header, std::size_t counter, int more) {
    block(header).phis[counter].sources.back().first = more;
  }

  /// Values for some of a header's phis on the next iteration that nothing else uses: engines like to
  /// compute such in the phi's own place.
  using Nexts = std::vector<std::pair<std::size_t, int>>;
  void compute_nexts(int header, Nexts& nexts) {
    const std::size_t count = block(header).phis.size();
    for (std::size_t k = 0; k < count; ++k) {
      const bool is_there = std::any_of(nexts.begin(), nexts.end(),
                                        [&](const auto& next) { return next.first == k; });
      if (is_there || draw_.chance(60)) continue;
      const int old = draw_.chance(60) ? block(header).phis[k].result
                                       : any(kind_of(block(header).phis[k].result));
      switch (kind_of(old)) {
        case Kind::number:
          compute(draw_.chance(50) ? What::add : What::flip, {old, number()}, Kind::number);
          break;
        case Kind::real:
          compute(What::middle, {old, any(Kind::real)}, Kind::real);
          break;
        case Kind::flag:
          compute(What::negate, {old}, Kind::flag);
          break;
      }
      nexts.emplace_back(k, known_.back());
      known_.pop_back();
    }
  }
  /// The phis of the header take these values from the back edge, after give_phis has drawn others.
  void take_nexts(int header, const Nexts& nexts) {
    for (const auto& [phi, value] : nexts) block(header).phis[phi].sources.back().first = value;
  }
  /// What the header's phis are after the loop.
  void store_phis(int header) {
    for (std::size_t k = 0; k < block(header).phis.size(); ++k)
      if (draw_.chance(30)) store(block(header).phis[k].result);
  }

  void loop_of_one_block() {
    const int most = bound();
    const int header = new_block(), merge = new_block();
    add_phis(header, 1 + draw_.below(3));
    go_to(header);
    const int counter = add_counter(header);
    add_phis(merge, draw_.below(3));
    enter(header);
    const int count = draw_.below(5);
    int more = -1;
    const int when = draw_.below(count + 1);
    Nexts nexts;
    for (int k = 0; k <= count; ++k) {
      if (draw_.chance(50)) compute_nexts(header, nexts);
      if (k == when) more = compute(What::add, {counter, one}, Kind::number);
      if (draw_.chance(15))
        store_any();
      else
        arithmetic();
    }
    const int again = compute(What::less, {more, most}, Kind::flag);
    block().merge = merge;
    block().continued = header;
    give_phis(header);
    take_nexts(header, nexts);
    step(header, block(header).phis.size() - 1, more);
    give_phis(merge);
    part(again, header, merge);
    // Everything the block made dominates the merge.
    enter(merge);
    store_phis(header);
  }

  void loop(int depth) {
    const int most = bound();
    const int header = new_block(), body = new_block(), continued = new_block(),
              merge = new_block();
    add_phis(header, draw_.below(4));
    go_to(header);
    const int counter = add_counter(header);
    const std::size_t counting = block(header).phis.size() - 1;
    add_phis(merge, draw_.below(4));
    add_phis(continued, draw_.below(3));
    enter(header);
    Nexts nexts;
    for (int k = draw_.below(3); k > 0; --k) arithmetic();
    compute_nexts(header, nexts);
    block().merge = merge;
    block().continued = continued;
    enum { test_in_header, test_after_header, test_last, test_by_break };
    const int form = draw_.below(4);
    if (form == test_in_header || form == test_after_header) {
      if (form == test_after_header) {
        const int test = new_block();
        go_to(test);
        enter(test);
        arithmetic();
      }
      const int stays = compute(What::less, {counter, most}, Kind::flag);
      give_phis(merge);
      part(stays, body, merge);
    } else {
      go_to(body);
    }
    const std::size_t before_body = known_.size();
    Around loop{.is_loop = true, .merge = merge, .continued = continued};
    if (form == test_in_header || form == test_after_header) ++loop.breaks;
    around_.push_back(loop);
    enter(body);
    if (form == test_by_break) {
      const int rest = new_block();
      const int stays = compute(What::less, {counter, most}, Kind::flag);
      give_phis(merge);
      part(stays, rest, merge);
      ++around_.back().breaks;
      enter(rest);
    }
    statements(depth + 1);
    go_to(continued);
    loop = around_.back();
    around_.pop_back();
    if (loop.continues > 0) known_.resize(before_body);
    enter(continued);
    for (int k = draw_.below(3); k > 0; --k) arithmetic();
    compute_nexts(header, nexts);
    const int more = compute(What::add, {counter, one}, Kind::number);
    if (form == test_last) {
      const int again = compute(What::less, {more, most}, Kind::flag);
      give_phis(merge);
      give_phis(header);
      take_nexts(header, nexts);
      step(header, counting, more);
      part(again, header, merge);
    } else {
      go_to(header);
      take_nexts(header, nexts);
      step(header, counting, more);
    }
    // What dominates the merge is known there, without a phi.
    if (loop.breaks > 0) known_.resize(before_body);
    enter(merge);
    store_phis(header);
  }

  Draw draw_;
  int budget_;
  Program program_;
  int here_ = 0;
  std::vector<int> known_;  ///< values that dominate this place
  std::vector<Around> around_;
  int loops_ = 0;
  int next_slot_ = 0;
};

}  // namespace lockstep::test::ssa
