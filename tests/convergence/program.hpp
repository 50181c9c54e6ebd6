#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "convergence/draw.hpp"

/// \file
/// Programs of structured control flow as trees, and the data that their conditions read.

namespace lockstep::test {

/// The lanes of a subgroup.
using Lanes128 = std::bitset<128>;

/// A condition as a tree: leaves are data; inner nodes log, call functions or short-circuit.
struct Condition {
  enum Kind {
    always,
    lane_bits,          ///< the lane's bit in `bits`
    lane_from,          ///< lane >= n
    lane_is_trip,       ///< lane % n == iteration of the innermost loop
    trip_below,         ///< iteration < n
    trip_below_lane,    ///< iteration < lane % n
    by_lane,            ///< a hash of site, visit and lane: true one time in n
    same_for_all,       ///< a hash of site and visit
    same_for_subgroup,  ///< a hash of site, visit and subgroup
    fixed,              ///< n is not 0: shaders know it before they run
    near_first,         ///< lane < first lane of the tangle + n: elect when n is 1
    odd_ballot,         ///< the tangle has an odd number of lanes
    logged,             ///< logs, then evaluates its part
    called,             ///< calls function n, then evaluates its part
    negated,
    both,    ///< parts[0] && parts[1]
    either,  ///< parts[0] || parts[1]
    choice,  ///< parts[0] ? parts[1] : parts[2]
  };

  Kind kind = always;
  int site = 0;
  int n = 0;
  std::array<std::uint64_t, 2> bits{};
  std::vector<Condition> parts{};
};

/// One statement. A block is a list of them.
struct Statement {
  enum Kind {
    log,
    selection,
    loop,
    switch_statement,
    leave_loop,
    leave_trip,
    leave_function,
    call
  };
  enum class Form { for_loop, while_loop, do_while, endless };
  enum class Selector { lane, trip, by_lane, same_for_all, same_for_subgroup, fixed };
  using Block = std::vector<Statement>;
  struct Case {
    std::vector<int> labels;
    bool is_default = false;
  };

  Kind kind = log;
  int site = 0;
  /// Of a call: the function. Of a loop: its maximal number of iterations, unless endless. Of a
  /// switch: the number of values of its selector.
  int n = 0;
  std::vector<Condition>
      conditions{};  ///< of a selection: If, Else If, ...; of a loop: its one test
  /// Of a selection: one per condition, followed by the Else's if there is one; of a loop: its body
  /// and its continue construct; of a switch: one per case.
  std::vector<Block> bodies{};
  Form form = Form::for_loop;
  Selector selector = Selector::lane;
  std::vector<Case> cases{};
};
using Block = Statement::Block;

/// Functions; the first one is main, and each calls only later ones.
struct Program {
  std::uint64_t number = 0;
  std::vector<Block> functions;
  int sites = 0;
};

/// Who reads data: the site, the number of the visit, and the iteration of the innermost loop.
struct Asker {
  int lane = 0;
  int subgroup = 0;
  int visit = 0;
  int trip = 0;
};

/// Whether a condition is pure data: independent of the tangle, and without side effects.
inline bool is_data(const Condition& c) { return c.kind < Condition::near_first; }

/// The value of data in one lane.
inline bool data_of(const Program& program, const Condition& c, const Asker& asker) {
  const auto hash = [&](std::uint64_t who) {
    return hash_of(program.number, c.site, asker.visit, who);
  };
  switch (c.kind) {
    case Condition::lane_bits:
      return (c.bits[static_cast<std::size_t>(asker.lane / 64)] >> (asker.lane % 64) & 1) != 0;
    case Condition::lane_from:
      return asker.lane >= c.n;
    case Condition::lane_is_trip:
      return asker.lane % c.n == asker.trip;
    case Condition::trip_below:
      return asker.trip < c.n;
    case Condition::trip_below_lane:
      return asker.trip < asker.lane % c.n;
    case Condition::by_lane:
      return hash(static_cast<std::uint64_t>(asker.subgroup * 128 + asker.lane + 1000)) %
                 static_cast<std::uint64_t>(c.n) ==
             0;
    case Condition::same_for_all:
      return hash(0) % 2 == 0;
    case Condition::same_for_subgroup:
      return hash(static_cast<std::uint64_t>(asker.subgroup + 1)) % 2 == 0;
    case Condition::fixed:
      return c.n != 0;
    default:
      return true;
  }
}

/// The value of a switch's selector that shaders know before they run.
inline int fixed_selector_of(const Program& program, const Statement& s) {
  return static_cast<int>(hash_of(program.number, s.site) % static_cast<std::uint64_t>(s.n)) - 1;
}

/// The value of a switch's selector in one lane; some values have no label.
inline int selector_of(const Program& program, const Statement& s, const Asker& asker) {
  const auto hash = [&](std::uint64_t who) {
    return static_cast<int>(hash_of(program.number, s.site, asker.visit, who) %
                            static_cast<std::uint64_t>(s.n)) -
           1;
  };
  switch (s.selector) {
    case Statement::Selector::lane:
      return asker.lane % s.n;
    case Statement::Selector::trip:
      return asker.trip;
    case Statement::Selector::by_lane:
      return hash(static_cast<std::uint64_t>(asker.subgroup * 128 + asker.lane + 1000));
    case Statement::Selector::same_for_all:
      return hash(0);
    case Statement::Selector::same_for_subgroup:
      return hash(static_cast<std::uint64_t>(asker.subgroup + 1));
    case Statement::Selector::fixed:
      return fixed_selector_of(program, s);
  }
  return 0;
}

/// Calls f(statement) for each statement of a block, including nested ones, from the outermost in.
template <class B, class F>
void for_each_statement(B& block, F&& f) {
  for (auto& s : block) {
    f(s);
    for (auto& body : s.bodies) for_each_statement(body, f);
  }
}

}  // namespace lockstep::test
