#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/pipeline.hpp>
#include <lockstep/spirv/reflection.hpp>

#include "cli/run_buffers.hpp"
#include "cli/run_options.hpp"
#include "cli/run_progress.hpp"
#include "cli/run_report.hpp"
#include "npy/npy.hpp"
#include "run/arguments.hpp"
#include "run/buffer_spec.hpp"
#include "run/compare.hpp"
#include "run/error.hpp"
#include "run/last_writers.hpp"
#include "run/spec_constants.hpp"
#include "run/statistics.hpp"
#include "run/types.hpp"

namespace lockstep::cli {
namespace {

/// Calls f; what the compiler or the engine does not support becomes a UsageError of one line.
template <class F>
auto with_usage_errors(F f) {
  try {
    return f();
  } catch (const Error& error) {
    throw UsageError(first_line(error.what()));
  }
}

Module load_module(const RunOptions& options) {
  ModuleOptions result;
  result.include_dirs = options.include_dirs;
  result.entry = options.entry.value_or("main");
  result.target = options.target_env;
  for (const std::string& text : options.defines)
    result.defines.push_back(lockstep::run::parse_define(text));
  return with_usage_errors([&] { return Module::load(options.files.front(), result); });
}

std::vector<std::byte> push_bytes(const RunOptions& options, bool has_push) {
  if (!options.push.empty() && !has_push)
    throw UsageError("--push: the shader has no push constants; remove it");
  if (options.push.empty() && has_push)
    throw UsageError("the shader has push constants; give --push SPEC");
  if (options.push.empty()) return {};
  try {
    return make_array(lockstep::run::parse_buffer_spec(options.push)).bytes;
  } catch (const lockstep::run::InputError& error) {
    throw UsageError(fmt::format("--push {}", error.what()));
  }
}

/// The shader with everything that it runs on.
struct Job {
  Module module;
  PipelineOptions pipeline_options;
  Reflection reflection;
  Size3 groups{1, 1, 1};
  std::vector<BoundBuffer> buffers;
  std::vector<std::byte> push;
};

Job make_job(const RunOptions& options, int subgroup_size) {
  const Size3 groups = lockstep::run::parse_groups(options.groups);
  Job job{load_module(options), {}, {}, groups, {}, {}};
  job.pipeline_options.entry = options.entry.value_or("main");
  job.pipeline_options.subgroup_size = subgroup_size;
  job.pipeline_options.specialization =
      lockstep::run::specialization(options.specs, constants_of(job.module));
  job.reflection = with_usage_errors([&] {
    return reflect(job.module, job.pipeline_options.entry, job.pipeline_options.specialization);
  });
  job.buffers = make_buffers(job.reflection, options);
  job.push = push_bytes(options, job.reflection.push_constants.has_value());
  return job;
}

Dispatch dispatch_of(const Job& job, const RunOptions& options) {
  Dispatch dispatch;
  dispatch.workgroups = job.groups;
  dispatch.push_constants = job.push;
  // Elements of arrays may be unbound.
  dispatch.partially_bound = std::ranges::any_of(
      job.reflection.bindings, [](const auto& binding) { return binding.elements != 1; });
  dispatch.threads = options.threads;
  dispatch.max_steps = options.max_steps;
  dispatch.lenient = lenient_of(options);
  return dispatch;
}

/// Runs the shader on the buffers.
ShaderRun run(const Pipeline& pipeline, std::vector<BoundBuffer>& buffers, Dispatch dispatch) {
  DescriptorTable table;
  AddressSpace addresses;
  for (BoundBuffer& buffer : buffers) {
    const std::span<std::byte> bytes(buffer.array.bytes);
    if (buffer.slot.memory.empty())
      table.set(buffer.slot.set).bind_bytes(buffer.slot.binding, bytes, buffer.element);
    else
      addresses.add(bytes);
  }
  dispatch.addresses = &addresses;
  return pipeline.dispatch(table, dispatch);
}

/// The same, with progress.
ShaderRun run_to_end(const Pipeline& pipeline, std::vector<BoundBuffer>& buffers, Dispatch dispatch,
                     bool json) {
  const Size3& groups = dispatch.workgroups;
  RunProgress progress(std::size_t{groups.x} * groups.y * groups.z, json);
  dispatch.progress = &progress;
  return run(pipeline, buffers, dispatch);
}

/// Throws UsageError for anything that the device or the engine does not support, before the shader runs.
Pipeline make_pipeline(Job& job, const Profile& profile, const Dispatch& dispatch) {
  return with_usage_errors([&] {
    Pipeline pipeline(job.module, job.pipeline_options);
    pipeline.check(profile, job.groups);
    Dispatch nothing = dispatch;
    nothing.workgroups = {0, 0, 0};
    run(pipeline, job.buffers, nothing);
    return pipeline;
  });
}

// ---- Comparisons ----

/// A buffer with what it should hold.
struct Compared {
  std::size_t buffer;  ///< its number
  npy::Array dump;
  lockstep::run::Comparison result = {};
  Authors authors = {};
};

std::vector<Compared> read_dumps(const std::vector<BoundBuffer>& buffers) {
  std::vector<Compared> compared;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    if (!buffers[k].against.empty()) compared.push_back({k, read_dump(buffers[k])});
  }
  return compared;
}

void compare(Compared& compared, const BoundBuffer& buffer, int subgroup_size) {
  npy::Array got = buffer.array;
  got.dtype = compared.dump.dtype;
  compared.result = lockstep::run::compare(got, compared.dump, subgroup_size);
}

/// Finds who wrote the elements that differ: runs the shader again on the same buffers, in one order, with an observer.
/// Where the second run gives other bytes, or takes too long, nothing is known.
class AuthorSearch {
 public:
  AuthorSearch(const Job& job, const Pipeline& pipeline, const RunOptions& options,
               std::vector<BoundBuffer> initial)
      : job_(job), pipeline_(pipeline), options_(options), buffers_(std::move(initial)) {}

  void run(std::vector<Compared>& compared) {
    for (const Compared& c : compared) {
      for (const auto& difference : c.result.first)
        writers_.watch(bytes_of(buffers_, c, difference.index), size_of(c));
    }
    if (!run_again()) return;
    std::size_t number = 0;
    for (Compared& c : compared) {
      bool same = true;
      for (const auto& difference : c.result.first) {
        c.authors.push_back(writers_.writer(number++));
        same = same && std::memcmp(bytes_of(buffers_, c, difference.index),
                                   bytes_of(job_.buffers, c, difference.index), size_of(c)) == 0;
      }
      if (!same) c.authors.clear();
    }
  }

 private:
  static std::size_t size_of(const Compared& c) { return lockstep::run::bytes_of(c.dump.dtype); }
  static const std::byte* bytes_of(const std::vector<BoundBuffer>& buffers, const Compared& c,
                                   std::size_t index) {
    return buffers[c.buffer].array.bytes.data() + index * size_of(c);
  }

  bool run_again() {
    RunConvergence convergence(options_);
    Dispatch dispatch = dispatch_of(job_, options_);
    dispatch.convergence = convergence.get(&writers_);
    dispatch.deterministic = true;
    try {
      lockstep::cli::run(pipeline_, buffers_, dispatch);
      return true;
    } catch (const lockstep::run::LastWriters::TooLong&) {
      return false;
    } catch (const Error&) {
      return false;
    }
  }

  static constexpr std::chrono::seconds limit{20};

  const Job& job_;
  const Pipeline& pipeline_;
  const RunOptions& options_;
  std::vector<BoundBuffer> buffers_;
  lockstep::run::LastWriters writers_{limit};
};

}  // namespace

ExitCode run_shader(const RunOptions& options) {
  const Profile profile = profile_of(options);
  RunConvergence convergence(options);
  Job job = make_job(options, profile.subgroup_size);
  std::vector<Compared> compared = read_dumps(job.buffers);
  const std::vector<BoundBuffer> initial =
      compared.empty() ? std::vector<BoundBuffer>() : job.buffers;

  lockstep::run::Statistics statistics(profile.subgroup_size);
  Dispatch dispatch = dispatch_of(job, options);
  dispatch.convergence = convergence.get(options.stats ? &statistics : nullptr);
  const Pipeline pipeline = make_pipeline(job, profile, dispatch);
  const ShaderRun result = run_to_end(pipeline, job.buffers, dispatch, options.json);

  for (const BoundBuffer& buffer : job.buffers)
    if (!buffer.save.empty()) npy::write(buffer.save, buffer.array);
  for (Compared& c : compared) compare(c, job.buffers[c.buffer], profile.subgroup_size);
  const auto differs = [](const Compared& c) { return c.result.differing > 0; };
  if (std::ranges::any_of(compared, differs))
    AuthorSearch(job, pipeline, options, initial).run(compared);

  Report report(options, {job.groups, job.reflection.local_size, profile.subgroup_size});
  report.run(result);
  report.buffers(job.buffers);
  for (const Compared& c : compared) report.comparison(job.buffers[c.buffer], c.result, c.authors);
  if (options.stats) report.statistics(statistics);
  return report.finish();
}

}  // namespace lockstep::cli
