#include "playground/experiment.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <lockstep/dispatch/profile.hpp>
#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/reflection.hpp>

#include "io/addresses.hpp"
#include "io/arguments.hpp"
#include "io/buffer_spec.hpp"
#include "io/choices.hpp"
#include "io/images.hpp"
#include "io/layouts.hpp"
#include "io/spec_constants.hpp"
#include "io/types.hpp"
#include "playground/inputs.hpp"
#include "playground/playground.hpp"
#include "shader_case/shader_case.hpp"

namespace lockstep::playground {
namespace {

using shader_case::names_members;

void check_chooser(const std::string& text) {
  try {
    static_cast<void>(Chooser::parse(text));
  } catch (const Error& error) {
    throw UsageError(fmt::format("--choose: {}", error.what()));
  }
}

/// The bytes of a buffer, which must come from a generator: a server reads no files.
std::uint64_t generated_bytes(const std::string& spec) {
  using Kind = lockstep::io::BufferSpec::Kind;
  const lockstep::io::BufferSpec parsed = lockstep::io::parse_buffer_spec(spec);
  if (parsed.kind == Kind::npy_file || parsed.kind == Kind::bytes_file)
    throw UsageError(
        fmt::format("{}: files cannot be read here; write zeros:TYPE:N, fill:TYPE:N:VALUE, "
                    "iota:TYPE:N or random:TYPE:N:SEED",
                    spec));
  return parsed.count * lockstep::io::bytes_of(parsed.type);
}

void check_buffers(const std::vector<std::string>& buffers) {
  std::uint64_t bytes = 0;
  for (const std::string& text : buffers) {
    const auto argument = lockstep::io::parse_slot_argument("--buffer", text);
    if (argument.member.empty()) bytes += generated_bytes(argument.rest);
    if (bytes > limits::buffer_bytes)
      throw UsageError(fmt::format("the buffers have more than {} MiB; make them smaller",
                                   limits::buffer_bytes >> 20));
  }
}

/// Images, whose texels must be generated, and samplers, whose words have no colon.
void read_images(const Json& json, RunOptions& run) {
  for (const std::string& text : field<std::vector<std::string>>(json, "images", {})) {
    const std::string rest = lockstep::io::parse_slot_argument("images", text).rest;
    const std::size_t format = rest.find(':');
    if (format == std::string::npos && !lockstep::io::is_png(rest)) {
      run.samplers.push_back(text);
      continue;
    }
    run.images.push_back(text);
    if (rest.starts_with("level:")) continue;
    const std::size_t size = rest.find(':', format + 1);
    const std::string texels = size == std::string::npos ? "" : rest.substr(size + 1);
    if (lockstep::io::is_png(rest))
      throw UsageError(fmt::format(
          "{}: files cannot be read here; write FORMAT:WxH:zeros or another generator", text));
    if (!texels.empty() && texels != "zeros" && texels != "zeros*") generated_bytes(texels);
  }
}

/// Invocations of the dispatch; what is too many to be of use is refused.
std::uint64_t invocations_of(const RunOptions& run, const Size3& local) {
  const Size3 groups = lockstep::io::parse_groups(run.groups);
  std::uint64_t count = std::uint64_t{local.x} * local.y * local.z;
  for (const std::uint32_t n : {groups.x, groups.y, groups.z}) {
    count *= n;
    if (count > limits::invocations)
      throw UsageError(fmt::format("{} workgroups are too many: at most {} invocations run here",
                                   run.groups, limits::invocations));
  }
  return count;
}

/// In each dimension; invocations_of has refused what is too many.
Size3 all_invocations(const RunOptions& run, const Size3& local) {
  const Size3 groups = lockstep::io::parse_groups(run.groups);
  return {groups.x * local.x, groups.y * local.y, groups.z * local.z};
}

}  // namespace

void read_machine(const Json& json, RunOptions& run) {
  const int size = size_field(json, "size");
  if (size != 0) run.subgroup_size = size;
  run.convergence = field(json, "rule", run.convergence);
  static_cast<void>(lockstep::io::parse_rule(run.convergence));  // throws for another name
  run.choose = field(json, "choose", run.choose);
  check_chooser(run.choose);
  run.device = field(json, "device", run.device);
  run.mapping = field(json, "mapping", run.mapping);
  run.partial = field(json, "partial", run.partial);
  run.order = field(json, "order", run.order);
  // Without a size it is the device's.
  if (size == 0 && !run.device.empty()) run.subgroup_size.reset();
}

Experiment read_experiment(const Json& message, std::initializer_list<std::string_view> others) {
  std::vector<std::string_view> known{"ask",  "source", "language", "module",   "groups",
                                      "push", "images", "buffers",  "constants"};
  known.insert(known.end(), std::begin(machine_fields), std::end(machine_fields));
  known.insert(known.end(), others);
  check_fields(message, known);
  Experiment experiment;
  experiment.source = field<std::string>(message, "source", "");
  experiment.language = field<std::string>(message, "language", "glsl");
  if (experiment.language != "glsl" && experiment.language != "hlsl" &&
      experiment.language != "wgsl")
    throw UsageError(fmt::format("the language '{}' is not compiled here; write glsl, hlsl or wgsl",
                                 experiment.language));
  experiment.words = field<std::vector<std::uint32_t>>(message, "module", {});
  RunOptions& run = experiment.run;
  run.files = {experiment.name()};
  run.subgroup_size = 8;
  run.convergence = "maximal";
  run.choose = "rejoin-all";
  run.threads = 1;
  run.max_steps = limits::loop_iterations;
  read_machine(message, run);
  run.groups = field<std::string>(message, "groups", "1");
  run.buffers = field<std::vector<std::string>>(message, "buffers", {});
  check_buffers(run.buffers);
  read_images(message, run);
  run.push = field<std::string>(message, "push", "");
  if (!run.push.empty() && !lockstep::io::is_values(run.push) && !names_members(run.push))
    generated_bytes(run.push);
  run.specs = field<std::vector<std::string>>(message, "constants", {});
  return experiment;
}

Module compile(const Experiment& experiment) {
  if (experiment.language == "wgsl") {
    if (experiment.words.empty())
      throw UsageError(
          "WGSL needs a compiler that is not here: lockstep serve takes naga or tint from PATH, "
          "and the page without a "
          "server has npm's naga-wasm if that was there when it was built");
    return Module::from_words(experiment.words, {}, experiment.name());
  }
  return experiment.language == "hlsl"
             ? Module::from_hlsl(experiment.source, {}, experiment.name())
             : Module::from_glsl(experiment.source, {}, experiment.name());
}

void complete_inputs(const Module& module, Experiment& experiment) {
  RunOptions& run = experiment.run;
  drop_foreign_constants(module, run);
  const Reflection reflection =
      reflect(module, "main", lockstep::io::specialization(run.specs, constants_of(module)));
  const std::uint64_t invocations = invocations_of(run, reflection.local_size);
  drop_foreign_inputs(reflection, run);
  const std::vector<std::string> made = default_buffers(reflection, run, invocations);
  run.buffers.insert(run.buffers.end(), made.begin(), made.end());
  check_buffers(run.buffers);
  if (reflection.push_constants && run.push.empty())
    run.push = fmt::format("zeros:u8:{}", lockstep::io::bytes_with(*reflection.push_constants, 1));
  add_default_images(reflection, run, all_invocations(run, reflection.local_size));
}

}  // namespace lockstep::playground
