#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "support/masks.hpp"

/// \file
/// Random programs of structured control flow, and what each lane does in them, determined one lane
/// at a time.

namespace lockstep::test {

/// One statement. A block is a list of them.
struct Statement {
  enum Kind { note, selection, loop, leave_loop, next_trip, leave_kernel };
  using Block = std::vector<Statement>;

  Kind kind;
  int id = 0;                   ///< of a note
  std::vector<int> conditions;  ///< of a selection: If, Else If, ...; of a loop: its one test
  std::vector<Block> bodies;    ///< one per condition, followed by the Else's if there is one
};
using Block = Statement::Block;

/// Writes programs. Numbers every note and every condition.
class ProgramWriter {
 public:
  explicit ProgramWriter(Random& random) : random_(random) {}

  Block block(int depth, bool in_loop) {
    Block result;
    for (auto n = 1 + random_() % 4; n > 0; --n) result.push_back(statement(depth, in_loop));
    result.push_back({Statement::note, notes_++, {}, {}});
    return result;
  }
  int conditions() const { return conditions_; }

 private:
  Statement statement(int depth, bool in_loop) {
    const auto choice = random_() % 16;
    if (depth > 0 && choice < 6) return selection(depth, in_loop);
    if (depth > 0 && choice < 9) {
      return {Statement::loop, 0, {conditions_++}, {block(depth - 1, true)}};
    }
    if (in_loop && choice == 9) return {Statement::leave_loop, 0, {}, {}};
    if (in_loop && choice == 10) return {Statement::next_trip, 0, {}, {}};
    if (depth < 3 && choice == 11) return {Statement::leave_kernel, 0, {}, {}};
    return {Statement::note, notes_++, {}, {}};
  }
  Statement selection(int depth, bool in_loop) {
    Statement result{Statement::selection, 0, {}, {}};
    for (auto n = 1 + random_() % 3; n > 0; --n) {
      result.conditions.push_back(conditions_++);
      result.bodies.push_back(block(depth - 1, in_loop));
    }
    if (random_() % 2 == 0) result.bodies.push_back(block(depth - 1, in_loop));
    return result;
  }

  Random& random_;
  int notes_ = 0;
  int conditions_ = 0;
};

/// A note that a lane passed: its id, and the lanes that passed it together with this one.
using Step = std::pair<int, MaskBits>;

/// The value of a condition for a lane that evaluates it for the `visit`th time. After a few visits
/// it is false, so every loop ends. Some conditions are the same for all lanes.
inline bool answer(std::uint64_t program, int condition, int visit, int lane) {
  if (visit > 5) return false;
  std::uint64_t x = program * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(condition);
  const auto mix = [&] { x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u, x ^= x >> 32; };
  mix();
  const auto manner = x % 8;
  x += static_cast<std::uint64_t>(visit) << 8;
  mix();
  if (manner == 0) return x % 2 == 0;
  x += static_cast<std::uint64_t>(lane) << 16;
  mix();
  return manner < 3 ? x % 8 == 0 : x % 4 != 0;
}

/// Runs a program for one lane with the control flow of C++.
class LaneRun {
 public:
  /// A note and the iterations of the enclosing loops: lanes at the same instance pass it together.
  using Instance = std::vector<int>;

  LaneRun(std::uint64_t program, int conditions, int lane)
      : program_(program), visits_(static_cast<std::size_t>(conditions)), lane_(lane) {}

  std::vector<Instance> run(const Block& program) {
    run_block(program);
    return std::move(passed_);
  }

 private:
  enum Outcome { fell_through, left_loop, ended_trip, left_kernel };

  bool ask(int condition) {
    return answer(program_, condition, visits_[static_cast<std::size_t>(condition)]++, lane_);
  }
  Outcome run_block(const Block& block) {
    for (const Statement& s : block) {
      const Outcome outcome = run_statement(s);
      if (outcome != fell_through) return outcome;
    }
    return fell_through;
  }
  Outcome run_statement(const Statement& s) {
    switch (s.kind) {
      case Statement::note:
        passed_.push_back(trips_);
        passed_.back().push_back(s.id);
        return fell_through;
      case Statement::selection:
        for (std::size_t k = 0; k < s.conditions.size(); ++k) {
          if (ask(s.conditions[k])) return run_block(s.bodies[k]);
        }
        return s.bodies.size() > s.conditions.size() ? run_block(s.bodies.back()) : fell_through;
      case Statement::loop: {
        Outcome outcome = fell_through;
        trips_.push_back(0);
        while (outcome != left_loop && outcome != left_kernel && ask(s.conditions[0])) {
          outcome = run_block(s.bodies[0]);
          ++trips_.back();
        }
        trips_.pop_back();
        return outcome == left_kernel ? left_kernel : fell_through;
      }
      case Statement::leave_loop:
        return left_loop;
      case Statement::next_trip:
        return ended_trip;
      default:
        return left_kernel;
    }
  }

  std::uint64_t program_;
  std::vector<int> visits_;
  int lane_;
  Instance trips_;
  std::vector<Instance> passed_;
};

/// The steps of each of `width` lanes, of which only those in `lanes` exist.
inline std::vector<std::vector<Step>> expected_steps(const Block& program, std::uint64_t number,
                                                     int conditions, int width, MaskBits lanes) {
  std::map<LaneRun::Instance, MaskBits> together;
  std::vector<std::vector<LaneRun::Instance>> passed(static_cast<std::size_t>(width));
  for (int i = 0; i < width; ++i) {
    if (!lanes.test(i)) continue;
    auto& mine = passed[static_cast<std::size_t>(i)];
    mine = LaneRun(number, conditions, i).run(program);
    for (const auto& instance : mine) {
      MaskBits& mask = together[instance];
      mask = {mask.low | MaskBits::lane(i).low, mask.high | MaskBits::lane(i).high};
    }
  }
  std::vector<std::vector<Step>> steps(static_cast<std::size_t>(width));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const auto& instance : passed[i]) {
      steps[i].emplace_back(instance.back(), together[instance]);
    }
  }
  return steps;
}

}  // namespace lockstep::test
