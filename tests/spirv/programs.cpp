#include <lockstep/spirv/shader.hpp>

#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>

#include "convergence/allowed.hpp"
#include "convergence/glsl.hpp"
#include "convergence/limits.hpp"
#include "convergence/trial.hpp"
#include "support/with_native.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

constexpr std::array<int, 6> sizes{1, 8, 24, 32, 64, 128};

/// A program printed as GLSL, on the engine.
class Engine {
 public:
  explicit Engine(const Trial& trial)
      : size_(trial.size),
        shader_(Shader::from_glsl(to_glsl(trial.program, local_size(trial), trial.existing))) {}

  /// Without a Convergence: the fast engine.
  Log log(const Convergence* convergence = nullptr) {
    std::vector<std::uint32_t> words = log_words();
    shader_.bind(0, words).dispatch(
        {1},
        {.subgroup_size = size_, .threads = 1, .max_steps = 100'000, .convergence = convergence});
    return log_from(words);
  }
  Log log(Rule rule, Chooser chooser) {
    const Convergence convergence{.rule = rule, .chooser = &chooser};
    return log(&convergence);
  }

 private:
  /// The existing lanes are the workgroup where possible; others return at once.
  static int local_size(const Trial& trial) {
    const auto count = static_cast<int>(trial.existing.count());
    return trial.existing == first_lanes(count) ? count : trial.size;
  }

  int size_;
  Shader shader_;
};

/// What a run got wrong, preceded by how it ran; empty if nothing.
template <class F>
std::string wrong(const std::string& how, const AllowedLog& allowed, F&& run) {
  std::string what;
  try {
    what = difference(run(), allowed);
  } catch (const Error& error) {
    what = error.what();
  }
  return what.empty() ? what : how + ": " + what;
}

/// Number n of the programs of a test, for a subgroup of one of the sizes.
Trial trial_of(std::uint64_t salt, std::uint64_t n, const Style& style) {
  Trial trial = draw_trial(hash_of(seed(), salt, n), style);
  trial.size = sizes[n % sizes.size()];
  Draw draw(trial.seed);
  trial.existing = some_lanes(draw, trial.size);
  return trial;
}

/// Calls failure_of(trial, compared entries) until enough programs were compared.
template <class F>
void try_programs(const char* rule, std::uint64_t salt, const Style& style, F&& failure_of) {
  const int count = programs(5);
  std::uint64_t entries = 0;
  int compared = 0, left_out = 0;
  for (std::uint64_t n = 0; compared < count; ++n) {
    const Trial trial = trial_of(salt, n, style);
    std::uint64_t mine = 0;
    std::string what;
    try {
      what = failure_of(trial, mine);
    } catch (const TooLong&) {
      mine = 0;
    }
    if (!what.empty()) {
      FAIL(rule << ", " << report(trial, [&](const Trial& t) {
             std::uint64_t unused = 0;
             return failure_of(t, unused);
           }));
    }
    ++(mine == 0 ? left_out : compared);
    entries += mine;
  }
  CHECK(entries > static_cast<std::uint64_t>(count));
  std::fprintf(stderr,
               "engine, %s: %d programs, %llu entries compared; left out: %d that take too long or "
               "ask tangles which are open; seed %llu\n",
               rule, compared, static_cast<unsigned long long>(entries), left_out,
               static_cast<unsigned long long>(seed()));
}

/// A shader cannot query the active lanes of other tangles.
AllowedLog without_active(AllowedLog log) {
  for (auto& lane : log)
    for (Allowed& a : lane) a.active.reset();
  return log;
}

std::uint64_t entries_of(const AllowedLog& log) {
  std::uint64_t entries = 0;
  for (const auto& lane : log) entries += lane.size();
  return entries;
}

std::string maximal_failure_of(const Trial& trial, std::uint64_t& entries) {
  const Reference reference = run_reference(trial.program, trial.existing, SwitchLanes::joined);
  AllowedLog allowed = exactly(reference, false);
  if (!fits(allowed)) return "";
  entries = entries_of(allowed);
  std::optional<Engine> engine;
  const auto log = [&](auto... how) {
    if (!engine) engine.emplace(trial);
    return engine->log(how...);
  };
  std::string what;
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    std::optional<Engine> of_target;
    what = wrong(std::string("machine code: ") + name_of(target), allowed,
                 [&] { return of_target.emplace(trial).log(); });
    if (!what.empty()) return what;
  }
  if (what.empty()) {
    what = wrong("tangled", allowed, [&] { return log(Rule::maximal, Chooser::rejoin_all()); });
  }
  if (!what.empty() || !has_switch(trial.program)) return what;
  const Reference apart = run_reference(trial.program, trial.existing, SwitchLanes::apart);
  what = wrong("switch lanes apart", exactly(apart, false),
               [&] { return log(Rule::maximal, Chooser::rejoin_none()); });
  if (what.empty() && !reference.asked_in_switch) {
    what = wrong("switch lanes at random", without_active(between(apart, reference)),
                 [&] { return log(Rule::maximal, Chooser::random(trial.seed)); });
  }
  return what;
}

/// A workgroup of one subgroup, so that both rules promise the same.
std::string weaker_failure_of(Rule rule, const Trial& drawn, std::uint64_t& entries) {
  Trial trial = drawn;
  // An early return of missing lanes would leave nothing promised.
  trial.existing = first_lanes(static_cast<int>(drawn.existing.count()));
  Tally tally;
  Limits limits = limits_of(trial.program, {trial.existing}, tally);
  if (!fits(limits.rejoin_all[0])) return "";
  for (auto* logs : {&limits.rejoin_all, &limits.rejoin_none, &limits.any})
    logs->front() = without_active(std::move(logs->front()));
  entries = limits.asked_apart ? 0 : entries_of(limits.rejoin_all[0]);
  std::optional<Engine> engine;
  const auto log = [&](auto... how) {
    if (!engine) engine.emplace(trial);
    return engine->log(how...);
  };
  std::string what =
      wrong("rejoin_all", limits.rejoin_all[0], [&] { return log(rule, Chooser::rejoin_all()); });
  if (!what.empty() || limits.asked_apart) return what;
  what = wrong("rejoin_none", limits.rejoin_none[0],
               [&] { return log(rule, Chooser::rejoin_none()); });
  if (what.empty()) {
    what = wrong("random", limits.any[0], [&] { return log(rule, Chooser::random(trial.seed)); });
  }
  return what;
}

/// Two to four subgroups, the last possibly partial.
Subgroups subgroups_of(const Trial& trial) {
  constexpr std::array<int, 6> few_lanes{1, 3, 4, 8, 16, 32};
  Draw draw(trial.seed);
  const int size = few_lanes[static_cast<std::size_t>(draw.below(6))];
  Subgroups result(static_cast<std::size_t>(1 + draw.below(3)), first_lanes(size));
  result.push_back(first_lanes(1 + draw.below(size)));
  return result;
}

/// A workgroup of several subgroups: one's lanes meet where those of all do, and nowhere else.
std::string workgroup_failure_of(const Trial& trial, std::uint64_t& entries) {
  const Subgroups subgroups = subgroups_of(trial);
  const std::size_t count = subgroups.size();
  Tally tally;
  Limits limits = limits_of(trial.program, subgroups, tally);
  for (const AllowedLog& log : limits.rejoin_all)
    if (!fits(log)) return "";
  for (auto* logs : {&limits.rejoin_all, &limits.rejoin_none, &limits.any})
    for (AllowedLog& log : *logs) log = without_active(std::move(log));
  entries = 0;
  for (const AllowedLog& log : limits.rejoin_all)
    entries += limits.asked_apart ? 0 : entries_of(log);
  const auto size = static_cast<int>(subgroups[0].count());
  const int local_size =
      size * static_cast<int>(count - 1) + static_cast<int>(subgroups.back().count());
  Shader shader = Shader::from_glsl(to_glsl(trial.program, local_size, first_lanes(128), count));
  const auto failure = [&](const char* how, const std::vector<AllowedLog>& allowed, Rule rule,
                           Chooser chooser) -> std::string {
    const Convergence convergence{.rule = rule, .chooser = &chooser};
    std::vector<std::uint32_t> words = log_words(count);
    std::string what;
    try {
      shader.bind(0, words).dispatch(
          {1},
          {.subgroup_size = size, .threads = 1, .max_steps = 100'000, .convergence = &convergence});
      Logs got;
      for (std::size_t s = 0; s < count; ++s) got.push_back(log_from(words, s, count));
      what = difference(got, allowed);
    } catch (const Error& error) {
      what = error.what();
    }
    return what.empty() ? what
                        : std::to_string(count) + " subgroups of " + std::to_string(size) +
                              ", the last of " + std::to_string(subgroups.back().count()) + ", " +
                              how + ": " + what;
  };
  std::string what = failure("rejoin_all", limits.rejoin_all, Rule::core, Chooser::rejoin_all());
  if (what.empty())
    what = failure("maximal", limits.rejoin_all, Rule::maximal, Chooser::rejoin_all());
  if (!what.empty() || limits.asked_apart) return what;
  what = failure("rejoin_none", limits.rejoin_none, Rule::core, Chooser::rejoin_none());
  if (what.empty()) what = failure("random", limits.any, Rule::core, Chooser::random(trial.seed));
  return what;
}

}  // namespace

TEST_CASE("random programs in GLSL log the ballots that maximal reconvergence promises") {
  try_programs("maximal", 11, {.tangled = 10}, maximal_failure_of);
}

TEST_CASE("random programs in GLSL run the same where constants decide branches") {
  try_programs("maximal, constants", 15, {.tangled = 10, .fixed = 40}, maximal_failure_of);
}

TEST_CASE("random programs in GLSL reconverge exactly where subgroup_uniform promises it") {
  try_programs("subgroup_uniform", 12, {.tangled = 3},
               [](const Trial& trial, std::uint64_t& entries) {
                 return weaker_failure_of(Rule::subgroup_uniform, trial, entries);
               });
}

TEST_CASE("random programs in GLSL reconverge exactly where core promises it") {
  try_programs("core", 13, {.tangled = 3}, [](const Trial& trial, std::uint64_t& entries) {
    return weaker_failure_of(Rule::core, trial, entries);
  });
}

TEST_CASE(
    "random programs in GLSL reconverge where core promises it to a workgroup of several "
    "subgroups") {
  try_programs("core, subgroups", 14, {.tangled = 3}, workgroup_failure_of);
}
