#include "shader/lower/lowered_shader.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <lockstep/dispatch/error.hpp>

#include "shader/instruments/analyse.hpp"
#include "shader/ir/built_ins.hpp"
#include "shader/ir/written_resources.hpp"
#include "shader/lower/needs.hpp"

namespace lockstep::spirv {
namespace {

std::vector<std::string_view> built_ins_of(const Ir& ir) {
  std::set<std::string_view> names;
  for (const Op& op : ir.ops) {
    if (is_subgroup(op.code) && op.written_as == nullptr)
      names.insert(spec::function(name_of(op)).name);
  }
  return {names.begin(), names.end()};
}

std::vector<ShaderInterface::Sampler> samplers_of(const Ir& ir) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, ShaderInterface::Sampler> samplers;
  for (const Op& op : ir.ops) {
    if (op.code != Code::image_sample) continue;
    const auto& sample = op.as<Sampling>();
    if (sample.sampler == no_resource) continue;
    const ResourceUse& use = ir.resources[sample.sampler];
    ShaderInterface::Sampler& made = samplers[{use.set, use.binding}];
    made.set = use.set;
    made.binding = use.binding;
    if (sample.compares) made.compares = true;
    const bool numbers =
        !sample.gathers && ir.resources[sample.image.resource].texel != Scalar::f32;
    if (numbers) made.filters = false;
  }
  std::vector<ShaderInterface::Sampler> list;
  for (const auto& [place, sampler] : samplers) list.push_back(sampler);
  return list;
}

ShaderInterface interface_of(const DecodedModule& decoded, const Ir& ir) {
  ShaderInterface interface;
  interface.local_size = {ir.local_size[0], ir.local_size[1], ir.local_size[2]};
  interface.maximally_reconverges = decoded.maximally_reconverges;
  interface.subgroup_uniform_control_flow = decoded.subgroup_uniform_control_flow;
  interface.needs = needs_of(decoded.module, ir);
  interface.built_ins = built_ins_of(ir);
  if (decoded.maximally_reconverges)
    interface.needs = interface.needs | Feature::shader_maximal_reconvergence;
  if (decoded.subgroup_uniform_control_flow)
    interface.needs = interface.needs | Feature::shader_subgroup_uniform_control_flow;
  for (const ResourceUse& use : ir.resources) {
    // At most 64 MiB each, and fewer than this many.
    interface.shared_memory_bytes += static_cast<std::uint32_t>(use.bytes);
    if (use.kind == ResourceUse::Kind::push_constants) interface.uses_push_constants = true;
    if (use.kind != ResourceUse::Kind::buffer) continue;
    if (use.element > 0)
      interface.buffers.back().elements = use.element + 1;
    else
      interface.buffers.push_back({.set = use.set,
                                   .binding = use.binding,
                                   .at_most = use.optional,
                                   .writable = use.writable,
                                   .name = use.name});
  }
  interface.samplers = samplers_of(ir);
  std::sort(interface.buffers.begin(), interface.buffers.end(), [](const auto& a, const auto& b) {
    return std::pair(a.set, a.binding) < std::pair(b.set, b.binding);
  });
  return interface;
}

std::vector<ResourceAccess> accesses_of(const Ir& ir) {
  std::vector<ResourceAccess> accesses(ir.resources.size());
  for (std::size_t k = 0; k < accesses.size(); ++k) accesses[k].used = ir.resources[k].by_address;
  // Any element of an array, if the index is not constant.
  const auto use = [&](std::size_t first, std::uint64_t choices) {
    for (std::uint64_t k = 0; k < std::max<std::uint64_t>(choices, 1); ++k)
      accesses[first + k].used = true;
  };
  for (const Op& op : ir.ops) {
    switch (op.code) {
      case Code::store:
      case Code::atomic:
        accesses[place_of(op).resource] = {.used = true, .written = true};
        break;
      case Code::load:
        use(place_of(op).resource, 1);
        break;
      case Code::array_length:
        if (op.src.empty()) use(place_of(op).resource, 1);
        break;
      case Code::image_texel:
      case Code::image_size:
        use(op.as<ImageOp>().resource, op.as<ImageOp>().choices);
        break;
      case Code::image_sample: {
        const auto& sample = op.as<Sampling>();
        use(sample.image.resource, sample.image.choices);
        use(sample.sampler, sample.sampler_choices);
        break;
      }
      default:
        break;
    }
  }
  return accesses;
}

std::vector<SamplerUse> sampler_uses_of(const Ir& ir) {
  std::vector<SamplerUse> uses;
  for (const Op& op : ir.ops) {
    if (op.code != Code::image_sample) continue;
    const auto& sample = op.as<Sampling>();
    uses.push_back({.image = sample.image.resource,
                    .sampler = sample.sampler,
                    .samplers = std::max(sample.sampler_choices, 1u),
                    .compares = sample.compares,
                    .gathers = sample.gathers,
                    .where = op.where});
  }
  return uses;
}

}  // namespace

LoweredShader::LoweredShader(std::shared_ptr<const DecodedModule> decoded, const LowerOptions& how)
    : module(std::move(decoded)),
      options(how),
      ir(lower(module->module, options)),
      interface(interface_of(*module, ir)),
      accesses(accesses_of(ir)),
      written(written_resources(ir)),
      sampler_uses(sampler_uses_of(ir)),
      push_bytes(push_bytes_of(ir)) {}

std::shared_ptr<const LoweredShader> at_subgroup_size(std::shared_ptr<const LoweredShader> shader,
                                                      int size) {
  const std::uint32_t elements = shader->ir.matrix_elements;
  if (elements == 0) return shader;
  if (elements < static_cast<std::uint32_t>(size))
    throw Error(
        fmt::format("{}: a cooperative matrix has {} elements, fewer than the {} lanes of a "
                    "subgroup: choose a subgroup size of {} or less",
                    shader->module->module.file(), elements, size, elements));
  if (shader->options.subgroup_size == size) return shader;
  LowerOptions options = shader->options;
  options.subgroup_size = size;
  return std::make_shared<const LoweredShader>(shader->module, options);
}

void LoweredShader::check(const Profile& profile, int subgroup_size, Size3 workgroups) const {
  lockstep::check(profile, {.kernel = module->module.file(),
                            .features = interface.needs,
                            .subgroup_size = subgroup_size,
                            .local_size = interface.local_size,
                            .workgroups = workgroups});
  if (interface.shared_memory_bytes > profile.max_compute_shared_memory_size)
    fail::shared_memory(profile.max_compute_shared_memory_size);
}

}  // namespace lockstep::spirv
