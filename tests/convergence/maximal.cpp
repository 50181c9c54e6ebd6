#include <algorithm>
#include <cstdio>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>

#include "convergence/allowed.hpp"
#include "convergence/scopes_run.hpp"
#include "convergence/stack_run.hpp"
#include "convergence/trial.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

/// Statistics of the comparison.
struct Tally {
  std::uint64_t entries = 0, divergent = 0;
};

/// Runs the program with the transitions alone, at any size.
Log stack_log(const Trial& trial, Chooser chooser) {
  const Convergence convergence{.rule = Rule::maximal, .chooser = &chooser, .max_trips = 10'000};
  ReconvergenceStack stack(test::to_lane_set(trial.existing), convergence);
  StackRun run(trial.program, stack);
  run.run();
  return run.log();
}

template <int W>
Log tangled_log(const Trial& trial, Chooser chooser) {
  const Convergence convergence{.rule = Rule::maximal, .chooser = &chooser, .max_trips = 10'000};
  ReconvergenceStack stack(test::to_lane_set(trial.existing), convergence);
  exec::TangledState<W> state(stack);
  ScopesRun run(trial.program, state);
  run.run();
  return run.log();
}

template <int W>
Log fast_log(const Trial& trial) {
  exec::State<W> state;
  state.active = to_mask<W>(test::to_lane_set(trial.existing));
  ScopesRun run(trial.program, state);
  run.run();
  return run.log();
}

/// f.operator()<W>() for the narrowest compiled width that holds the subgroup: two per word of
/// masks.
template <class F>
auto at_width(int size, F&& f) {
  if (size <= 8) return f.template operator()<8>();
  if (size <= 24) return f.template operator()<24>();
  if (size <= 33) return f.template operator()<33>();
  if (size <= 64) return f.template operator()<64>();
  if (size <= 100) return f.template operator()<100>();
  return f.template operator()<128>();
}

/// What a run got wrong, preceded by how it ran; empty if nothing.
template <class F>
std::string wrong(const char* how, const AllowedLog& allowed, F&& run) {
  std::string what;
  try {
    what = difference(run(), allowed);
  } catch (const Broken& broken) {
    what = broken.what();
  } catch (const Error& error) {
    what = error.what();
  }
  return what.empty() ? what : std::string(how) + ": " + what;
}

/// The first error of any machine. Throws TooLong.
std::string failure_of(const Trial& trial, Tally& tally, Coverage* coverage) {
  const Reference joined =
      run_reference(trial.program, trial.existing, SwitchLanes::joined, 0, coverage);
  for (const Trace& lane : joined.lanes) {
    tally.entries += lane.logs.size();
    tally.divergent += static_cast<std::uint64_t>(
        std::count_if(lane.logs.begin(), lane.logs.end(),
                      [&](const Passed& p) { return p.together != trial.existing; }));
  }
  const AllowedLog allowed = exactly(joined, true);
  std::string what =
      wrong("stack", allowed, [&] { return stack_log(trial, Chooser::rejoin_all()); });
  if (what.empty()) {
    what = at_width(trial.size, [&]<int W>() {
      return wrong("scopes on TangledState", allowed,
                   [&] { return tangled_log<W>(trial, Chooser::rejoin_all()); });
    });
  }
  if (what.empty()) {
    what = at_width(trial.size, [&]<int W>() {
      return wrong("scopes on State", allowed, [&] { return fast_log<W>(trial); });
    });
  }
  if (!what.empty() || !has_switch(trial.program)) return what;

  const Reference apart = run_reference(trial.program, trial.existing, SwitchLanes::apart);
  const AllowedLog allowed_apart = exactly(apart, false);
  what = wrong("stack, switch lanes apart", allowed_apart,
               [&] { return stack_log(trial, Chooser::rejoin_none()); });
  if (what.empty()) {
    what = at_width(trial.size, [&]<int W>() {
      return wrong("scopes on TangledState, switch lanes apart", allowed_apart,
                   [&] { return tangled_log<W>(trial, Chooser::rejoin_none()); });
    });
  }
  if (what.empty() && !joined.asked_in_switch) {
    what = wrong("stack, switch lanes at random", between(apart, joined),
                 [&] { return stack_log(trial, Chooser::random(trial.seed)); });
  }
  return what;
}

/// Leaves each construct in each way that the language has, with only some of its lanes.
void check_coverage(const Coverage& coverage) {
  const auto leaves = [&](Construct c, Escape e) {
    INFO(construct_names[static_cast<std::size_t>(c)] << " left by "
                                                      << escape_names[static_cast<std::size_t>(e)]);
    CHECK(coverage.of(c, e) > 0);
  };
  for (const Construct c :
       {Construct::selection, Construct::else_if, Construct::for_loop, Construct::while_loop,
        Construct::do_while, Construct::endless_loop, Construct::switch_statement}) {
    leaves(c, Escape::leave_loop);
    leaves(c, Escape::leave_trip);
    leaves(c, Escape::leave_function);
  }
  leaves(Construct::switch_statement, Escape::fall_through);
  leaves(Construct::function, Escape::leave_function);
  for (std::size_t f = 0; f < feature_names.size(); ++f) {
    INFO(feature_names[f]);
    CHECK(coverage.of(static_cast<test::Feature>(f)) > 0);
  }
  CHECK(coverage.called_from_several() > 0);
}

/// How often each construct was left in each way, and which other features occurred.
void tell(const Coverage& coverage) {
  for (std::size_t c = 0; c < construct_names.size(); ++c) {
    for (std::size_t e = 0; e < escape_names.size(); ++e) {
      const auto lanes = coverage.of(static_cast<Construct>(c), static_cast<Escape>(e));
      if (lanes == 0) continue;
      std::fprintf(stderr, "%.*s left by %.*s: %llu lanes\n",
                   static_cast<int>(construct_names[c].size()), construct_names[c].data(),
                   static_cast<int>(escape_names[e].size()), escape_names[e].data(),
                   static_cast<unsigned long long>(lanes));
    }
  }
  for (std::size_t f = 0; f < feature_names.size(); ++f) {
    std::fprintf(stderr, "%.*s: %llu\n", static_cast<int>(feature_names[f].size()),
                 feature_names[f].data(),
                 static_cast<unsigned long long>(coverage.of(static_cast<test::Feature>(f))));
  }
}

TEST_CASE("random programs log the ballots that maximal reconvergence promises") {
  const int count = programs(100);
  Coverage coverage;
  Tally tally;
  int compared = 0, vacuous = 0, too_long = 0;
  for (std::uint64_t n = 0; compared < count; ++n) {
    const Trial trial = draw_trial(hash_of(seed(), 1, n), Style());
    Tally mine;
    std::string what;
    try {
      what = failure_of(trial, mine, &coverage);
    } catch (const TooLong&) {
      ++too_long;
      continue;
    }
    coverage.end_program();
    if (!what.empty()) {
      FAIL(report(trial, [](const Trial& t) {
        Tally unused;
        return failure_of(t, unused, nullptr);
      }));
    }
    ++(mine.divergent == 0 ? vacuous : compared);
    tally.entries += mine.entries;
    tally.divergent += mine.divergent;
  }
  std::fprintf(stderr,
               "maximal: %d programs, %llu entries compared, %llu of them divergent; left out: %d "
               "without divergence, %d too long; seed %llu\n",
               compared, static_cast<unsigned long long>(tally.entries),
               static_cast<unsigned long long>(tally.divergent), vacuous, too_long,
               static_cast<unsigned long long>(seed()));
  if (count < 1000) return;  // too few to show everything
  tell(coverage);
  check_coverage(coverage);
}

}  // namespace
