#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/exec/event.hpp>
#include <lockstep/exec/lane_set.hpp>

#include "convergence/expected.hpp"
#include "convergence/program.hpp"

/// \file
/// Common parts of all ways to run a program on the machine: its data, its log, and its limits.

namespace lockstep::test {

inline Lanes128 to_lanes(LaneSet lanes) { return Lanes128(lanes.high) << 64 | Lanes128(lanes.low); }
inline LaneSet to_lane_set(const Lanes128& lanes) {
  const Lanes128 word(~std::uint64_t{0});
  return {(lanes & word).to_ullong(), (lanes >> 64).to_ullong()};
}

/// Thrown when a run does something that no program can do.
struct Broken : std::runtime_error {
  using runtime_error::runtime_error;
};

/// The data of a run, and its log.
class Book {
 public:
  Book(const Program& program, int subgroup)
      : program_(program),
        subgroup_(subgroup),
        visits_(static_cast<std::size_t>(program.sites) * 128),
        garbage_(hash_of(program.number, subgroup)),
        log_(128) {}

  /// The active tangles pass a log.
  void log(int site, const Tangles& tangles) {
    LaneSet active;
    for (const Tangle& t : tangles) {
      if ((active & t.lanes).any_lane() || !t.lanes.any_lane())
        throw Broken("log(" + std::to_string(site) + "): tangles overlap or are empty");
      active = active | t.lanes;
    }
    for (const Tangle& t : tangles) {
      const Entry entry{site, to_lanes(t.lanes), to_lanes(active)};
      for_each_lane(t.lanes, [&](int i) { log_[static_cast<std::size_t>(i)].push_back(entry); });
    }
    burn(active.count());
  }

  /// The value of a leaf condition in each active lane; garbage in the others.
  LaneSet answers(const Condition& c, const Tangles& tangles, int trip) {
    LaneSet active, yes;
    const auto say = [&](int lane, bool holds) {
      if (holds) yes = yes | LaneSet::lane(lane);
    };
    for (const Tangle& t : tangles) {
      active = active | t.lanes;
      for_each_lane(t.lanes, [&](int i) {
        if (c.kind == Condition::near_first)
          say(i, i < t.lanes.first() + c.n);
        else if (c.kind == Condition::odd_ballot)
          say(i, t.lanes.count() % 2 == 1);
        else
          say(i, data_of(program_, c, asker(i, c.site, trip)));
      });
    }
    return yes | garbage().without(active);
  }
  /// The value of a switch in one active lane.
  int selector(const Statement& s, int lane, int trip) {
    return selector_of(program_, s, asker(lane, s.site, trip));
  }
  LaneSet garbage() { return {garbage_.next(), garbage_.next()}; }

  /// A loop starts another iteration.
  void trip() { burn(1); }

  const Program& program() const { return program_; }
  const Log& log() const { return log_; }

 private:
  Asker asker(int lane, int site, int trip) {
    return {lane, subgroup_, visits_[static_cast<std::size_t>(site * 128 + lane)]++, trip};
  }
  /// A broken machine may run forever; the reference has shown that the program does not.
  void burn(int units) {
    if ((fuel_ -= units) < 0) throw Broken("the machine does not come to an end");
  }

  const Program& program_;
  int subgroup_;
  std::vector<int> visits_;
  Draw garbage_;
  Log log_;
  std::int64_t fuel_ = 400'000;
};

}  // namespace lockstep::test
