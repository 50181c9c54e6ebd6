#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/spirv/shader.hpp>

#include <collatz/collatz.hpp>

#include "convergence/generated_shader.hpp"
#include "shaders/measure.hpp"

/// \file
/// Rules of convergence, choosers and observers, alternating with the fast machine: `shader/core_random/collatz`. All
/// at 32 lanes on one thread; each result is checked once before it is timed.
///
/// of_fast: processor time relative to the run without a rule.

namespace lockstep::bench {
namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr int lanes = 32;

/// The processor time that f takes on this thread.
template <class F>
double seconds_of(F&& f) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double start = now();
  f();
  return now() - start;
}

/// A way to run: a rule, perhaps with a chooser or an observer. Without a rule it is the fast machine.
struct Way {
  const char* name;
  const Rule* rule = nullptr;
  bool random = false;
  enum class Asks { nothing, accesses, everything } asks = Asks::nothing;
  Checks checks = {};
};

struct Counter : Observer {
  explicit Counter(Interest wanted) : wanted_(wanted) {}
  void on(const Event&) override { ++events; }
  Interest interest() const override { return wanted_; }
  std::uint64_t events = 0;

 private:
  Interest wanted_;
};

constexpr Rule maximal = Rule::maximal, subgroup_uniform = Rule::subgroup_uniform,
               core = Rule::core;
constexpr Interest accesses{{Event::Kind::read, Event::Kind::write, Event::Kind::atomic}, false};

const std::vector<Way>& ways() {
  using Asks = Way::Asks;
  static const std::vector<Way> all{
      {"maximal", &maximal},
      {"subgroup_uniform", &subgroup_uniform},
      {"core", &core},
      {"maximal_random", &maximal, true},
      {"subgroup_uniform_random", &subgroup_uniform, true},
      {"core_random", &core, true},
      {"accesses", &maximal, false, Asks::accesses},
      {"observed", &maximal, false, Asks::everything},
      {"core_observed", &core, false, Asks::everything},
      {"races", nullptr, false, Asks::nothing, {Check::data_race}},
      // A rule is given, so that the checks run on the tangled machine.
      {"races_tangled", &maximal, false, Asks::nothing, {Check::data_race}},
  };
  return all;
}

/// A kernel that fills its results, each way.
struct Subject {
  std::string name;
  Numbers expected;
  std::function<void(Numbers& results, const Convergence*, Checks)> run;
};

/// Runs it that way, with a chooser and an observer that have seen nothing.
void run(const Subject& subject, const Way& way, Numbers& results) {
  if (way.rule == nullptr) return subject.run(results, nullptr, way.checks);
  Chooser chooser = Chooser::random(1);
  Counter counter(way.asks == Way::Asks::accesses ? accesses : Interest{});
  const Convergence convergence{.rule = *way.rule,
                                .chooser = way.random ? &chooser : nullptr,
                                .observer = way.asks == Way::Asks::nothing ? nullptr : &counter};
  subject.run(results, &convergence, way.checks);
}

void compare(benchmark::State& state, const Subject& subject, const Way& way) {
  Numbers results(subject.expected.size());
  const Way fast{"fast"};
  for (const Way& one : {fast, way}) {
    std::fill(results.begin(), results.end(), 0);
    run(subject, one, results);
    if (results != subject.expected) return state.SkipWithError("wrong result");
  }
  std::vector<double> of_fast;
  for (auto _ : state) {
    const double seconds = seconds_of([&] { run(subject, way, results); });
    state.SetIterationTime(seconds);
    of_fast.push_back(seconds / seconds_of([&] { run(subject, fast, results); }));
  }
  state.counters["of_fast"] = median(of_fast);
}

/// How often a workgroup of 256 invocations is run in a second, as lockstep explore does.
void count_runs(benchmark::State& state, const Subject& subject, const Way& way) {
  Numbers results(subject.expected.size());
  run(subject, way, results);
  if (results != subject.expected) return state.SkipWithError("wrong result");
  for (auto _ : state) run(subject, way, results);
  state.SetItemsProcessed(state.iterations());
}

Numbers collatz_steps(std::uint32_t count) {
  Numbers steps;
  for (std::uint32_t first = 1; first <= count; ++first) {
    steps.push_back(0);
    for (std::uint32_t n = first; n > 1; ++steps.back()) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  }
  return steps;
}
Numbers first_numbers(std::uint32_t count) {
  Numbers numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1u);
  return numbers;
}

DispatchSettings settings_of(const Convergence* convergence, Checks checks) {
  DispatchSettings settings{.subgroup_size = lanes, .threads = 1, .convergence = convergence};
  settings.checks = checks;
  return settings;
}

Subject generated_shader(std::uint32_t invocations) {
  const GeneratedShader generated(150);
  auto shader = std::make_shared<Shader>(Shader::from_glsl(generated.source()));
  Numbers expected;
  for (std::uint32_t i = 0; i < invocations; ++i) expected.push_back(generated.result(i));
  return {
      "generated", expected, [=](Numbers& results, const Convergence* convergence, Checks checks) {
        shader->bind(0, results).dispatch({invocations / 256}, settings_of(convergence, checks));
      }};
}

Subject collatz_shader(std::uint32_t invocations) {
  std::ostringstream text;
  text << std::ifstream(LOCKSTEP_KERNELS_DIR "/collatz/collatz.comp").rdbuf();
  auto shader = std::make_shared<Shader>(Shader::from_glsl(text.str()));
  return {"collatz", collatz_steps(invocations),
          [=, numbers = first_numbers(invocations)](Numbers& results,
                                                    const Convergence* convergence, Checks checks) {
            Numbers in = numbers;
            shader->bind(0, in)
                .bind(1, results)
                .dispatch({invocations / 64}, settings_of(convergence, checks));
          }};
}

Subject collatz_kernel(std::uint32_t invocations) {
  return {"collatz", collatz_steps(invocations),
          [=, numbers = first_numbers(invocations)](Numbers& results,
                                                    const Convergence* convergence, Checks) {
            const Device device{.subgroup_size = lanes, .threads = 1};
            if (convergence == nullptr)
              device.dispatch<kernels::Collatz, lanes>({invocations / 64}, numbers, results);
            else
              device.dispatch<kernels::Collatz, lanes>(*convergence, {invocations / 64}, numbers,
                                                       results);
          }};
}

void add(const char* kind, const Subject& subject, const Way& way) {
  benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", kind, way.name, subject.name).c_str(),
                               [=](benchmark::State& state) { compare(state, subject, way); })
      ->UseManualTime();
}

const bool registered = [] {
  constexpr std::uint32_t invocations = 1u << 14;
  for (const Subject& subject : {generated_shader(invocations), collatz_shader(invocations)})
    for (const Way& way : ways()) add("shader", subject, way);
  for (const Way& way : ways())
    if (!way.checks.any()) add("kernel", collatz_kernel(invocations), way);
  for (const Way& way : ways()) {
    if (!way.random) continue;
    benchmark::RegisterBenchmark(
        fmt::format("one_workgroup/{}", way.name).c_str(),
        [=](benchmark::State& state) { count_runs(state, generated_shader(256), way); });
  }
  return true;
}();

}  // namespace
}  // namespace lockstep::bench
