#include "cli/capture/script.hpp"

#include <bit>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include <lockstep/lanes/float16.hpp>
#include <lockstep/spirv/reflection.hpp>

#include "amber/runner.hpp"
#include "cli/amber_files.hpp"
#include "cli/command.hpp"
#include "io/files.hpp"
#include "io/spec_constants.hpp"
#include "io/types.hpp"

namespace lockstep::cli {
namespace {

using Kind = job::Binding::Kind;

Kind kind_of(amber::Binding::Kind kind) {
  switch (kind) {
    case amber::Binding::Kind::storage:
      return Kind::storage_buffer;
    case amber::Binding::Kind::uniform:
      return Kind::uniform_buffer;
    case amber::Binding::Kind::storage_texel_buffer:
      return Kind::storage_texel_buffer;
    case amber::Binding::Kind::uniform_texel_buffer:
      return Kind::uniform_texel_buffer;
    case amber::Binding::Kind::storage_image:
      return Kind::storage_image;
    case amber::Binding::Kind::sampled_image:
      return Kind::sampled_image;
    case amber::Binding::Kind::combined_image_sampler:
      return Kind::combined_image_sampler;
    case amber::Binding::Kind::sampler:
      break;
  }
  return Kind::sampler;
}

/// The number as the constant's type has it.
job::Constant constant_of(const DeclaredConstant& declared, double value) {
  const std::uint32_t bytes = declared.type == NumberType::boolean ? 4 : size_of(declared.type);
  switch (declared.type) {
    case NumberType::boolean:
      return {declared.id, value != 0 ? 1u : 0u, bytes};
    case NumberType::float16:
      return {declared.id, std::bit_cast<std::uint16_t>(float16_t(static_cast<float>(value))),
              bytes};
    case NumberType::float32:
      return {declared.id, std::bit_cast<std::uint32_t>(static_cast<float>(value)), bytes};
    case NumberType::float64:
      return {declared.id, std::bit_cast<std::uint64_t>(value), bytes};
    default:
      return {declared.id, SpecConstant(value).integer(), bytes};
  }
}

job::Binding binding_of(const amber::ScriptRun::Resource& resource, const Reflection& reflection) {
  job::Binding made;
  made.kind = kind_of(resource.kind);
  made.set = resource.set;
  made.binding = resource.binding;
  made.element = resource.element;
  made.input.assign(resource.bytes.begin(), resource.bytes.end());
  if (resource.format) {
    made.image.emplace();
    made.image->format = *resource.format;
    made.image->levels = resource.levels;
  }
  for (const Reflection::Binding& declared : reflection.bindings) {
    if (declared.set != made.set || declared.binding != made.binding) continue;
    made.name = declared.name;
    made.writable = made.writable || declared.writable;
    const auto numbers = numbers_of(declared.block);
    if (numbers.size() == 1) made.type = lockstep::io::dtype_of(numbers.front());
  }
  return made;
}

job::Job job_of(const amber::ScriptRun& run, const std::string& file) {
  job::Job made;
  made.source = file;
  made.words.assign(run.module.words().begin(), run.module.words().end());
  made.entry = run.entry;
  for (const DeclaredConstant& declared : constants_of(run.module)) {
    for (const auto& [id, value] : run.spec) {
      if (id == declared.id) made.constants.push_back(constant_of(declared, value));
    }
  }
  made.push_constants.assign(run.push_constants.begin(), run.push_constants.end());
  made.groups = run.groups;
  if (run.required_size != 0) {
    made.subgroup_size = static_cast<int>(run.required_size);
    made.required_size = true;
  }
  const Reflection reflection = reflect(run.module, run.entry, made.specialization());
  for (const amber::ScriptRun::Resource& resource : run.resources)
    made.bindings.push_back(binding_of(resource, reflection));
  return made;
}

}  // namespace

std::vector<job::Job> jobs_of_script(const std::string& file) {
  std::vector<job::Job> jobs;
  amber::RunSettings settings;
  settings.limits = CompileLimits{};
  settings.before_run = [&](const amber::ScriptRun& run) { jobs.push_back(job_of(run, file)); };
  const amber::Outcome outcome =
      amber::run_text(file, lockstep::io::read_text(file), settings, files_beside(file));
  if (outcome.verdict == amber::Verdict::error || outcome.verdict == amber::Verdict::skipped)
    throw UsageError(outcome.message);
  if (jobs.empty()) throw UsageError(fmt::format("{}: dispatches nothing", file));
  const std::string stem = std::filesystem::path(file).stem().string();
  for (std::size_t k = 0; k < jobs.size(); ++k)
    jobs[k].name = jobs.size() == 1 ? stem : fmt::format("{}.{}", stem, k + 1);
  return jobs;
}

}  // namespace lockstep::cli
