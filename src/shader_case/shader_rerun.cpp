#include "shader_case/shader_rerun.hpp"

#include <algorithm>
#include <utility>

#include "explore/shader_subject.hpp"

namespace lockstep::shader_case {

ShaderRerun::ShaderRerun(const ShaderCase& shader, const Pipeline& pipeline,
                         const RunOptions& options, std::vector<BoundBuffer> initial)
    : shader_(shader), pipeline_(pipeline), options_(options), initial_(std::move(initial)) {
  for (const BoundBuffer& buffer : initial_)
    parts_.push_back({buffer.array.dtype, buffer.columns, buffer.array.bytes.size()});
}

Rule ShaderRerun::rule() const {
  for (const Rule rule : {Rule::maximal, Rule::subgroup_uniform, Rule::core}) {
    if (to_string(rule) == options_.convergence) return rule;
  }
  return explore::declared_rule(pipeline_.interface());
}

judgement::Contents ShaderRerun::inputs() const {
  judgement::Contents contents;
  for (const BoundBuffer& buffer : initial_) contents.push_back(buffer.array.bytes);
  return contents;
}

ShaderRun ShaderRerun::run(judgement::Contents& contents, Dispatch how, int subgroup_size) const {
  const bool other_size = subgroup_size != 0 && subgroup_size != pipeline_.subgroup_size();
  Dispatch dispatch = dispatch_like(how, other_size);
  RunConvergence given(options_);
  Convergence both;
  if (how.convergence == nullptr) {
    dispatch.convergence = given.get();
  } else if (is_fixed()) {
    both = *given.get();
    both.observer = how.convergence->observer;
    both.observers = how.convergence->observers;
    both.max_trips = how.convergence->max_trips;
    dispatch.convergence = &both;
  }
  std::vector<BoundBuffer> buffers = initial_;
  for (std::size_t k = 0; k < buffers.size(); ++k) buffers[k].array.bytes.swap(contents[k]);
  const auto give_back = [&] {
    for (std::size_t k = 0; k < buffers.size(); ++k) buffers[k].array.bytes.swap(contents[k]);
  };
  try {
    ShaderRun done = shader_case::run(
        shader_, other_size ? pipeline_.at_subgroup_size(subgroup_size) : pipeline_, buffers,
        dispatch);
    give_back();
    return done;
  } catch (...) {
    give_back();
    throw;
  }
}

/// What the command line says, where those who judge ask for nothing else.
Dispatch ShaderRerun::dispatch_like(const Dispatch& how, bool other_size) const {
  Dispatch dispatch = dispatch_of(shader_, options_);
  dispatch.convergence = how.convergence;
  dispatch.deterministic = how.deterministic;
  dispatch.threads = how.threads;
  dispatch.checks = how.checks;
  dispatch.max_steps = std::min(dispatch.max_steps, how.max_steps);
  dispatch.float_order = how.float_order;
  dispatch.only_float_order = how.only_float_order;
  dispatch.bounds = how.bounds;
  const bool other_mapping = how.mapping != Mapping();
  if (other_mapping) dispatch.mapping = how.mapping;
  if (other_mapping || other_size || !has_own_lanes_) dispatch.lanes = {};
  if (how.order != WorkgroupOrder()) dispatch.order = how.order;
  return dispatch;
}

/// The texels of a level are those of its image.
const std::byte* ShaderRerun::address(const judgement::Contents& contents, std::size_t part) const {
  const BoundBuffer& buffer = initial_[part];
  if (!buffer.level) return contents[part].data();
  const BoundBuffer& whole = initial_[buffer.level->of];
  return contents[buffer.level->of].data() +
         whole.image->levels.before(buffer.level->level) * texel_bytes(whole.image->format);
}

std::unique_ptr<judgement::Rerun> ShaderRerun::at_subgroup_size(int size) const {
  auto other =
      std::make_unique<ShaderRerun>(shader_, pipeline_.at_subgroup_size(size), options_, initial_);
  other->has_own_lanes_ = false;
  return other;
}

}  // namespace lockstep::shader_case
