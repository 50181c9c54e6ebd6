#include <fmt/format.h>

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/check/checker.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/finding_error.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "cli/interruption.hpp"
#include "cli/load_module.hpp"
#include "cli/run/explain.hpp"
#include "cli/run/report.hpp"
#include "cli/run/sizes.hpp"
#include "cli/run/trace.hpp"
#include "cli/run_options.hpp"
#include "cli/run_progress.hpp"
#include "cli/shader_case.hpp"
#include "cli/trace/files.hpp"
#include "io/npy.hpp"
#include "io/types.hpp"
#include "judgement/judge.hpp"
#include "report/coverage.hpp"
#include "report/statistics.hpp"
#include "shader_case/shader_rerun.hpp"

namespace lockstep::cli {
namespace {

/// Runs the shader with progress and what --trace asks for; `untraced` is why that cannot be written.
ShaderRun run_to_end(ShaderCase& shader, const Pipeline& pipeline, Dispatch dispatch,
                     const RunOptions& options, const std::vector<Observer*>& observers,
                     std::exception_ptr& untraced) {
  const Size3& groups = dispatch.workgroups;
  RunProgress progress(std::size_t{groups.x} * groups.y * groups.z, options.json);
  dispatch.progress = &progress;
  if (options.trace.empty()) return run(shader, pipeline, shader.buffers, dispatch);
  const auto recorded = [&](const Convergence& recording) {
    Convergence convergence = recording;
    convergence.observers.insert(convergence.observers.end(), observers.begin(), observers.end());
    dispatch.convergence = &convergence;
    return run(shader, pipeline, shader.buffers, dispatch);
  };
  return run_traced(options, shader, recorded, untraced);
}

// ---- Comparisons ----

/// What another device gave, by the number of its buffer; empty for those without --against.
judgement::Contents read_dumps(const std::vector<BoundBuffer>& buffers) {
  judgement::Contents dumps(buffers.size());
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    if (!buffers[k].against.empty()) dumps[k] = read_dump(buffers[k]).bytes;
  }
  return dumps;
}

judgement::Judgement judged(const ShaderCase& shader, const Pipeline& pipeline,
                            const RunOptions& options, const std::vector<BoundBuffer>& initial,
                            const judgement::Contents& dumps) {
  const shader_case::ShaderRerun rerun(shader, pipeline, options, initial);
  judgement::Options how;
  if (!options.strict_order.empty()) how.order = float_order_of(options);
  return judgement::Judge(rerun, how)(dumps);
}

/// Counts lines in the dispatch itself where possible, since events take many times as long.
class Observers {
 public:
  Observers(int subgroup_size, SizesRun* several)
      : statistics_(subgroup_size), coverage_(several != nullptr ? several->coverage : own_) {}

  void add_to(Dispatch& dispatch, const Pipeline& pipeline, const RunOptions& options) {
    dispatch.count_work =
        (options.stats || options.check) && options.choose.empty() && options.trace.empty() &&
        (dispatch.convergence == nullptr || !Checker::needed_for(dispatch.checks)) &&
        pipeline.can_count_work();
    if (dispatch.count_work) return;
    if (options.check) list_.push_back(&coverage_);
    if (options.stats) list_.push_back(&statistics_);
  }
  void add(const ShaderRun& run, const RunOptions& options) {
    if (run.work) statistics_.add(*run.work);
    if (options.check) coverage_.add(run);
  }

  const std::vector<Observer*>& list() const { return list_; }
  const lockstep::report::Coverage& coverage() const { return coverage_; }
  const lockstep::report::Statistics& statistics() const { return statistics_; }

 private:
  std::vector<Observer*> list_;
  lockstep::report::Statistics statistics_;
  lockstep::report::Coverage own_;
  lockstep::report::Coverage& coverage_;
};

}  // namespace

ExitCode run_once(const RunOptions& options, SizesRun* several) {
  const Profile profile = profile_of(options);
  RunConvergence convergence(options);
  std::optional<Interruption> interruption(
      std::in_place, "interrupted while the shader was compiled; nothing was saved", options.json);
  ShaderCase shader = make_case(several != nullptr ? *several->module : load_module(options),
                                options, profile.subgroup_size);
  check_explained(shader, options);
  const judgement::Contents dumps = read_dumps(shader.buffers);
  const bool compares = !options.against.empty();
  const std::vector<BoundBuffer> initial =
      !compares && options.explain.empty() ? std::vector<BoundBuffer>() : shader.buffers;

  Observers observers(profile.subgroup_size, several);
  Dispatch dispatch = dispatch_of(shader, options);
  dispatch.convergence = convergence.get();
  const Pipeline pipeline = make_pipeline(shader, profile, dispatch);
  observers.add_to(dispatch, pipeline, options);
  dispatch.convergence = convergence.get(observers.list());
  if (!options.sarif.empty()) npy::check_writable(options.sarif);
  if (!options.trace.empty()) check_trace_file(options.trace, "--trace");
  Report report(options, {shader.groups, shader.reflection.local_size, profile.subgroup_size},
                several);
  interruption.reset();  // RunProgress takes over
  ShaderRun result;
  std::exception_ptr untraced;
  try {
    result = run_to_end(shader, pipeline, dispatch, options, observers.list(), untraced);
  } catch (const FindingError& error) {
    return report.ended_by(error);
  }

  observers.add(result, options);
  save(shader.buffers);
  if (untraced) std::rethrow_exception(untraced);
  interruption.emplace("interrupted after the run, while its results were judged", options.json);
  judgement::Judgement judgement;
  if (compares) judgement = judged(shader, pipeline, options, initial, dumps);

  if (!options.invocations.empty()) report.invocations();
  report.run(result, options.check ? &observers.coverage() : nullptr);
  report.buffers(shader.buffers);
  for (const judgement::Buffer& judged : judgement.buffers)
    report.comparison(shader.buffers[judged.part], judged);
  if (compares) report.behaviour(judgement);
  if (!options.explain.empty()) report.explanation(explain(shader, pipeline, options, initial));
  interruption.reset();
  if (options.stats) report.statistics(observers.statistics());
  return report.finish();
}

ExitCode run_shader(const RunOptions& options) {
  static_cast<void>(float_order_of(options));  // a wrong name is known before anything runs
  return options.subgroup_sizes.size() > 1 ? run_at_sizes(options) : run_once(options);
}

}  // namespace lockstep::cli
