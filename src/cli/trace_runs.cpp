#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/finding_error.hpp>

#include "amber/runner.hpp"
#include "cli/amber_files.hpp"
#include "cli/shader_job.hpp"
#include "cli/trace_kernels.hpp"
#include "cli/trace_options.hpp"
#include "run/files.hpp"

namespace lockstep::cli {
namespace {

using amber::Verdict;

/// As the trace records it, within the limit of the command line.
Convergence limited(Convergence convergence, const TraceOptions& options) {
  convergence.max_trips = options.run.max_steps;
  return convergence;
}

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

Profile profile_of(const TraceOptions& options) {
  RunOptions run = options.run;
  if (run.device.empty()) run.subgroup_size = options.subgroup_size();
  return cli::profile_of(run);
}

const TraceKernel& kernel_named(std::string_view name) {
  const auto kernels = trace_kernels();
  const auto found = std::ranges::find(kernels, name, &TraceKernel::name);
  if (found != kernels.end()) return *found;
  std::string known;
  for (const TraceKernel& k : kernels)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", k.name);
  throw UsageError(
      fmt::format("'{}' is neither a file that can be traced (.comp, .glsl, .hlsl, .spvasm, .spv, "
                  ".amber) nor a kernel; the kernels are {}",
                  name, known));
}

}  // namespace

TracedRun trace_kernel(const TraceOptions& options, const trace::Request& request) {
  const TraceKernel& kernel = kernel_named(options.subject());
  require_no_shader_options(options.run, "a kernel");
  if (options.run.check)
    throw UsageError("--check is for shaders and scripts, not for a kernel; remove it");
  if (!options.run.device.empty())
    throw UsageError(
        "--device is for shaders and scripts, not for a kernel; give --subgroup-size instead");
  std::string wrong;
  trace::Trace trace = trace::record(
      options.subject(), options.subgroup_size(), request, [&](const Convergence& convergence) {
        wrong = kernel.run(limited(convergence, options), options.subgroup_size());
      });
  return {.trace = std::move(trace), .wrong = wrong, .has_expectation = true};
}

TracedRun trace_shader(const TraceOptions& options, const trace::Request& request) {
  require_grid(options.run);
  const Profile profile = profile_of(options);
  ShaderJob job = make_job(options.run, profile.subgroup_size);
  Dispatch dispatch = dispatch_of(job, options.run);
  const Pipeline pipeline = make_pipeline(job, profile, dispatch);
  const auto written = [&] {
    std::vector<BoundBuffer> buffers = job.buffers;
    std::erase_if(buffers, [](const BoundBuffer& buffer) { return !buffer.writable; });
    return buffers;
  };
  std::vector<BoundBuffer> before = written();
  FaultLog findings;
  trace::Trace trace = trace::record(
      name_of(options.subject()), profile.subgroup_size, request, [&](const Convergence& given) {
        const Convergence convergence = limited(given, options);
        dispatch.convergence = &convergence;
        try {
          findings = run(job, pipeline, job.buffers, dispatch).findings;
        } catch (const FindingError& error) {
          findings = error.earlier();
          findings.record(error.finding());
          throw;
        }
      });
  return {.trace = std::move(trace),
          .before = std::move(before),
          .written = written(),
          .findings = std::move(findings)};
}

TracedRun trace_script(const TraceOptions& options, const trace::Request& request) {
  require_no_shader_options(options.run);
  const std::string& path = options.subject();
  const std::string text = lockstep::run::read_text(path);
  amber::RunSettings settings;
  settings.profile = profile_of(options);
  settings.threads = options.run.threads;
  settings.max_steps = options.run.max_steps;
  settings.lenient = lenient_of(options.run);
  settings.checks = checks_of(options.run);
  settings.limits = CompileLimits{};
  amber::Outcome outcome;
  trace::Trace trace = trace::record(
      name_of(path), settings.profile.subgroup_size, request, [&](const Convergence& given) {
        const Convergence convergence = limited(given, options);
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
