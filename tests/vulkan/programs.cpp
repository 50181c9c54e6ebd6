#include <lockstep/spirv/shader.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "capture/vulkan/runner.hpp"
#include "convergence/allowed.hpp"
#include "convergence/glsl.hpp"
#include "convergence/trial.hpp"
#include "shader/front/compile.hpp"
#include "vulkan/lavapipe.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;
using Words = std::vector<std::uint32_t>;

/// lavapipe's subgroup size.
constexpr int size = 8;

/// Short programs: lavapipe's compiler takes most of the time.
Trial trial_of(std::uint64_t n) {
  Style style;
  style.statements = 8;
  style.depth = 2;
  Trial trial = draw_trial(hash_of(seed(), 21, n), style);
  trial.size = size;
  Draw draw(trial.seed);
  trial.existing = some_lanes(draw, size);
  return trial;
}

Words on_device(const vulkan::Device& device, const Words& module) {
  Words words = log_words();
  auto buffer = vulkan::Resource::buffer(device, 4 * words.size());
  buffer.upload(std::as_bytes(std::span(words)));
  vulkan::Pipeline pipeline(device, module, {{.set = 0, .binding = 0}});
  const std::array<const vulkan::Resource*, 1> buffers{&buffer};
  pipeline.run({1}, buffers);
  buffer.download(std::as_writable_bytes(std::span(words)));
  return words;
}

Words on_engine(const Words& module) {
  Words words = log_words();
  Shader::from_words(module).bind(0, words).dispatch({1}, {.subgroup_size = size, .threads = 1});
  return words;
}

/// Statistics of the comparison.
struct Tally {
  std::uint64_t entries = 0, divergent = 0;
};

/// Differences between lavapipe, engine and reference; empty if there are none. Throws TooLong.
std::string failure_of(const vulkan::Device& device, const Trial& trial, Tally& tally) {
  const Reference reference = run_reference(trial.program, trial.existing, SwitchLanes::joined);
  const AllowedLog allowed = exactly(reference, false);
  if (!fits(allowed)) return "";
  const Words module =
      spirv::compile_glsl(to_glsl(trial.program, size, trial.existing), "program.comp", {}).words;
  const Words engine = on_engine(module), lavapipe = on_device(device, module);
  for (const Trace& lane : reference.lanes) {
    tally.entries += lane.logs.size();
    tally.divergent += static_cast<std::uint64_t>(std::ranges::count_if(
        lane.logs, [&](const Passed& p) { return p.together != trial.existing; }));
  }
  std::string what = difference(log_from(engine), allowed);
  if (!what.empty()) return "engine: " + what;
  what = difference(log_from(lavapipe), allowed);
  if (!what.empty()) return "lavapipe: " + what;
  return engine == lavapipe ? "" : "engine and lavapipe leave different words";
}

/// Programs on several threads, each with a device of its own.
class Programs {
 public:
  explicit Programs(int count) : count_(count) {}

  void run() {
    std::vector<std::thread> threads;
    const unsigned n = std::clamp(std::thread::hardware_concurrency(), 1u, 4u);
    for (unsigned k = 0; k < n; ++k) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
  }

  int compared() const { return compared_; }
  int left_out() const { return left_out_; }
  Tally tally() const { return tally_; }
  const std::string& failure() const { return failure_; }

 private:
  void work() {
    try {
      const vulkan::Device device("llvmpipe");
      while (wants_more()) try_one(device, next_++);
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }
  bool wants_more() {
    const std::lock_guard lock(mutex_);
    return compared_ < count_ && failure_.empty();
  }
  void try_one(const vulkan::Device& device, std::uint64_t n) {
    const Trial trial = trial_of(n);
    Tally mine;
    std::string what;
    try {
      what = failure_of(device, trial, mine);
    } catch (const TooLong&) {
      mine = {};
    }
    if (!what.empty()) {
      fail(report(trial, [&](const Trial& t) {
        Tally unused;
        return failure_of(device, t, unused);
      }));
    }
    const std::lock_guard lock(mutex_);
    ++(mine.divergent == 0 ? left_out_ : compared_);
    tally_.entries += mine.entries;
    tally_.divergent += mine.divergent;
  }
  void fail(const std::string& what) {
    const std::lock_guard lock(mutex_);
    if (failure_.empty()) failure_ = what;
  }

  int count_;
  std::atomic<std::uint64_t> next_ = 0;
  std::mutex mutex_;
  int compared_ = 0, left_out_ = 0;
  Tally tally_;
  std::string failure_;
};

}  // namespace

TEST_CASE("random programs leave the same words on the engine and on lavapipe") {
  if (!has_lavapipe()) return;
  REQUIRE(lavapipe().properties().subgroup_size == size);
  Programs programs(test::programs(25));
  programs.run();
  INFO(programs.failure());
  CHECK(programs.failure().empty());
  std::fprintf(stderr,
               "lavapipe: %d programs, %llu entries compared, %llu of them divergent; left out: %d "
               "without divergence or too long; seed %llu\n",
               programs.compared(), static_cast<unsigned long long>(programs.tally().entries),
               static_cast<unsigned long long>(programs.tally().divergent), programs.left_out(),
               static_cast<unsigned long long>(seed()));
}
