#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <lockstep/dispatch/device.hpp>

#include "amber/runner.hpp"
#include "cli/amber_files.hpp"
#include "cli/limits.hpp"
#include "cli/load_module.hpp"
#include "cli/long_run.hpp"
#include "cli/shader_case.hpp"
#include "cli/trace/kernels.hpp"
#include "cli/trace/options.hpp"
#include "io/files.hpp"
#include "registry/registry.hpp"

namespace lockstep::cli {
namespace {

using amber::Verdict;
using shader_case::EventLimit;

/// As the trace records it, within the limits of the command line.
Convergence limited(Convergence convergence, const TraceOptions& options, EventLimit& events) {
  convergence.max_trips = options.run.max_steps;
  convergence.observers.push_back(&events);
  return convergence;
}

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

Profile profile_of(const TraceOptions& options) {
  RunOptions run = options.run;
  if (run.device.empty()) run.subgroup_size = options.subgroup_size();
  return shader_case::profile_of(run);
}

bool is_chosen(std::string_view name) {
  return std::ranges::find(trace_kernels(), name, &TraceKernel::name) != trace_kernels().end();
}

/// A kernel on a small input: one that is chosen to be looked at, or any of the registry's. Returns what is wrong.
using KernelRun = std::function<std::string(const Convergence&, int subgroup_size)>;

std::string run_entry(const kernels::Entry& entry, const Convergence& convergence, int size) {
  constexpr std::size_t elements = 64;
  const std::string reason = entry.undefined_at(size);
  if (!reason.empty())
    throw UsageError(
        fmt::format("{} does not support subgroup size {}: {}", entry.name, size, reason));
  kernels::KernelCase job = entry.make_case(entry.make_input(elements, 1), size);
  const kernels::KernelCase before = job;
  const FaultLog faults = kernels::run(
      Device{.subgroup_size = size, .threads = 1, .faults = Faults::counted}, job, &convergence);
  return faults.count() > 0 ? to_string(faults.first()) : entry.verify(before, job);
}

/// Without a size, the smallest of 8, 16 ... 128 at which the kernel is defined.
int size_of(const TraceOptions& options) {
  int size = options.subgroup_size();
  if (options.run.subgroup_size || is_chosen(options.subject())) return size;
  const kernels::Entry* entry = kernels::find_kernel(options.subject());
  while (entry != nullptr && size < max_lanes && !entry->undefined_at(size).empty()) size *= 2;
  return size;
}

KernelRun kernel_named(std::string_view name) {
  const auto chosen = trace_kernels();
  const auto found = std::ranges::find(chosen, name, &TraceKernel::name);
  if (found != chosen.end()) return found->run;
  if (const kernels::Entry* entry = kernels::find_kernel(name))
    return [entry](const Convergence& convergence, int size) {
      return run_entry(*entry, convergence, size);
    };
  throw UsageError(
      fmt::format("'{}' is neither a file that can be traced (.comp, .glsl, .hlsl, .slang, .wgsl, "
                  ".cl, .spvasm, .spv, .amber) nor a kernel; lockstep kernels lists the kernels",
                  name));
}

}  // namespace

TracedRun trace_kernel(const TraceOptions& options, const trace::Request& request) {
  const KernelRun kernel = kernel_named(options.subject());
  require_no_shader_options(options.run, "a kernel");
  const std::pair<bool, const char*> not_taken[] = {{options.run.check.has_value(), "--check"},
                                                    {!options.run.lenient.empty(), "--lenient"},
                                                    {!options.run.sarif.empty(), "--sarif"}};
  for (const auto& [is_given, name] : not_taken)
    if (is_given)
      throw UsageError(
          fmt::format("{} is for shaders and scripts, not for kernels; remove it", name));
  if (!options.variables.empty() && options.variables != "none")
    throw UsageError(
        "--variables is for shaders and scripts, not for kernels, which have no names at run time; "
        "trace the .comp file");
  if (!options.run.device.empty())
    throw UsageError(
        "--device is for shaders and scripts, not for kernels; give --subgroup-size instead");
  const int size = size_of(options);
  std::string wrong;
  EventLimit limit(request, options.max_events);
  trace::Trace trace =
      trace::record(options.subject(), size, request, [&](const Convergence& convergence) {
        wrong = kernel(limited(convergence, options, limit), size);
      });
  return {.trace = std::move(trace), .wrong = wrong, .has_expectation = true};
}

TracedRun trace_shader(const TraceOptions& options, const trace::Request& request) {
  require_grid(options.run);
  RunOptions run = options.run;
  if (run.device.empty()) run.subgroup_size = options.subgroup_size();
  Module module = load_module(run);
  const auto started = std::chrono::steady_clock::now();
  const LongRun long_run(
      [] {},
      [&] {
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - started;
        end_long_run([] {}, fmt::format("interrupted after {}; nothing was written",
                                        duration_text(time.count())));
      });
  return trace_module(std::move(module), run, request, name_of(options.subject()),
                      options.max_events);
}

TracedRun trace_script(const TraceOptions& options, const trace::Request& request) {
  require_no_shader_options(options.run);
  const std::string& path = options.subject();
  const std::string text = lockstep::io::read_text(path);
  amber::RunSettings settings;
  settings.profile = profile_of(options);
  settings.threads = options.run.threads;
  settings.max_steps = options.run.max_steps;
  settings.lenient = lenient_of(options.run);
  settings.checks = checks_of(options.run);
  settings.limits = CompileLimits{};
  amber::Outcome outcome;
  EventLimit limit(request, options.max_events);
  trace::Trace trace = trace::record(
      name_of(path), settings.profile.subgroup_size, request, [&](const Convergence& given) {
        const Convergence convergence = limited(given, options, limit);
        settings.convergence = &convergence;
        outcome = amber::run_text(path, text, settings, files_beside(path));
        if (outcome.verdict == Verdict::error || outcome.verdict == Verdict::skipped)
          throw UsageError(outcome.message);
      });
  return {.trace = std::move(trace),
          .wrong = outcome.verdict == Verdict::passed ? "" : outcome.message,
          .has_expectation = true,
          .findings = std::move(outcome.findings)};
}

}  // namespace lockstep::cli
