#include "shader_case/inspection.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <lockstep/dispatch/profile.hpp>
#include <lockstep/spirv/pipeline.hpp>

#include "io/arguments.hpp"
#include "io/layouts.hpp"
#include "io/spec_constants.hpp"
#include "io/types.hpp"
#include "shader_case/capabilities.hpp"
#include "shader_case/command_line.hpp"
#include "shader_case/usage_error.hpp"

namespace lockstep::shader_case {
namespace {

using Json = nlohmann::ordered_json;
using Binding = Reflection::Binding;

// ---- A command that runs it ----

/// Zeros for a block: numbers of its type if it has one, enough for 1024 elements of an array without a size.
std::string zeros_for(const LayoutType& block) {
  const std::uint64_t bytes = lockstep::io::bytes_with(block, 1024);
  const std::vector<NumberType> numbers = numbers_of(block);
  const NumberType number = numbers.size() == 1 ? numbers[0] : NumberType::uint8;
  const std::uint64_t size = size_of(number);
  return fmt::format("zeros:{}:{}", lockstep::io::name_of(lockstep::io::dtype_of(number)),
                     std::max<std::uint64_t>((bytes + size - 1) / size, 1));
}

/// Zeros for an image of the binding's kind.
std::string image_for(const Binding& binding) {
  const std::string_view type = binding.type;
  std::string format = binding.format;
  if (format.empty())
    format = type.starts_with("u")                                 ? "rgba32ui"
             : type.starts_with("i") && !type.starts_with("image") ? "rgba32i"
                                                                   : "rgba8";
  const char* size = "64x64";
  if (type.find("Buffer") != std::string_view::npos)
    size = "1024";
  else if (type.find("Cube") != std::string_view::npos)
    size = "16x16x6";
  else if (type.find("1D") != std::string_view::npos)
    size = "64";
  else if (type.find("3D") != std::string_view::npos)
    size = "16x16x16";
  else if (type.find("MSArray") != std::string_view::npos)
    size = "64x64x8,samples=4";
  else if (type.find("Array") != std::string_view::npos ||
           type.find("MS") != std::string_view::npos)
    size = "64x64x4";  // layers, or samples
  return fmt::format("{}:{}:zeros", format, size);
}

/// What follows `lockstep run` in a command that runs the shader.
std::vector<std::string> arguments_of(const RunOptions& options, const Inspection& shader) {
  std::vector<std::string> words{options.files.front(), "--groups", "1"};
  const auto add = [&](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  };
  for (const std::string& define : options.defines) add("-D", define);
  for (const std::string& directory : options.include_dirs) add("-I", directory);
  for (const std::string& spec : options.specs) add("--spec", spec);
  if (options.entry) add("--entry", *options.entry);
  if (!options.target_env.empty()) add("--target-env", options.target_env);
  if (!options.shift.empty()) add("--shift", options.shift);
  if (!options.compiler.empty()) add("--compiler", options.compiler);
  if (options.no_validate) words.emplace_back("--no-validate");
  if (options.robust) words.emplace_back("--robust");
  std::vector<std::string> given;
  for (const Binding& binding : shader.declared.bindings) {
    // Declarations may share a binding.
    if (!binding.used || std::ranges::find(given, slot_of(binding)) != given.end()) continue;
    given.push_back(slot_of(binding));
    const std::string times = binding.elements == 1 ? "" : binding.elements == 0 ? "*1" : "*";
    const std::string& hlsl = binding.hlsl_register;
    const std::string slot = (hlsl.empty()       ? slot_of(binding)
                              : binding.set == 0 ? hlsl
                                                 : fmt::format("{}:{}", binding.set, hlsl)) +
                             "=";
    const bool combined = binding.kind == Binding::Kind::combined_image_sampler;
    const bool sampler = binding.kind == Binding::Kind::sampler;
    if (is_buffer(binding))
      add("--buffer", slot + zeros_for(binding.block) + times);
    else if (!sampler)
      add("--image", slot + image_for(binding) + times);
    if (sampler || combined) add("--sampler", slot + "linear,repeat" + times);
  }
  if (shader.declared.push_constants) add("--push", zeros_for(*shader.declared.push_constants));
  return words;
}

// ---- JSON ----

Json json_of(const Binding& binding) {
  Json json{{"kind", name_of(binding.kind)}, {"set", binding.set},
            {"binding", binding.binding},    {"name", binding.name},
            {"elements", binding.elements},  {"writable", binding.writable},
            {"type", binding.type}};
  if (!binding.used) json["used"] = false;
  if (!binding.hlsl_register.empty()) json["register"] = binding.hlsl_register;
  if (!binding.format.empty()) json["format"] = binding.format;
  if (is_buffer(binding)) json["block"] = lockstep::io::to_json(binding.block);
  return json;
}

}  // namespace

Inspection inspection_of(const Module& module, const RunOptions& options) {
  PipelineOptions pipeline;
  pipeline.entry = options.entry.value_or("main");
  pipeline.specialization = lockstep::io::specialization(options.specs, constants_of(module));
  Inspection result;
  result.entry_points = module.entry_points();
  result.other_features = other_features(module.words());
  result.declared =
      with_usage_errors([&] { return reflect(module, pipeline.entry, pipeline.specialization); });
  try {
    result.needed = Pipeline(module, pipeline).interface();
  } catch (const Error& error) {
    result.unsupported = first_line(error.what());
  }
  return result;
}

bool is_buffer(const Binding& binding) {
  return binding.kind == Binding::Kind::uniform_buffer ||
         binding.kind == Binding::Kind::storage_buffer;
}

std::string_view name_of(Binding::Kind kind) {
  switch (kind) {
    case Binding::Kind::uniform_buffer:
      return "uniform buffer";
    case Binding::Kind::storage_buffer:
      return "buffer";
    case Binding::Kind::storage_image:
      return "storage image";
    case Binding::Kind::sampled_image:
      return "sampled image";
    case Binding::Kind::combined_image_sampler:
      return "image with sampler";
    case Binding::Kind::sampler:
      return "sampler";
    case Binding::Kind::uniform_texel_buffer:
      return "uniform texel buffer";
    case Binding::Kind::storage_texel_buffer:
      return "storage texel buffer";
  }
  return "";
}

std::string slot_of(const Binding& binding) {
  return to_string(lockstep::io::Slot{binding.set, binding.binding});
}

std::string default_of(const DeclaredConstant& constant) {
  if (constant.type == NumberType::boolean) return constant.bits != 0 ? "true" : "false";
  std::byte bytes[sizeof constant.bits];
  std::memcpy(bytes, &constant.bits, sizeof bytes);
  return lockstep::io::to_text(lockstep::io::dtype_of(constant.type), bytes);
}

std::vector<std::string> names_of(Features features) {
  std::vector<std::string> names;
  for (int k = 0; k < feature_count; ++k) {
    const auto feature = static_cast<Feature>(k);
    if (features.contain(feature)) names.emplace_back(to_string(feature));
  }
  return names;
}

std::vector<std::string> profiles_of(const ShaderInterface& needed) {
  std::vector<std::string> names;
  for (const Profile* profile : profile::all()) {
    if (needed.shared_memory_bytes > profile->max_compute_shared_memory_size) continue;
    try {
      check(*profile, {.kernel = "",
                       .features = needed.needs,
                       .subgroup_size = profile->subgroup_size,
                       .local_size = needed.local_size,
                       .workgroups = {1, 1, 1}});
      names.emplace_back(profile->name);
    } catch (const Error&) {
      continue;
    }
  }
  return names;
}

std::string command_of(const RunOptions& options, const Inspection& shader) {
  return "lockstep run " + as_command(arguments_of(options, shader));
}

Json to_json(const RunOptions& options, const Inspection& shader) {
  const Reflection& declared = shader.declared;
  Json json{{"file", options.files.front()},
            {"entry", declared.entry},
            {"entry_points", shader.entry_points},
            {"local_size", {declared.local_size.x, declared.local_size.y, declared.local_size.z}},
            {"bindings", Json::array()},
            {"push_constants", nullptr},
            {"constants", Json::array()}};
  for (const Binding& binding : declared.bindings) json["bindings"].push_back(json_of(binding));
  if (declared.push_constants)
    json["push_constants"] = lockstep::io::to_json(*declared.push_constants);
  for (const DeclaredConstant& constant : declared.constants)
    json["constants"].push_back({{"id", constant.id},
                                 {"name", constant.name},
                                 {"type", glsl_name(constant.type)},
                                 {"default", default_of(constant)}});
  if (shader.needed) {
    json["shared_memory_bytes"] = shader.needed->shared_memory_bytes;
    json["built_ins"] = shader.needed->built_ins;
    json["features"] = names_of(shader.needed->needs);
    json["profiles"] = profiles_of(*shader.needed);
  } else {
    json["unsupported"] = shader.unsupported;
  }
  json["other_features"] = shader.other_features;
  json["command"] = command_of(options, shader);
  json["arguments"] = arguments_of(options, shader);
  return json;
}

}  // namespace lockstep::shader_case
