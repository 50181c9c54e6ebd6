#include "shader/run/run.hpp"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <lockstep/dispatch/parallel.hpp>
#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/error.hpp>

#include "runtime/dispatch/patience.hpp"
#include "shader/run/lane_map.hpp"
#include "shader/run/runner.hpp"
#include "shader/run/work_sum.hpp"

namespace lockstep::spirv {
namespace {

void merge(ShaderRun& all, ShaderRun&& part) {
  all.faults += part.faults;
  all.findings.merge_by_workgroup(part.findings);
  all.steps += part.steps;
  for (std::string& line : part.printed) all.printed.push_back(std::move(line));
}

/// Throws Error if the subgroups of a workgroup together need more than 1 GiB of registers.
void check_memory(const DispatchArgs& args) {
  const Program& program = *args.program;
  constexpr std::uint64_t most_together = 1u << 30;
  const bool all_at_once = program.has_barriers || program.tangled;
  const std::uint64_t subgroups = all_at_once ? subgroups_of(args) : 1;
  const std::uint64_t bytes =
      program.register_bytes + std::uint64_t{program.constructs} * sizeof(FastFrame);
  if (bytes * subgroups > most_together)
    throw Error(fmt::format(
        "the shader needs {} bytes of registers for each of {} subgroups; at most 1 GiB "
        "in total is supported: use fewer invocations or a larger subgroup size",
        bytes, subgroups));
}

/// Whether the dispatch is among the first of this process that together take less time than starting threads does, which
/// is a millisecond. Without loops, a subgroup runs each instruction at most once.
bool is_short(const DispatchArgs& args, std::size_t workgroups) {
  constexpr std::size_t instructions = 4096;
  static std::atomic<std::size_t> run_so_far = 0;
  const Program& program = *args.program;
  const std::size_t each = program.insts.size() * subgroups_of(args) + 1;
  if (program.has_loops || workgroups > instructions / each || run_so_far > instructions)
    return false;
  return run_so_far.fetch_add(workgroups * each) + workgroups * each <= instructions;
}

}  // namespace

ShaderRun run(const DispatchArgs& args) {
  const std::size_t count = std::size_t{args.workgroups.x} * args.workgroups.y * args.workgroups.z;
  check_memory(args);
  ShaderRun all;
  if (args.program->counted) all.work.emplace();
  if (count == 0) return all;
  WorkSum work(*args.program);
  std::mutex merging;
  // Workgroups share a chooser and observers, and a rule without them gives the same results as one with them.
  const bool one_order =
      args.settings.deterministic || args.settings.convergence != nullptr || args.bounds != nullptr;
  const int threads = one_order || is_short(args, count) ? 1 : args.settings.threads;
  const bool only_thread = threads == 1 || count == 1;
  const bool is_told = dynamic_cast<Patience*>(args.settings.progress) == nullptr;
  auto body = [&](std::size_t begin, std::size_t end) {
    Runner runner(args, only_thread);
    ShaderRun part;
    try {
      part = runner.run(begin, end);
    } catch (EndlessLoop& loop) {
      loop.add_earlier(runner.findings());
      loop.add_earlier(runner.not_begun(loop));
      throw;
    } catch (FindingError& error) {
      error.add_earlier(runner.findings());
      throw;
    }
    const std::lock_guard lock(merging);
    merge(all, std::move(part));
    work.add(runner.divergences(), runner.counts());
  };
  parallel_ranges(
      count, threads,
      [](void* context, std::size_t begin, std::size_t end) {
        (*static_cast<decltype(body)*>(context))(begin, end);
      },
      &body, is_told ? args.settings.progress : nullptr);
  if (args.program->counted) all.work = work.take(count * subgroups_of(args));
  return all;
}

}  // namespace lockstep::spirv
