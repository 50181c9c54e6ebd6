#include "explore/shader_subject.hpp"

#include <cstdint>
#include <utility>

#include <fmt/format.h>

namespace lockstep::explore {

ShaderSubject::ShaderSubject(Pipeline first, Dispatch how, RunOnce run)
    : how_(std::move(how)), run_(std::move(run)), first_size_(first.subgroup_size()) {
  how_.threads = 1;
  pipelines_.emplace(first_size_, std::move(first));
}

void ShaderSubject::add_size(int size) {
  pipelines_.try_emplace(size, pipelines_.at(first_size_).at_subgroup_size(size));
}

Result ShaderSubject::operator()(const Setting& setting, Chooser& chooser,
                                 Observer* observer) const {
  Convergence convergence{
      .rule = setting.rule, .chooser = &chooser, .observer = observer, .max_trips = how_.max_steps};
  Dispatch how = how_;
  if (setting.max_steps != 0) how.max_steps = convergence.max_trips = setting.max_steps;
  if (needs_tangles(setting, observer)) how.convergence = &convergence;
  how.mapping = setting.mapping;
  // A captured mapping is that of its size.
  if (setting.mapping != Mapping() || setting.subgroup_size != first_size_) how.lanes = {};
  how.order = setting.order;
  Result result;
  ShaderRun run = run_(pipelines_.at(setting.subgroup_size), how, result.buffers);
  result.steps = run.steps;
  result.findings = std::move(run.findings);
  return result;
}

Rule declared_rule(const ShaderInterface& interface) {
  return interface.maximally_reconverges           ? Rule::maximal
         : interface.subgroup_uniform_control_flow ? Rule::subgroup_uniform
                                                   : Rule::core;
}

FullSubgroups::FullSubgroups(const Module& module, const Size3& local_size, bool is_required)
    : x(static_cast<int>(local_size.x)), required(is_required) {
  const std::uint32_t version = module.words()[1];
  promised = required || version >= 0x10600;
  text = required ? "full subgroups are required"
         : promised
             ? fmt::format("SPIR-V 1.6 promises full subgroups where their size divides {}", x)
             : fmt::format("SPIR-V {}.{} does not promise full subgroups", version >> 16,
                           version >> 8 & 0xff);
}

}  // namespace lockstep::explore
