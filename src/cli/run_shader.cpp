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

#include "cli/load_module.hpp"
#include "cli/run_buffers.hpp"
#include "cli/run_options.hpp"
#include "cli/run_progress.hpp"
#include "cli/run_report.hpp"
#include "npy/npy.hpp"
#include "run/addresses.hpp"
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

lockstep::run::Values push_values(const RunOptions& options, bool has_push) {
  if (!options.push.empty() && !has_push)
    throw UsageError("--push: the shader has no push constants; remove it");
  if (options.push.empty() && has_push)
    throw UsageError("the shader has push constants; give --push SPEC");
  if (options.push.empty()) return {};
  try {
    if (lockstep::run::is_values(options.push)) return lockstep::run::parse_values(options.push);
    return {make_array(lockstep::run::parse_buffer_spec(options.push)).bytes, {}};
  } catch (const lockstep::run::InputError& error) {
    throw UsageError(fmt::format("--push {}", error.what()));
  }
}

/// An address to write before the run: into a buffer, or into the push constants.
struct AddressPlace {
  std::optional<std::size_t> buffer;  ///< its number; none for the push constants
  std::uint64_t at = 0;
  std::size_t target = 0;    ///< the number of a buffer
  std::uint64_t offset = 0;  ///< in it
};

/// The shader with everything that it runs on.
struct Job {
  Module module;
  PipelineOptions pipeline_options;
  Reflection reflection;
  Size3 groups{1, 1, 1};
  std::vector<BoundBuffer> buffers;
  std::vector<std::byte> push;
  std::vector<AddressPlace> addresses;
  std::vector<BoundSampler> samplers;
};

/// The number of the buffer that holds the byte; throws UsageError if there is none, or fewer bytes.
std::size_t buffer_of(const Job& job, const lockstep::run::BufferByte& byte, std::uint64_t bytes,
                      const std::string& option) {
  const lockstep::run::Slot slot = resolved(byte.slot, job.reflection);
  const auto found = std::ranges::find_if(job.buffers, [&](const BoundBuffer& buffer) {
    return buffer.slot == slot && buffer.element == byte.element;
  });
  if (found == job.buffers.end())
    throw UsageError(fmt::format("{}: {} has no contents; give --buffer {}=SPEC", option,
                                 to_string(slot), to_string(slot)));
  const std::size_t size = found->array.bytes.size();
  if (byte.offset > size || size - byte.offset < bytes)
    throw UsageError(fmt::format("{}: byte {} is outside {}, which has {}", option, byte.offset,
                                 found->title(), size));
  return static_cast<std::size_t>(found - job.buffers.begin());
}

void place_addresses(Job& job, const RunOptions& options, const lockstep::run::Values& push) {
  for (const auto& place : push.addresses)
    job.addresses.push_back(
        {std::nullopt, place.at, buffer_of(job, place.of, 0, "--push"), place.of.offset});
  for (const std::string& text : options.addresses) {
    const auto [at, of] = lockstep::run::parse_address(text);
    const std::string option = "--address " + text;
    job.addresses.push_back({buffer_of(job, at, sizeof(std::uint64_t), option), at.offset,
                             buffer_of(job, of, 0, option), of.offset});
  }
}

Job make_job(const RunOptions& options, int subgroup_size) {
  const bool by_groups = options.invocations.empty();
  const Size3 wanted = by_groups ? lockstep::run::parse_groups(options.groups)
                                 : lockstep::run::parse_invocations(options.invocations);
  Job job{load_module(options), {}, {}, wanted, {}, {}, {}, {}};
  job.pipeline_options.entry = options.entry.value_or("main");
  job.pipeline_options.subgroup_size = subgroup_size;
  job.pipeline_options.specialization =
      lockstep::run::specialization(options.specs, constants_of(job.module));
  job.reflection = with_usage_errors([&] {
    return reflect(job.module, job.pipeline_options.entry, job.pipeline_options.specialization);
  });
  if (!by_groups) job.groups = lockstep::run::groups_for(wanted, job.reflection.local_size);
  job.buffers = make_buffers(job.reflection, options);
  job.samplers = make_samplers(job.reflection, options);
  const auto push = push_values(options, job.reflection.push_constants.has_value());
  job.push = push.bytes;
  place_addresses(job, options, push);
  return job;
}

Dispatch dispatch_of(const Job& job, const RunOptions& options) {
  Dispatch dispatch;
  dispatch.workgroups = job.groups;
  // Elements of arrays may be unbound.
  dispatch.partially_bound = std::ranges::any_of(
      job.reflection.bindings, [](const auto& binding) { return binding.elements != 1; });
  dispatch.threads = options.threads;
  dispatch.max_steps = options.max_steps;
  dispatch.lenient = lenient_of(options);
  dispatch.checks = checks_of(options);
  dispatch.mapping = mapping_of(options);
  dispatch.order = order_of(options);
  return dispatch;
}

/// Runs the shader on the buffers. Their addresses are the same in every run of a job.
ShaderRun run(const Job& job, const Pipeline& pipeline, std::vector<BoundBuffer>& buffers,
              Dispatch dispatch) {
  DescriptorTable table;
  AddressSpace space;
  std::vector<std::uint64_t> starts;
  for (BoundBuffer& buffer : buffers) {
    const std::span<std::byte> bytes(buffer.array.bytes);
    starts.push_back(space.add(bytes));
    if (!buffer.slot.memory.empty()) continue;
    DescriptorSet& set = table.set(buffer.slot.set);
    if (buffer.image)
      set.write(buffer.slot.binding, buffer.element,
                {.kind = Descriptor::Kind::texels,
                 .bytes = bytes,
                 .format = buffer.image->format,
                 .extent = buffer.image->size});
    else
      set.bind_bytes(buffer.slot.binding, bytes, buffer.element);
  }
  for (const BoundSampler& sampler : job.samplers)
    table.set(sampler.slot.set)
        .bind_sampler(sampler.slot.binding, sampler.sampler, sampler.element);
  std::vector<std::byte> push = job.push;
  for (const AddressPlace& place : job.addresses) {
    const std::uint64_t address = starts[place.target] + place.offset;
    auto& bytes = place.buffer ? buffers[*place.buffer].array.bytes : push;
    std::memcpy(bytes.data() + place.at, &address, sizeof address);
  }
  dispatch.push_constants = push;
  dispatch.addresses = &space;
  return pipeline.dispatch(table, dispatch);
}

/// The same, with progress.
ShaderRun run_to_end(Job& job, const Pipeline& pipeline, Dispatch dispatch, bool json) {
  const Size3& groups = dispatch.workgroups;
  RunProgress progress(std::size_t{groups.x} * groups.y * groups.z, json);
  dispatch.progress = &progress;
  return run(job, pipeline, job.buffers, dispatch);
}

/// Throws UsageError for anything that the device or the engine does not support, before the shader runs.
Pipeline make_pipeline(Job& job, const Profile& profile, const Dispatch& dispatch) {
  return with_usage_errors([&] {
    Pipeline pipeline(job.module, job.pipeline_options);
    pipeline.check(profile, job.groups);
    Dispatch nothing = dispatch;
    nothing.workgroups = {0, 0, 0};
    run(job, pipeline, job.buffers, nothing);
    return pipeline;
  });
}

void save(const BoundBuffer& buffer) {
  if (buffer.save.empty()) return;
  if (buffer.image && lockstep::run::is_png(buffer.save))
    lockstep::run::write_png(buffer.save, *buffer.image, buffer.array);
  else
    npy::write(buffer.save, saved(buffer));
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
  if (!buffer.columns.empty()) {
    compared.result =
        lockstep::run::compare(buffer.columns, buffer.array, compared.dump, subgroup_size);
    return;
  }
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
                                   const lockstep::run::Difference& difference) {
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
  dispatch.convergence = convergence.get(nullptr);
  const Pipeline pipeline = make_pipeline(job, profile, dispatch);
  if (options.stats) {
    // Events take many times as long.
    dispatch.count_work = dispatch.convergence == nullptr && pipeline.can_count_work();
    if (!dispatch.count_work) dispatch.convergence = convergence.get(&statistics);
  }
  const ShaderRun result = run_to_end(job, pipeline, dispatch, options.json);

  if (result.work) statistics.add(*result.work);
  for (const BoundBuffer& buffer : job.buffers) save(buffer);
  for (Compared& c : compared) compare(c, job.buffers[c.buffer], profile.subgroup_size);
  const auto differs = [](const Compared& c) { return c.result.differing > 0; };
  if (std::ranges::any_of(compared, differs))
    AuthorSearch(job, pipeline, options, initial).run(compared);

  Report report(options, {job.groups, job.reflection.local_size, profile.subgroup_size});
  if (!options.invocations.empty()) report.invocations();
  report.run(result);
  report.buffers(job.buffers);
  for (const Compared& c : compared) report.comparison(job.buffers[c.buffer], c.result, c.authors);
  if (options.stats) report.statistics(statistics);
  return report.finish();
}

}  // namespace lockstep::cli
