#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
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
#include "cli/run/buffers.hpp"
#include "cli/run/explain.hpp"
#include "cli/run/report.hpp"
#include "cli/run/trace.hpp"
#include "cli/run_options.hpp"
#include "cli/run_progress.hpp"
#include "cli/shader_job.hpp"
#include "cli/trace/files.hpp"
#include "io/npy.hpp"
#include "io/types.hpp"
#include "report/judge.hpp"
#include "report/last_writers.hpp"
#include "report/statistics.hpp"

namespace lockstep::cli {
namespace {

/// The same, with progress and what --trace asks for; `untraced` is why that cannot be written.
ShaderRun run_to_end(ShaderJob& job, const Pipeline& pipeline, Dispatch dispatch,
                     const RunOptions& options, Observer& statistics,
                     std::exception_ptr& untraced) {
  const Size3& groups = dispatch.workgroups;
  RunProgress progress(std::size_t{groups.x} * groups.y * groups.z, options.json);
  dispatch.progress = &progress;
  if (options.trace.empty()) return run(job, pipeline, job.buffers, dispatch);
  const auto recorded = [&](const Convergence& recording) {
    Convergence convergence = recording;
    if (options.stats) convergence.observers.push_back(&statistics);
    dispatch.convergence = &convergence;
    return run(job, pipeline, job.buffers, dispatch);
  };
  return run_traced(options, job, recorded, untraced);
}

// ---- Comparisons ----

/// A buffer with what another device gave.
struct Compared {
  std::size_t buffer;  ///< its number
  npy::Array dump;
  lockstep::report::Judgement result = {};
  Authors authors = {};
};

std::vector<Compared> read_dumps(const std::vector<BoundBuffer>& buffers) {
  std::vector<Compared> compared;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    if (!buffers[k].against.empty()) compared.push_back({k, read_dump(buffers[k])});
  }
  return compared;
}

/// Judges the dumps: where one differs from the run's results, by another run that keeps what devices may give.
class Judging {
 public:
  Judging(const ShaderJob& job, const Pipeline& pipeline, const RunOptions& options,
          std::vector<BoundBuffer> initial)
      : job_(job), pipeline_(pipeline), options_(options), buffers_(std::move(initial)) {}

  void run(std::vector<Compared>& compared) {
    const auto differs = [&](const Compared& c) {
      return job_.buffers[c.buffer].array.bytes != c.dump.bytes;
    };
    if (std::ranges::any_of(compared, differs)) {
      if (options_.strict_order.empty() && has_float_order()) run_in_other_orders();
      run_reference();
    } else {
      buffers_ = job_.buffers;
    }
    for (Compared& c : compared) judge(c);
  }

 private:
  /// Whether the shader adds or multiplies between lanes.
  bool has_float_order() const {
    return std::ranges::any_of(pipeline_.interface().built_ins, [](std::string_view name) {
      return name.find("Add") != name.npos || name.find("Mul") != name.npos;
    });
  }
  void run_again(std::vector<BoundBuffer>& buffers, FloatOrder order,
                 oracle::Reference* reference) {
    RunConvergence convergence(options_);
    Dispatch dispatch = dispatch_of(job_, options_);
    dispatch.convergence = convergence.get(nullptr);
    dispatch.deterministic = true;
    dispatch.checks = {};
    dispatch.float_order = order;
    dispatch.only_float_order = !options_.strict_order.empty();
    dispatch.reference = reference;
    lockstep::cli::run(job_, pipeline_, buffers, dispatch);
  }
  void run_in_other_orders() {
    for (const FloatOrder order :
         {FloatOrder::left_fold, FloatOrder::hillis_steele, FloatOrder::butterfly}) {
      others_.push_back({order, buffers_});
      run_again(others_.back().buffers, order, nullptr);
    }
  }
  void run_reference() { run_again(buffers_, float_order_of(options_), &reference_); }
  void judge(Compared& c) {
    BoundBuffer& buffer = buffers_[c.buffer];
    lockstep::report::Subject subject{
        texels_of(buffer, buffers_).data(), buffer.array.bytes, c.dump.bytes, {}, {}};
    for (const InOrder& other : others_)
      subject.legal.push_back(
          {std::string(to_string(other.order)), other.buffers[c.buffer].array.bytes});
    c.result = buffer.columns.empty()
                   ? lockstep::report::judge(c.dump.dtype, subject, reference_)
                   : lockstep::report::judge(buffer.columns, subject, reference_);
  }

  /// The results of another order of reductions and scans of floats.
  struct InOrder {
    FloatOrder order;
    std::vector<BoundBuffer> buffers;
  };

  const ShaderJob& job_;
  const Pipeline& pipeline_;
  const RunOptions& options_;
  std::vector<BoundBuffer> buffers_;
  std::vector<InOrder> others_;
  oracle::Reference reference_;
};

/// Finds who wrote the elements that differ: runs the shader again on the same buffers, in one order, with an observer.
/// Where the second run gives other bytes, or takes too long, nothing is known.
class AuthorSearch {
 public:
  AuthorSearch(const ShaderJob& job, const Pipeline& pipeline, const RunOptions& options,
               std::vector<BoundBuffer> initial)
      : job_(job), pipeline_(pipeline), options_(options), buffers_(std::move(initial)) {}

  void run(std::vector<Compared>& compared) {
    for (const Compared& c : compared) {
      for (const auto& difference : c.result.first)
        writers_.watch(bytes_of(buffers_, c, difference), difference.size);
    }
    if (!run_again()) return;
    std::size_t number = 0;
    for (Compared& c : compared) {
      bool same = true;
      for (const auto& difference : c.result.first) {
        c.authors.push_back(writers_.writer(number++));
        same = same && std::memcmp(bytes_of(buffers_, c, difference),
                                   bytes_of(job_.buffers, c, difference), difference.size) == 0;
      }
      if (!same) c.authors.clear();
    }
  }

 private:
  static const std::byte* bytes_of(const std::vector<BoundBuffer>& buffers, const Compared& c,
                                   const lockstep::report::Judged& difference) {
    return buffers[c.buffer].array.bytes.data() + difference.byte;
  }

  bool run_again() {
    RunConvergence convergence(options_);
    Dispatch dispatch = dispatch_of(job_, options_);
    dispatch.convergence = convergence.get(&writers_);
    dispatch.deterministic = true;
    try {
      lockstep::cli::run(job_, pipeline_, buffers_, dispatch);
      return true;
    } catch (const lockstep::report::LastWriters::TooLong&) {
      return false;
    } catch (const Error&) {
      return false;
    }
  }

  static constexpr std::chrono::seconds limit{20};

  const ShaderJob& job_;
  const Pipeline& pipeline_;
  const RunOptions& options_;
  std::vector<BoundBuffer> buffers_;
  lockstep::report::LastWriters writers_{limit};
};

}  // namespace

ExitCode run_shader(const RunOptions& options) {
  static_cast<void>(float_order_of(options));  // a wrong name is known before anything runs
  const Profile profile = profile_of(options);
  RunConvergence convergence(options);
  std::optional<Interruption> interruption(
      std::in_place, "interrupted while the shader was compiled; nothing was saved", options.json);
  ShaderJob job = make_case(options, profile.subgroup_size);
  check_explained(job, options);
  std::vector<Compared> compared = read_dumps(job.buffers);
  const std::vector<BoundBuffer> initial =
      compared.empty() && options.explain.empty() ? std::vector<BoundBuffer>() : job.buffers;

  lockstep::report::Statistics statistics(profile.subgroup_size);
  Dispatch dispatch = dispatch_of(job, options);
  dispatch.convergence = convergence.get(nullptr);
  const Pipeline pipeline = make_pipeline(job, profile, dispatch);
  if (options.stats) {
    // Events take many times as long.
    dispatch.count_work = options.choose.empty() && options.trace.empty() &&
                          !Checker::needed_for(dispatch.checks) && pipeline.can_count_work();
    if (!dispatch.count_work) dispatch.convergence = convergence.get(&statistics);
  }
  if (!options.sarif.empty()) npy::check_writable(options.sarif);
  if (!options.trace.empty()) check_trace_file(options.trace, "--trace");
  const Report::Sizes sizes{job.groups, job.reflection.local_size, profile.subgroup_size};
  interruption.reset();  // RunProgress takes over
  ShaderRun result;
  std::exception_ptr untraced;
  try {
    result = run_to_end(job, pipeline, dispatch, options, statistics, untraced);
  } catch (const FindingError& error) {
    Report report(options, sizes);
    return report.ended_by(error);
  }

  if (result.work) statistics.add(*result.work);
  save(job.buffers);
  if (untraced) std::rethrow_exception(untraced);
  interruption.emplace("interrupted after the run, while its results were judged", options.json);
  if (!compared.empty()) Judging(job, pipeline, options, initial).run(compared);
  const auto is_wrong = [](const Compared& c) {
    return c.result.count(lockstep::report::Verdict::wrong) > 0;
  };
  if (std::ranges::any_of(compared, is_wrong))
    AuthorSearch(job, pipeline, options, initial).run(compared);

  Report report(options, sizes);
  if (!options.invocations.empty()) report.invocations();
  report.run(result);
  report.buffers(job.buffers);
  for (const Compared& c : compared) report.comparison(job.buffers[c.buffer], c.result, c.authors);
  if (!options.explain.empty()) report.explanation(explain(job, pipeline, options, initial));
  interruption.reset();
  if (options.stats) report.statistics(statistics);
  return report.finish();
}

}  // namespace lockstep::cli
