#include "driver/explorer.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/error.hpp>

#include "capture/job/replay.hpp"
#include "explore/explorer.hpp"

namespace lockstep::driver {
namespace {

namespace ex = lockstep::explore;
using Clock = std::chrono::steady_clock;

/// What is promised to the shader: what it asks for, unless the run says otherwise.
Rule rule_of(const ShaderInterface& interface, const Settings& settings) {
  if (settings.has_convergence && !settings.chooser) return settings.rule;
  if (interface.maximally_reconverges) return Rule::maximal;
  return interface.subgroup_uniform_control_flow ? Rule::subgroup_uniform : Rule::core;
}

/// The time for exploring is over. No Error, which would be the result of a run.
struct OutOfTime {};

/// Ends a run at some time, after one of its workgroups.
class Deadline : public Progress {
 public:
  explicit Deadline(Clock::time_point end) : end_(end) {}
  void on(std::size_t, std::size_t) override {
    if (Clock::now() > end_) throw OutOfTime();
  }

 private:
  Clock::time_point end_;
};

/// Runs the job from its inputs; what it may write is the result.
ex::Subject subject_of(const job::Replay& replay, int threads, Clock::time_point end) {
  return [&replay, threads, end](const ex::Setting& setting, Chooser& chooser, Observer* observer) {
    Deadline deadline(end);
    job::Contents contents = replay.inputs();
    Convergence convergence{.rule = setting.rule, .chooser = &chooser, .observer = observer};
    Dispatch how;
    how.threads = threads;
    how.progress = &deadline;
    if (setting.max_steps != 0) convergence.max_trips = how.max_steps = setting.max_steps;
    if (needs_tangles(setting, observer)) how.convergence = &convergence;
    how.mapping = setting.mapping;
    how.order = setting.order;
    ex::Result result;
    result.steps = replay.run(contents, how, setting.subgroup_size).steps;
    for (std::size_t k = 0; k < contents.size(); ++k)
      if (!replay.job().bindings[k].writable) contents[k].clear();
    result.buffers = std::move(contents);
    return result;
  };
}

/// Whether only the order of a buffer's words differs.
bool is_order(const ex::Difference& difference) {
  return difference.error.empty() && difference.only_order;
}

std::vector<int> sizes_of(const job::Job& job, const Profile& profile) {
  if (job.required_size) return {job.subgroup_size};
  std::vector<int> sizes;
  for (int size = std::max(4, profile.min_subgroup_size); size <= profile.max_subgroup_size;
       size *= 2)
    sizes.push_back(size);
  return sizes;
}

std::string text_of(const ex::Counterexample& found, const job::Job& job) {
  std::vector<std::string_view> names;
  for (const ex::Dimension d : found.on.list()) names.push_back(to_string(d));
  std::string text = fmt::format("the result depends on {}: with {} ", fmt::join(names, " and "),
                                 fmt::join(to_options(found.setting), " "));
  const ex::Difference& difference = found.difference;
  if (!difference.error.empty()) return text + "it ends early: " + difference.error;
  const job::Binding& binding = job.bindings[difference.buffer];
  return text + fmt::format("byte {} of {} differs", difference.byte,
                            binding.name.empty()
                                ? fmt::format("set {}, binding {}", binding.set, binding.binding)
                                : binding.name);
}

}  // namespace

Explorer::Explorer(const Settings& settings) : settings_(settings), ration_(settings.budget) {}

bool Explorer::wants(const CompiledPipeline& pipeline, Size3 groups) {
  return settings_.explore.any() && ration_.wants(pipeline, groups);
}

std::optional<std::string> Explorer::explore(const job::Job& job) {
  const auto start = Clock::now();
  const job::Replay replay(job);
  ex::Request request;
  request.first.subgroup_size = job.subgroup_size;
  request.first.rule = rule_of(replay.pipeline().interface(), settings_);
  request.vary = settings_.explore;
  if (job.required_size) request.vary.remove(ex::Dimension::subgroup_size);
  request.sizes = sizes_of(job, settings_.profile);
  request.workgroups = std::uint64_t{job.groups.x} * job.groups.y * job.groups.z;
  request.threads = settings_.threads;
  request.unordered.resize(job.bindings.size());
  // What comes later gets something, too.
  constexpr double part = 0.25;
  const auto end = start + std::chrono::duration_cast<Clock::duration>(ration_.left() * part);
  std::optional<ex::Counterexample> smallest;
  std::uint64_t runs = 0, runs_before = 0;
  request.found = [&](const ex::Counterexample& found) { smallest = found; };
  request.progress = [&](std::uint64_t so_far) {
    runs = runs_before + so_far;
    return true;
  };
  try {
    do {
      // Whoever appends to a list by atomics counts on its words, not on their order.
      if (smallest) request.unordered[smallest->difference.buffer] = true;
      smallest.reset();
      runs_before = runs;
      request.most_time = end - Clock::now();
      smallest = ex::explore(subject_of(replay, settings_.threads, end), request).smallest;
    } while (smallest && is_order(smallest->difference) && Clock::now() < end);
  } catch (const OutOfTime&) {
    // What was found before counts.
  }
  if (smallest && is_order(smallest->difference)) smallest.reset();
  std::optional<std::string> text;
  if (smallest) text = text_of(*smallest, job);
  ++kinds_;
  runs_ += runs;
  ration_.use(Clock::now() - start);
  return text;
}

std::string Explorer::summary() {
  if (!settings_.explore.any()) return "";
  return fmt::format("explored {} kind{} of dispatches in {} runs, {}", kinds_.load(),
                     kinds_ == 1 ? "" : "s", runs_.load(), ration_.summary());
}

}  // namespace lockstep::driver
