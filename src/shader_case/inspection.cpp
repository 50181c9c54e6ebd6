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
#include "shader_case/proposal.hpp"
#include "shader_case/usage_error.hpp"

namespace lockstep::shader_case {
namespace {

using Json = nlohmann::ordered_json;
using Binding = Reflection::Binding;

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
  result.makes_addresses = makes_addresses(module.words());
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
  return "lockstep run " + as_command(arguments_of(options, shader, shader.proposal));
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
  if (shader.needed) json["command"] = command_of(options, shader);
  json["arguments"] = arguments_of(options, shader, shader.proposal);
  return json;
}

}  // namespace lockstep::shader_case
