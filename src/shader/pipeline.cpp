#include <lockstep/spirv/pipeline.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/check/checker.hpp>
#include <lockstep/dispatch/error.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/variable_observer.hpp>

#include "oracle/bounds.hpp"
#include "shader/bind.hpp"
#include "shader/ir/race_free.hpp"
#include "shader/lower/lowered_shader.hpp"
#include "shader/quads.hpp"
#include "shader/run/assemble.hpp"
#include "shader/run/code_places.hpp"
#include "shader/run/run.hpp"
#include "shader/run/unrolled_loops.hpp"

namespace lockstep {
namespace {

std::shared_ptr<const spirv::LoweredShader> lower(const Module& module,
                                                  const PipelineOptions& options) {
  return std::make_shared<const spirv::LoweredShader>(
      module.decoded(),
      spirv::LowerOptions{module.decoded()->module.compute_entry(options.entry),
                          options.specialization, options.subgroup_size, options.unsized_arrays});
}

void check_groups(const Dispatch& dispatch) {
  const auto check = [](char axis, std::uint32_t base, std::uint32_t count) {
    if (count > 0xffffffffu - base)
      throw Error(fmt::format(
          "{} workgroups in {} from {} on are too many: the last one's number is beyond 32 bits",
          count, axis, base));
  };
  check('x', dispatch.base.x, dispatch.workgroups.x);
  check('y', dispatch.base.y, dispatch.workgroups.y);
  check('z', dispatch.base.z, dispatch.workgroups.z);
}

/// Whether lanes may stay apart, or observers receive events. If not, all lanes rejoin wherever they may under each
/// rule, as on the fast machine.
bool needs_tangles(const Convergence* convergence) {
  return convergence != nullptr &&
         ((convergence->chooser != nullptr && convergence->chooser->asks_anything()) ||
          convergence->interest().kinds.any());
}

void check_counting(const Pipeline& pipeline, const Dispatch& dispatch) {
  if (!dispatch.count_work) return;
  if (needs_tangles(dispatch.convergence) ||
      (dispatch.convergence != nullptr && Checker::needed_for(dispatch.checks)))
    throw Error(
        "work is counted without choosers and observers, and with the checks that need one only "
        "where no rule of convergence is given; count the events, or leave them out");
  if (!pipeline.can_count_work())
    throw Error("the shader's work cannot be counted: parts of it have no source line");
}

bool asks(const Convergence* convergence, Choice choice) {
  return convergence != nullptr && convergence->chooser != nullptr &&
         convergence->chooser->asks(choice);
}
/// Whether built-ins are told to checks alone.
bool only_checks_ask(const Convergence& convergence) {
  const auto is_other = [](const Observer* one) {
    return one != nullptr && one->interest().kinds.has(Event::Kind::built_in) &&
           dynamic_cast<const Checker*>(one) == nullptr;
  };
  return !is_other(convergence.observer) && std::ranges::none_of(convergence.observers, is_other);
}
/// Whether a buffer or an image shares memory with another one that the shader writes.
bool is_aliased(const spirv::LoweredShader& shader, const std::vector<spirv::Memory>& memory) {
  const auto is_memory = [&](std::size_t k) {
    const auto kind = shader.ir.resources[k].kind;
    return (kind == spirv::ResourceUse::Kind::buffer || kind == spirv::ResourceUse::Kind::image) &&
           memory[k].size > 0;
  };
  const auto overlap = [](const spirv::Memory& a, const spirv::Memory& b) {
    const std::less<> before;
    return before(a.data, b.data + b.size) && before(b.data, a.data + a.size);
  };
  for (std::size_t k = 0; k < memory.size(); ++k) {
    if (!is_memory(k) || !shader.written[k]) continue;
    for (std::size_t j = 0; j < memory.size(); ++j)
      if (j != k && is_memory(j) && overlap(memory[k], memory[j])) return true;
  }
  return false;
}
/// What observers are told.
Interest told_of(const Convergence& convergence, const spirv::LoweredShader& shader,
                 const std::vector<spirv::Memory>& memory) {
  Interest told = convergence.interest();
  told.conflict_free = told.conflict_free || is_aliased(shader, memory);
  return told;
}
/// The variables that any of the observers asks for.
VariableNames variables_of(const Convergence& convergence) {
  VariableNames wanted;
  const auto add = [&](const Observer* one) {
    const auto* observer = dynamic_cast<const VariableObserver*>(one);
    if (observer == nullptr) return;
    const VariableNames more = observer->variables();
    wanted.all = wanted.all || more.all;
    wanted.names.insert(wanted.names.end(), more.names.begin(), more.names.end());
  };
  add(convergence.observer);
  for (const Observer* one : convergence.observers) add(one);
  return wanted;
}

/// Whether a chooser may be asked for what only interpreted instructions can do.
bool in_any_order(const Convergence* convergence) {
  return asks(convergence, Choice::late_break) || asks(convergence, Choice::side_order) ||
         asks(convergence, Choice::subgroup_order);
}

/// The table of a mapping; none if it is the linear one. Throws Error if it is no mapping of such workgroups.
std::span<const std::uint32_t> checked_lanes(std::span<const std::uint32_t> lanes, Size3 local,
                                             const Pipeline& pipeline) {
  if (lanes.empty()) return lanes;
  const auto size = static_cast<std::uint32_t>(pipeline.subgroup_size());
  if (lanes.size() % size != 0)
    throw Error(fmt::format("a mapping of {} lanes has no whole subgroups of {}: give each lane",
                            lanes.size(), size));
  const std::uint32_t count = local.x * local.y * local.z;
  std::vector<bool> seen(count);
  bool linear = lanes.size() < std::size_t{count} + size;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane] == no_invocation) continue;
    if (lanes[lane] >= count || seen[lanes[lane]])
      throw Error(fmt::format(
          "a mapping of workgroups of {} invocations has {} in lane {}: each may occur only once",
          count, lanes[lane], lane));
    seen[lanes[lane]] = true;
    linear = linear && lanes[lane] == lane;
  }
  if (std::ranges::find(seen, false) != seen.end())
    throw Error(fmt::format("a mapping lacks some of the workgroup's {} invocations", count));
  return linear ? std::span<const std::uint32_t>() : lanes;
}

Checks without(Checks all, Checks some) {
  for (const CheckInfo& info : all_checks())
    if (some.has(info.check)) all = all.without(info.check);
  return all;
}

/// In how many of their ids, from the first on, the invocations of the dispatch differ.
int axes_of(const Dispatch& dispatch, Size3 local) {
  const Size3 &groups = dispatch.workgroups, &base = dispatch.base;
  const auto is_long = [](std::uint64_t first, std::uint32_t count, std::uint32_t size) {
    return (first + count) * size > spirv::most_row;
  };
  if (is_long(base.x, groups.x, local.x) || is_long(base.y, groups.y, local.y) ||
      is_long(base.z, groups.z, local.z))
    return 3;
  if (std::uint64_t{groups.z} * local.z > 1) return 3;
  return std::uint64_t{groups.y} * local.y > 1 ? 2 : 1;
}

/// How the program of a dispatch is assembled. `linear`: lane k of subgroup s has invocation s * size + k.
spirv::AssembleOptions options_of(const Dispatch& dispatch, const CheckedConvergence& checked,
                                  const spirv::LoweredShader& shader,
                                  const std::vector<spirv::Memory>& memory, bool linear) {
  const bool tangled = needs_tangles(checked.get());
  const Checks seen = undefined_checks() | expected_checks() | Checks{Check::broadcast_not_uniform};
  const Interest told = tangled ? told_of(*checked.get(), shader, memory) : Interest::none();
  // A checker alone is told, and invocations meet at barriers or it is an error.
  const bool can_be_race_free = tangled && dispatch.convergence == nullptr && !told.conflict_free &&
                                !dispatch.lenient.barriers;
  return {.tangled = tangled,
          .one_tangle = tangled && dispatch.convergence == nullptr,
          .linear = linear,
          .all_push_bytes = dispatch.push_constants.size() >= shader.push_bytes,
          .any_order = in_any_order(checked.get()),
          .atomic_order = asks(checked.get(), Choice::atomic_order),
          .counted = dispatch.count_work,
          .checks = dispatch.checks & seen,
          .bounds = dispatch.bounds != nullptr,
          .told = told,
          .judged_only = tangled && only_checks_ask(*checked.get()),
          .variables = tangled ? variables_of(*checked.get()) : VariableNames(),
          .float_order = dispatch.float_order,
          .race_axes = can_be_race_free ? axes_of(dispatch, shader.interface.local_size) : 0,
          .only_float_order = dispatch.only_float_order,
          .keeps_loops = dispatch.max_steps < spirv::most_unrolled_trips};
}

DispatchSettings settings_of(const Dispatch& dispatch, int subgroup_size,
                             const CheckedConvergence& checked) {
  DispatchSettings settings;
  settings.subgroup_size = subgroup_size;
  settings.threads = dispatch.threads;
  settings.max_steps = dispatch.max_steps;
  settings.convergence = checked.get();
  settings.lenient = dispatch.lenient;
  settings.mapping = dispatch.mapping;
  settings.order = dispatch.order;
  settings.deterministic = dispatch.deterministic;
  settings.progress = dispatch.progress;
  settings.checks = dispatch.checks;
  return settings;
}

void take_bounds(spirv::DispatchArgs& args, oracle::Bounds& bounds) {
  args.bounds = &bounds.memory;
  if (bounds.provenance) args.provenance = &*bounds.provenance;
  bounds.lines.clear();
  for (const SourceLocation& line : args.program->bound_lines)
    bounds.lines.push_back({line.file, line.line});
}

}  // namespace

/// Programs are made once each, under a lock; nothing else changes.
struct Pipeline::Parts {
  Parts(std::shared_ptr<const spirv::LoweredShader> shader, int size, bool is_robust)
      : lowered(std::move(shader)), subgroup_size(size), robust(is_robust) {
    if (size < 1 || size > 128) fail::subgroup_size(size, 128);
    lowered = spirv::at_subgroup_size(std::move(lowered), size);
  }

  const spirv::Program& program(const spirv::AssembleOptions& options) const {
    const std::lock_guard lock(making);
    auto& made = programs[options];
    if (made == nullptr) made = spirv::assemble(lowered->ir, subgroup_size, options);
    return *made;
  }

  std::shared_ptr<const spirv::LoweredShader> lowered;
  int subgroup_size;
  bool robust;
  mutable std::mutex making;
  mutable std::map<spirv::AssembleOptions, std::unique_ptr<const spirv::Program>> programs;
};

Pipeline::Pipeline(const Module& module, const PipelineOptions& options)
    : Pipeline(lower(module, options), options.subgroup_size, options.robust) {
  prepare();
}

Pipeline::Pipeline(std::shared_ptr<const spirv::LoweredShader> lowered, int subgroup_size,
                   bool robust)
    : parts_(std::make_shared<const Parts>(std::move(lowered), subgroup_size, robust)) {}

Pipeline Pipeline::at_subgroup_size(int size) const {
  if (size == subgroup_size()) return *this;
  const Pipeline other(parts_->lowered, size, parts_->robust);
  other.prepare();
  return other;
}

void Pipeline::prepare() const {
  parts_->program({.tangled = false, .linear = true, .all_push_bytes = true});
}

const ShaderInterface& Pipeline::interface() const { return parts_->lowered->interface; }
int Pipeline::subgroup_size() const { return parts_->subgroup_size; }

void Pipeline::check(const Profile& profile, Size3 workgroups) const {
  parts_->lowered->check(profile, parts_->subgroup_size, workgroups);
}

bool Pipeline::can_count_work() const {
  return parts_->program({.all_push_bytes = true, .counted = true}).counted;
}

BoundDescriptors Pipeline::bind(const DescriptorTable& descriptors, bool partially_bound) const {
  return {parts_->lowered, spirv::bind(*parts_->lowered, descriptors, partially_bound)};
}

ShaderRun Pipeline::dispatch(const DescriptorTable& descriptors, const Dispatch& dispatch) const {
  return this->dispatch(bind(descriptors, dispatch.partially_bound), dispatch);
}

ShaderRun Pipeline::dispatch(const BoundDescriptors& descriptors, const Dispatch& dispatch) const {
  if (descriptors.shader_ != parts_->lowered)
    throw Error("descriptors are bound for another pipeline: bind them for this one");
  if (const Checks others = dispatch.checks & explored_checks(); others.any())
    throw Error(fmt::format("one run cannot be checked for {}; lockstep explore compares runs",
                            to_string(others)));
  check_groups(dispatch);
  check_counting(*this, dispatch);
  const spirv::LoweredShader& shader = *parts_->lowered;
  spirv::DispatchArgs args;
  std::vector<std::uint32_t> quads;
  if (shader.ir.derivative_group != spirv::DerivativeGroup::none && dispatch.lanes.empty())
    quads = spirv::lanes_in_quads(shader.ir.derivative_group, dispatch.mapping,
                                  shader.interface.local_size, parts_->subgroup_size);
  const bool arranged = !quads.empty();
  const auto mapped =
      checked_lanes(arranged ? quads : dispatch.lanes, shader.interface.local_size, *this);
  const std::vector<spirv::Memory>& memory = descriptors.memory_->memory;
  args.bound = descriptors.memory_.get();
  args.push_constants = dispatch.push_constants;
  const bool linear = mapped.empty() && (arranged || dispatch.mapping.is_linear());
  Dispatch needed = dispatch;
  std::optional<CheckedConvergence> checked;
  const auto choose_program = [&] {
    checked.emplace(needed.checks, parts_->subgroup_size, needed.convergence);
    args.program = &parts_->program(options_of(needed, *checked, shader, memory, linear));
  };
  choose_program();
  if (dispatch.convergence == nullptr && args.program->tangled && !args.program->tells) {
    // Nothing that these rules look at happens: the fast machine will do.
    needed.checks = without(dispatch.checks, Checker::rules());
    choose_program();
  }
  args.workgroups = dispatch.workgroups;
  args.base = dispatch.base;
  args.settings = settings_of(needed, parts_->subgroup_size, *checked);
  if (arranged) args.settings.mapping = Mapping();
  args.lanes = mapped;
  args.robust =
      parts_->robust || (dispatch.checks.any() && !dispatch.checks.has(Check::out_of_bounds));
  args.addresses = dispatch.addresses;
  if (dispatch.bounds != nullptr) take_bounds(args, static_cast<oracle::Bounds&>(*dispatch.bounds));
  ShaderRun run;
  try {
    run = spirv::run(args);
  } catch (FindingError& error) {
    checked->add_to(error);
    throw;
  }
  checked->add_to(run.findings);
  if (dispatch.checks.any()) run.findings.remove_suppressed(shader.module->comments);
  run.machine_code = spirv::name_of(args.program->target);
  const auto told = [&] { return told_of(*checked->get(), shader, memory); };
  if (dispatch.count_work || (args.program->tangled && told().kinds.has(Event::Kind::line)))
    run.places = spirv::code_places(*args.program);
  if (args.program->native == nullptr) run.machine_code += " (" + args.program->no_native + ")";
  return run;
}

}  // namespace lockstep
