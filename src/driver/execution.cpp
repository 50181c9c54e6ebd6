#include "driver/execution.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/finding_error.hpp>
#include <lockstep/spirv/descriptor_table.hpp>

#include "driver/device.hpp"

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

}  // namespace

void Execution::unbind() {
  pipeline = nullptr;
  sets.fill({});
  labels.clear();
}

void Execution::run(const CommandBuffer& commands) {
  unbind();
  for (const CommandBuffer::Command& command : commands.commands) command(*this);
}

void Execution::run_within(const CommandBuffer& commands) {
  Execution own(device);
  own.labels = labels;
  for (const CommandBuffer::Command& command : commands.commands) command(own);
}

std::string Execution::place() const {
  std::string text = pipeline_name.empty() ? "" : fmt::format("pipeline '{}'", pipeline_name);
  if (!labels.empty())
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", fmt::join(labels, "' > '"));
  return text;
}

void Execution::dispatch(Size3 base, Size3 groups) {
  if (groups.x == 0 || groups.y == 0 || groups.z == 0) return;
  const Settings& settings = device.settings();
  pipeline->engine.check(settings.profile, groups);
  // The descriptors are copied, so that the host may change others of the same sets while the shader runs.
  DescriptorTable table;
  std::vector<std::vector<std::byte>> copies;
  std::array<bool, max_bound_descriptor_sets> has_offsets{};
  for (const Reflection::Binding& binding : pipeline->bindings) {
    if (binding.set >= sets.size() || sets[binding.set].set == nullptr) continue;
    const BoundSet& bound = sets[binding.set];
    bound.set->add_to(table, binding.set, binding.binding, binding.elements, copies);
    if (!std::exchange(has_offsets[binding.set], true)) add_offsets(table, binding.set, bound);
  }
  Chooser chooser = settings.chooser.value_or(Chooser::rejoin_all());
  Convergence convergence{.rule = settings.rule, .chooser = settings.chooser ? &chooser : nullptr};
  Dispatch dispatch;
  dispatch.workgroups = groups;
  dispatch.base = base;
  dispatch.push_constants = push_constants;
  // The engine takes memory of an address space for shared with other dispatches. Atomics are faster where it is not.
  if (device.several_queues || device.gave_addresses) dispatch.addresses = &device.addresses;
  dispatch.partially_bound = true;  // only descriptors in use count
  dispatch.threads = settings.threads;
  dispatch.max_steps = settings.max_steps;
  dispatch.convergence = settings.has_convergence ? &convergence : nullptr;
  dispatch.lenient = settings.lenient;
  dispatch.checks = settings.checks;
  Capture& capture = device.physical.instance->capture;
  auto job = capture.begin({*pipeline, pipeline_name, table, push_constants, base, groups,
                            settings.profile.subgroup_size});
  try {
    const ShaderRun run = pipeline->engine.dispatch(table, dispatch);
    if (job) capture.end(*job, table);
    for (const std::string& line : run.printed)
      device.physical.instance->tell({.severity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
                                      .id = "debugPrintf",
                                      .text = line});
    device.tell_findings(run.findings, place());
  } catch (const FindingError& error) {
    if (job) capture.end(std::as_const(*job));
    FaultLog log = error.earlier();
    // A program that is being checked goes on; what the shader had not written then is missing.
    if (settings.checks.any()) log.record(error.finding());
    device.tell_findings(log, place());
    if (!settings.checks.any()) throw;
  }
}

}  // namespace lockstep::driver
