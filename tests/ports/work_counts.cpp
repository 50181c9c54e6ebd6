#include <lockstep/spirv/work_counts.hpp>

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/trace/timeline.hpp>

#include "ports/compare.hpp"
#include "registry/registry.hpp"
#include "support/ports/bind.hpp"
#include "support/ports/engine_port.hpp"
#include "support/settings.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::test;

using Lines = std::map<std::pair<std::string, int>, std::pair<std::uint64_t, std::uint64_t>>;

/// What a run of all passes adds up to.
struct Work {
  std::uint64_t subgroups = 0, divergences = 0;
  Lines lines;

  void add(const SourceLocation& where, std::uint64_t times, std::uint64_t lanes) {
    auto& sum = lines[{where.file, where.line}];
    sum.first += times;
    sum.second += lanes;
  }
  friend bool operator==(const Work&, const Work&) = default;
};

/// Adds up the timelines of all subgroups.
struct Summaries : Observer {
  explicit Summaries(int size) : subgroup_size(size) {}

  void on(const Event& event) override {
    auto& events = running[{event.workgroup, event.subgroup}];
    events.push_back(event);
    if (event.kind != Event::Kind::end) return;
    const auto summary = trace::summarize(trace::make_timeline(events, subgroup_size));
    ++work.subgroups;
    work.divergences += summary.divergences;
    for (const trace::LineWork& line : summary.lines) work.add(line.where, line.times, line.lanes);
    events.clear();
  }

  int subgroup_size;
  std::map<std::pair<std::array<std::uint32_t, 3>, std::uint32_t>, std::vector<Event>> running;
  Work work;
};

/// Runs a job's ports in one order; with an observer, or counting.
Work run(kernels::KernelCase& job, const std::vector<Pipeline>& ports, Summaries* events) {
  Work work;
  const Convergence convergence{.observer = events};
  for (std::size_t k = 0; k < job.passes.size(); ++k) {
    const kernels::Pass& pass = job.passes[k];
    std::deque<Image> images;
    const DescriptorTable table = ports::bind(job, pass, images);
    const ShaderRun run =
        ports[k].dispatch(table, {.workgroups = pass.workgroups,
                                  .push_constants = pass.push_constants,
                                  .convergence = events != nullptr ? &convergence : nullptr,
                                  .deterministic = true,
                                  .count_work = events == nullptr});
    if (!run.work) continue;
    work.subgroups += run.work->subgroups;
    work.divergences += run.work->divergences;
    for (const LineCount& line : run.work->lines) work.add(line.where, line.times, line.lanes);
  }
  return events != nullptr ? events->work : work;
}

}  // namespace

TEST_CASE("the engine counts for every kernel's port what its events add up to") {
  int compared = 0;
  for (const kernels::Entry& entry : kernels::all_kernels()) {
    for (const int size : {3, 24, 32, 64, 128}) {
      if (!entry.undefined_at(size).empty()) continue;
      const kernels::KernelCase before = entry.make_case(entry.make_input(1000, seed()), size);
      if (!is_compute(before)) continue;
      INFO(entry.name << ", subgroup size " << size << ", seed " << seed());
      std::vector<Pipeline> ports;
      for (const kernels::Pass& pass : before.passes) {
        ports.emplace_back(Module::load(std::string(LOCKSTEP_KERNELS_DIR) + "/" + pass.shader),
                           PipelineOptions{.subgroup_size = size});
        REQUIRE(ports.back().can_count_work());
      }
      kernels::KernelCase counted = before, told = before;
      Summaries events(size);
      const Work got = run(counted, ports, nullptr), want = run(told, ports, &events);
      CHECK(first_difference(counted, told) == "");
      CHECK(got.subgroups == want.subgroups);
      CHECK(got.divergences == want.divergences);
      CHECK(got.lines == want.lines);
      CHECK_FALSE(got.lines.empty());
      ++compared;
    }
  }
  CHECK(compared >= 120);
}
