#include "capture/job/replay.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <lockstep/exec/error.hpp>

namespace lockstep::job {
namespace {

Module module_of(const Job& job) {
  ModuleOptions options;
  options.entry = job.entry;
  // Devices may be newer than the validator; what the engine does not know it names itself.
  options.validate = false;
  return Module::from_words(job.words, options, job.source);
}

PipelineOptions options_of(const Job& job) {
  PipelineOptions options;
  options.entry = job.entry;
  options.specialization = job.specialization();
  options.subgroup_size = job.subgroup_size;
  constexpr std::uint32_t usual = 1024;
  for (const Binding& binding : job.bindings) {
    if (binding.element < usual) continue;
    std::uint32_t& count = options.unsized_arrays[{binding.set, binding.binding}];
    count = std::max(count, binding.element + 1);
  }
  return options;
}

void bind_to(DescriptorTable& table, const Binding& binding, std::span<std::byte> bytes) {
  DescriptorSet& set = table.set(binding.set);
  if (!binding.sampler.empty())
    set.bind_sampler(binding.binding, io::parse_sampler(binding.sampler), binding.element);
  if (binding.kind == Binding::Kind::sampler) return;
  if (!binding.image) {
    set.bind_bytes(binding.binding, bytes, binding.element);
    return;
  }
  Descriptor descriptor{.kind = Descriptor::Kind::texels,
                        .bytes = bytes,
                        .format = binding.image->format,
                        .extent = binding.image->size(),
                        .levels = binding.image->levels.count,
                        .samples = binding.image->samples};
  if (const Descriptor* before = set.find(binding.binding, binding.element))
    descriptor.sampler = before->sampler;
  set.write(binding.binding, binding.element, descriptor);
}

}  // namespace

Replay::Replay(Job job) : Replay(job, module_of(job)) {}

Replay::Replay(Job job, Module module)
    : job_(std::move(job)), module_(std::move(module)), pipeline_(module_, options_of(job_)) {
  const Reflection reflection = reflect(module_, job_.entry, job_.specialization());
  columns_.resize(job_.bindings.size());
  for (std::size_t k = 0; k < job_.bindings.size(); ++k) {
    const Binding& binding = job_.bindings[k];
    for (const Reflection::Binding& declared : reflection.bindings) {
      if (declared.set == binding.set && declared.binding == binding.binding &&
          numbers_of(declared.block).size() > 1)
        columns_[k] = io::columns_of(declared.block, binding.input.size());
    }
  }
}

Contents Replay::inputs() const {
  Contents contents;
  for (const Binding& binding : job_.bindings) contents.push_back(binding.input);
  return contents;
}

ShaderRun Replay::run(Contents& contents, Dispatch how, int subgroup_size) const {
  if (subgroup_size == 0 || subgroup_size == job_.subgroup_size)
    return run_on(pipeline_, contents, std::move(how));
  return run_on(pipeline_.at_subgroup_size(subgroup_size), contents, std::move(how));
}

ShaderRun Replay::run_on(const Pipeline& pipeline, Contents& contents, Dispatch how) const {
  DescriptorTable table;
  for (std::size_t k = 0; k < job_.bindings.size(); ++k)
    bind_to(table, job_.bindings[k], contents[k]);
  how.workgroups = job_.groups;
  how.push_constants = job_.push_constants;
  how.partially_bound = true;
  if (pipeline.subgroup_size() == job_.subgroup_size && how.mapping == Mapping())
    how.lanes = job_.lanes;
  return pipeline.dispatch(table, how);
}

}  // namespace lockstep::job
