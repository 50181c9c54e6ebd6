#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/turns.hpp>
#include <lockstep/exec/error.hpp>

#include "convergence/limits.hpp"
#include "convergence/scopes_run.hpp"
#include "convergence/stack_run.hpp"
#include "convergence/trial.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

/// A workgroup whose subgroups take turns, as in a dispatch.
class Workgroup : public Turns::Work {
 public:
  Workgroup(const Program& program, const Subgroups& subgroups, const Convergence& convergence)
      : turns_(static_cast<std::uint32_t>(subgroups.size()), {}) {
    for (const Lanes128& lanes : subgroups) {
      ReconvergenceStack& stack =
          stacks_.emplace_back(test::to_lane_set(lanes), convergence, &turns_);
      stack.subgroup = static_cast<std::uint32_t>(runs_.size());
      runs_.emplace_back(program, stack);
    }
  }

  Logs logs() {
    turns_.run(*this);
    Logs result;
    for (const StackRun& run : runs_) result.push_back(run.log());
    return result;
  }

  void run(std::uint32_t subgroup) override { runs_[subgroup].run(); }
  void switch_in(std::uint32_t) override {}
  void switch_out(std::uint32_t) override {}

 private:
  Turns turns_;
  std::deque<ReconvergenceStack> stacks_;
  std::deque<StackRun> runs_;
};

constexpr std::uint64_t max_trips = 10'000;

Logs core_logs(const Trial& trial, const Subgroups& subgroups, Chooser& chooser) {
  const Convergence convergence{.rule = Rule::core, .chooser = &chooser, .max_trips = max_trips};
  return Workgroup(trial.program, subgroups, convergence).logs();
}

Logs uniform_logs(const Trial& trial, const Subgroups& subgroups, Chooser& chooser) {
  const Convergence convergence{
      .rule = Rule::subgroup_uniform, .chooser = &chooser, .max_trips = max_trips};
  ReconvergenceStack stack(test::to_lane_set(subgroups[0]), convergence);
  StackRun run(trial.program, stack);
  run.run();
  return {run.log()};
}

Logs uniform_scopes_logs(const Trial& trial, const Subgroups& subgroups, Chooser& chooser) {
  const Convergence convergence{
      .rule = Rule::subgroup_uniform, .chooser = &chooser, .max_trips = max_trips};
  ReconvergenceStack stack(test::to_lane_set(subgroups[0]), convergence);
  exec::TangledState<33> state(stack);
  ScopesRun run(trial.program, state);
  run.run();
  return {run.log()};
}

/// A machine's errors with a chooser: compared with the allowed logs, if known, and with a replay
/// of its choices.
template <class Run>
std::string wrong(const char* how, const std::vector<AllowedLog>* allowed, Chooser chooser,
                  Run&& run) {
  std::string what;
  try {
    const Logs got = run(chooser);
    if (allowed != nullptr) what = difference(got, *allowed);
    Chooser again = Chooser::replay(chooser.made());
    if (what.empty() && run(again) != got) what = "replay of its choices logs something else";
    if (what.empty() && again.made() != chooser.made()) what = "replay asks less";
  } catch (const Broken& broken) {
    what = broken.what();
  } catch (const Error& error) {
    what = error.what();
  }
  return what.empty() ? what : std::string(how) + ": " + what;
}

template <class Run>
std::string wrong(const Trial& trial, const Limits& limits, Run&& run) {
  const bool known = !limits.asked_apart;
  std::string what = wrong("rejoin_all", &limits.rejoin_all, Chooser::rejoin_all(), run);
  if (what.empty()) {
    what = wrong("rejoin_none", known ? &limits.rejoin_none : nullptr, Chooser::rejoin_none(), run);
  }
  if (what.empty())
    what = wrong("random", known ? &limits.any : nullptr, Chooser::random(trial.seed), run);
  return what;
}

std::string uniform_failure_of(const Trial& trial, Tally& tally) {
  const Subgroups subgroups{trial.existing};
  const Limits limits = limits_of(trial.program, subgroups, tally);
  std::string what = wrong(
      trial, limits, [&](Chooser& chooser) { return uniform_logs(trial, subgroups, chooser); });
  if (!what.empty() || trial.size > 33) return what;
  what = wrong(trial, limits,
               [&](Chooser& chooser) { return uniform_scopes_logs(trial, subgroups, chooser); });
  return what.empty() ? what : "scopes, " + what;
}

/// Two to four subgroups, the last possibly partial.
Subgroups subgroups_of(const Trial& trial) {
  Draw draw(trial.seed);
  const int size = 1 + (trial.size - 1) % 16;
  Subgroups result(static_cast<std::size_t>(1 + draw.below(3)), first_lanes(size));
  result.push_back(first_lanes(1 + draw.below(size)));
  return result;
}

std::string core_failure_of(const Trial& trial, Tally& tally) {
  const Subgroups subgroups = subgroups_of(trial);
  const Limits limits = limits_of(trial.program, subgroups, tally);
  const std::string what =
      wrong(trial, limits, [&](Chooser& chooser) { return core_logs(trial, subgroups, chooser); });
  if (what.empty()) return what;
  std::string lanes;
  for (const Lanes128& s : subgroups) lanes += " " + to_text(s);
  return "subgroups" + lanes + ": " + what;
}

/// Tries programs until enough were meaningful; fails if one fails or nothing was compared.
template <class F>
void try_programs(const char* rule, std::uint64_t salt, int count, F&& failure_of) {
  Style style;
  style.tangled = 3;
  Tally tally;
  int compared = 0, with_apart = 0, unknown = 0, too_long = 0;
  for (std::uint64_t n = 0; compared < count; ++n) {
    const Trial trial = draw_trial(hash_of(seed(), salt, n), style);
    Tally mine;
    std::string what;
    try {
      what = failure_of(trial, mine);
    } catch (const TooLong&) {
      ++too_long;
      continue;
    }
    if (!what.empty()) {
      FAIL(rule << ", " << report(trial, [&](const Trial& t) {
             Tally unused;
             return failure_of(t, unused);
           }));
    }
    ++(mine.entries == 0 ? unknown : compared);
    with_apart += mine.apart > 0;
    tally.entries += mine.entries;
    tally.whole += mine.whole;
    tally.regained += mine.regained;
    tally.apart += mine.apart;
  }
  const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::fprintf(stderr,
               "%s: %d programs, %llu entries compared, %llu of them promised whole, %llu after "
               "lanes were apart; rejoin_none differs from maximal at %llu entries of %d programs; "
               "left out: %d that ask tangles which are open, %d too long; seed %llu\n",
               rule, compared, number(tally.entries), number(tally.whole), number(tally.regained),
               number(tally.apart), with_apart, unknown, too_long, number(seed()));
  if (count < 100) return;
  CHECK(with_apart > count / 4);
  CHECK(tally.regained > static_cast<std::uint64_t>(count));
}

TEST_CASE("subgroup_uniform: random programs rejoin exactly where the rule promises it") {
  try_programs("subgroup_uniform", 2, programs(100), uniform_failure_of);
}

TEST_CASE("core: random programs rejoin exactly where the whole workgroup does") {
  try_programs("core", 3, programs(25), core_failure_of);
}

}  // namespace
