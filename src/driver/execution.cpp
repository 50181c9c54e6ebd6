#include "driver/execution.hpp"

#include <exception>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/finding_error.hpp>
#include <lockstep/spirv/descriptor_table.hpp>

#include "driver/device.hpp"
#include "driver/dispatch_place.hpp"
#include "driver/time_limit.hpp"

namespace lockstep::driver {
namespace {

/// The bytes that dynamic offsets move the buffers of a set by. They are in the order of bindings, then elements.
void add_offsets(DescriptorTable& table, std::uint32_t number, const BoundSet& bound) {
  std::size_t next = 0;
  for (const auto& [binding, what] : bound.set->layout().bindings) {
    if (!what.is_dynamic()) continue;
    for (std::uint32_t k = 0; k < what.count && next < bound.offsets.size(); ++k)
      table.offset(number, binding, bound.offsets[next++], k);
  }
}

/// What ended a run, with the limits and options of the driver.
Finding in_words_of_driver(const FindingError& error, const Settings& settings,
                           const TimeLimit& limit) {
  const auto* loop = dynamic_cast<const EndlessLoop*>(&error);
  if (loop == nullptr) return error.finding();
  if (settings.max_steps == 0) return loop->finding_with(limit.words());
  return loop->finding_with({fmt::format("after {} iterations", loop->trips),
                             "raise --max-steps of lockstep vulkan (LOCKSTEP_MAX_STEPS)"});
}

}  // namespace

void Execution::unbind() {
  pipeline = {};
  sets.fill({});
  labels.clear();
}

void Execution::run(const std::vector<CommandBuffer::Command>& commands) {
  unbind();
  for (const CommandBuffer::Command& command : commands) command(*this);
}

void Execution::run_within(const std::vector<CommandBuffer::Command>& commands) {
  Execution own(device);
  own.labels = labels;
  for (const CommandBuffer::Command& command : commands) command(own);
}

DescriptorTable Execution::bound_table(TexelCopies& copies) const {
  DescriptorTable table;
  std::array<bool, max_bound_descriptor_sets> has_offsets{};
  for (const Reflection::Binding& binding : pipeline.compiled->bindings) {
    if (binding.set >= sets.size() || sets[binding.set].set == nullptr) continue;
    const BoundSet& bound = sets[binding.set];
    bound.set->add_to(table, binding.set, binding.binding, binding.elements, copies);
    if (!std::exchange(has_offsets[binding.set], true)) add_offsets(table, binding.set, bound);
  }
  return table;
}

LastBound::Key Execution::bound_key() const {
  LastBound::Key key;
  std::array<bool, max_bound_descriptor_sets> is_known{};
  for (const Reflection::Binding& binding : pipeline.compiled->bindings) {
    if (binding.set >= sets.size() || std::exchange(is_known[binding.set], true)) continue;
    const BoundSet& bound = sets[binding.set];
    if (bound.set == nullptr) continue;
    const std::uint64_t version = bound.set->version();
    if (version == 0) return {};
    key.insert(key.end(), {binding.set, version, bound.offsets.size()});
    key.insert(key.end(), bound.offsets.begin(), bound.offsets.end());
  }
  return key;
}

BoundDescriptors Execution::bound(TexelCopies& copies) const {
  const CompiledPipeline& compiled = *pipeline.compiled;
  constexpr bool partially = true;  // only descriptors in use count
  LastBound::Key key = compiled.last_bound != nullptr ? bound_key() : LastBound::Key();
  if (key.empty()) return compiled.engine.bind(bound_table(copies), partially);
  if (const auto known = compiled.last_bound->find(key)) return *known;
  // The host may change a set after its version was read: that version is not one of a set any more then.
  const BoundDescriptors found = compiled.engine.bind(bound_table(copies), partially);
  compiled.last_bound->keep(std::move(key), found);
  return found;
}

void Execution::explore(job::Job& job, const DescriptorTable& table, const DispatchPlace& place) {
  Instance& instance = *device.physical.instance;
  try {
    const auto found = instance.explorer.explore(job);
    if (!found) return;
    instance.findings.count("explore");
    Capture::add_outputs(job, table);
    const auto folder = module_folder(device.settings().modules) / job.name;
    job::write(folder, job);
    device.tell_error("explore", fmt::format("warning: {} [explore] in {}; the job is {}", *found,
                                             place.text(), folder.string()));
  } catch (const std::exception& error) {
    print_error(fmt::format("{} is not explored: {}", job.name, error.what()));
  }
}

void Execution::compare(const job::Job& job, const DispatchPlace& place) {
  Instance& instance = *device.physical.instance;
  try {
    const auto folder = module_folder(device.settings().modules) / (job.name + "-against");
    const auto found = instance.second_device.compare(job, folder);
    if (!found) return;
    instance.findings.count("against");
    device.tell_error("against", fmt::format("warning: {} [against] in {}; the job is {}", *found,
                                             place.text(), folder.string()));
  } catch (const std::exception& error) {
    print_error(
        fmt::format("{} is not compared with the second device: {}", job.name, error.what()));
  }
}

void Execution::dispatch(Size3 base, Size3 groups) {
  if (groups.x == 0 || groups.y == 0 || groups.z == 0) return;
  if (pipeline.compiled == nullptr)
    throw Error("a dispatch has no compute pipeline: bind one before it");
  const Settings& settings = device.settings();
  Instance& instance = *device.physical.instance;
  pipeline.compiled->engine.check(settings.profile, groups);
  TexelCopies copies;
  Chooser chooser = settings.chooser.value_or(Chooser::rejoin_all());
  Convergence convergence{.rule = settings.rule, .chooser = settings.chooser ? &chooser : nullptr};
  TimeLimit limit(settings.max_seconds);
  Dispatch dispatch;
  dispatch.workgroups = groups;
  dispatch.base = base;
  dispatch.push_constants = push_constants;
  // The engine takes memory of an address space for shared with other dispatches. Atomics are faster where it is not.
  if (device.several_queues || device.gave_addresses) dispatch.addresses = &device.addresses;
  dispatch.threads = settings.threads;
  dispatch.max_steps = settings.max_steps;
  if (settings.max_steps == 0) {
    dispatch.max_steps = TimeLimit::trips;
    dispatch.progress = &limit;
  }
  dispatch.convergence = settings.has_convergence ? &convergence : nullptr;
  dispatch.lenient = settings.lenient;
  dispatch.checks = settings.checks;
  const std::uint32_t number = ++instance.dispatches;
  const DispatchPlace place(pipeline, number, labels);
  const bool explores = instance.explorer.wants(*pipeline.compiled, groups);
  const bool compares = instance.second_device.wants(*pipeline.compiled, groups);
  DescriptorTable table;
  std::optional<job::Job> job;
  if (explores || compares || instance.capture.is_wanted()) {
    table = bound_table(copies);
    job = Capture::begin(
        {pipeline, table, push_constants, base, groups, number, settings.profile.subgroup_size});
  }
  try {
    const ShaderRun run = pipeline.compiled->engine.dispatch(bound(copies), dispatch);
    if (job) instance.capture.end(*job, table);
    for (const std::string& line : run.printed)
      instance.tell({.severity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
                     .id = "debugPrintf",
                     .text = line});
    device.tell_findings(run.findings, place);
    if (job && compares) compare(*job, place);
    if (job && explores) explore(*job, table, place);
  } catch (const FindingError& error) {
    if (job) instance.capture.end(std::as_const(*job));
    FaultLog log = error.earlier();
    const Finding last = in_words_of_driver(error, settings, limit);
    // A program that is being checked goes on; what the shader had not written then is missing.
    if (settings.checks.any()) log.record(last);
    device.tell_findings(log, place);
    if (!settings.checks.any()) throw Error(place.reason(last));
  }
}

}  // namespace lockstep::driver
