#include "cli/job_options.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "io/types.hpp"
#include "runtime/trace/open_source.hpp"
#include "shader/front/source_texts.hpp"

namespace lockstep::cli {
namespace {

using Kind = job::Binding::Kind;

std::string numbers_of(const job::Binding& binding) {
  return fmt::format("{}:{}[{}]", binding.set, binding.binding, binding.element);
}

/// The contents as --buffer and the last part of --image take them.
std::string contents_of(const job::Binding& binding, const std::string& folder) {
  const std::string stem =
      fmt::format("{}/{}_{}{}.input.npy", folder, binding.set, binding.binding,
                  binding.element == 0 ? "" : fmt::format("_{}", binding.element));
  const bool is_zero =
      std::ranges::all_of(binding.input, [](std::byte b) { return b == std::byte{0}; });
  return is_zero ? fmt::format("zeros:u8:{}", binding.input.size()) : stem;
}

std::string image_of(const job::Binding& binding, const std::string& folder) {
  const auto& [levels, samples] = std::pair{binding.image->levels, binding.image->samples};
  const Size3& size = levels.size;
  std::string text =
      fmt::format("{}:{}x{}x{}", to_string(binding.image->format), size.x, size.y, size.z);
  if (levels.count > 1) text += fmt::format(",levels={}", levels.count);
  if (samples > 1) text += fmt::format(",samples={}", samples);
  const std::string contents = contents_of(binding, folder);
  return fmt::format("{}:{}", text, contents.starts_with("zeros:") ? "zeros" : contents);
}

void refuse_inputs(const RunOptions& options) {
  const std::pair<bool, const char*> given[] = {
      {!options.groups.empty(), "--groups"},     {!options.invocations.empty(), "--invocations"},
      {!options.buffers.empty(), "--buffer"},    {!options.images.empty(), "--image"},
      {!options.push.empty(), "--push"},         {!options.specs.empty(), "--spec"},
      {!options.defines.empty(), "-D"},          {!options.samplers.empty(), "--sampler"},
      {!options.addresses.empty(), "--address"}, {options.entry.has_value(), "--entry"},
  };
  for (const auto& [is_given, name] : given) {
    if (is_given)
      throw UsageError(
          fmt::format("{} is for shaders, not for jobs, which set it themselves; remove it", name));
  }
}

}  // namespace

RunOptions with_job(const RunOptions& options) {
  if (options.files.size() != 1 || !job::is_job(options.files.front())) return options;
  refuse_inputs(options);
  const std::string& folder = options.files.front();
  const job::Job read = job::read(folder);
  // What the shader was compiled of, which may not be on this machine, or be another version.
  trace::set_source_texts(spirv::source_texts(read.words));
  RunOptions made = options;
  made.files = {folder + "/shader.spv"};
  made.groups = fmt::format("{},{},{}", read.groups.x, read.groups.y, read.groups.z);
  made.entry = read.entry;
  made.bits = true;
  made.constants = read.specialization();
  if (!read.push_constants.empty()) made.push = folder + "/push_constants.npy";
  for (const job::Binding& binding : read.bindings) {
    if (!binding.sampler.empty())
      made.samplers.push_back(fmt::format("{}={}", numbers_of(binding), binding.sampler));
    if (binding.image)
      made.images.push_back(fmt::format("{}={}", numbers_of(binding), image_of(binding, folder)));
    else if (binding.kind != Kind::sampler)
      made.buffers.push_back(
          fmt::format("{}={}", numbers_of(binding), contents_of(binding, folder)));
  }
  if (options.subgroup_size || !options.subgroup_sizes.empty() || !options.device.empty())
    return made;
  made.subgroup_size = read.subgroup_size;
  if (options.mapping.empty() && options.partial.empty()) made.lanes = read.lanes;
  return made;
}

namespace {

/// The binding of a sampler: that of its image, or one of its own.
job::Binding& sampler_of(job::Job& job, const BoundSampler& sampler) {
  for (job::Binding& binding : job.bindings) {
    if (binding.set == sampler.slot.set && binding.binding == sampler.slot.binding &&
        binding.element == sampler.element)
      return binding;
  }
  job::Binding& own = job.bindings.emplace_back();
  own.set = sampler.slot.set;
  own.binding = sampler.slot.binding;
  own.element = sampler.element;
  own.kind = Kind::sampler;
  return own;
}

}  // namespace

job::Job to_job(const ShaderCase& shader, const std::string& name, const std::string& command) {
  job::Job made;
  made.name = name;
  made.source = shader.module.name();
  made.command = command;
  made.words.assign(shader.module.words().begin(), shader.module.words().end());
  made.entry = shader.pipeline_options.entry;
  for (const auto& [id, value] : shader.pipeline_options.specialization)
    made.constants.push_back({id, value.integer(), value.bytes() == 0 ? 4 : value.bytes()});
  made.push_constants = shader.push;
  made.groups = shader.groups;
  made.subgroup_size = shader.pipeline_options.subgroup_size;
  if (!shader.addresses.empty())
    throw UsageError(
        "jobs have no device addresses; let the shader reach its memory through bindings");
  for (const BoundBuffer& buffer : shader.buffers) {
    if (!buffer.slot.memory.empty() || buffer.level)
      throw UsageError(
          fmt::format("{}: jobs have no memory without a binding; give it one", buffer.title()));
    job::Binding& binding = made.bindings.emplace_back();
    binding.set = buffer.slot.set;
    binding.binding = buffer.slot.binding;
    binding.element = buffer.element;
    binding.name = buffer.name;
    binding.writable = buffer.writable;
    binding.type = buffer.columns.empty() ? buffer.array.dtype : npy::Dtype::uint8;
    binding.input = buffer.array.bytes;
    binding.image = buffer.image;
    for (const Reflection::Binding& declared : shader.reflection.bindings) {
      if (declared.set == binding.set && declared.binding == binding.binding)
        binding.kind = declared.kind;
    }
  }
  for (const BoundSampler& sampler : shader.samplers)
    sampler_of(made, sampler).sampler = sampler.words;
  return made;
}

}  // namespace lockstep::cli
