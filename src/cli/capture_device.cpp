#include "cli/capture_device.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/dispatch/mapping.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/reflection.hpp>

#include "cli/command.hpp"
#include "run/images.hpp"

namespace lockstep::cli {
namespace {

using Kind = job::Binding::Kind;

/// The size that a pipeline requires: 0 if it cannot.
std::uint32_t required_size(const vulkan::Properties& device, std::optional<std::uint32_t> wanted) {
  const std::uint32_t size = wanted.value_or(device.subgroup_size);
  if (!device.required_size) {
    if (size != device.subgroup_size)
      throw UsageError(
          fmt::format("{} has no control of the subgroup size: it is {}, and {} cannot be required",
                      device.name, device.subgroup_size, size));
    return 0;
  }
  const bool is_power = (size & (size - 1)) == 0;
  if (size < device.min_subgroup_size || size > device.max_subgroup_size || !is_power)
    throw UsageError(fmt::format("{} has subgroups of {} to {} lanes, not {}", device.name,
                                 device.min_subgroup_size, device.max_subgroup_size, size));
  return size;
}

// ---- Which invocation is in which lane ----

constexpr const char* probe = R"(#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(binding = 0) writeonly buffer Seen { uint seen[]; };
void main() {
  uint first = subgroupBroadcastFirst(gl_LocalInvocationIndex);
  uint at = gl_LocalInvocationIndex * 4u;
  seen[at] = gl_SubgroupID;
  seen[at + 1u] = gl_SubgroupInvocationID;
  seen[at + 2u] = gl_SubgroupSize;
  seen[at + 3u] = first;
}
)";

/// Where an invocation was seen.
struct Place {
  std::uint32_t subgroup, lane, size, first;
};

std::vector<Place> probed(const vulkan::Device& device, Size3 local, std::uint32_t size) {
  const Module module = Module::from_glsl(probe, {}, "probe.comp");
  if (const std::string lacking = device.lacks(module.words()); !lacking.empty())
    throw UsageError(fmt::format("{} lacks {}, which it takes to find the lanes of invocations",
                                 device.properties().name, lacking));
  std::vector<Place> places(std::size_t{local.x} * local.y * local.z);
  const std::span bytes = std::as_writable_bytes(std::span(places));
  vulkan::Resource buffer = vulkan::Resource::buffer(device, bytes.size());
  vulkan::PipelineOptions options;
  options.spec = {{0, local.x, 4}, {1, local.y, 4}, {2, local.z, 4}};
  options.subgroup_size = size;
  vulkan::Pipeline pipeline(device, module.words(), {{0, 0}}, options);
  const std::array<const vulkan::Resource*, 1> resources{&buffer};
  pipeline.run({1, 1, 1}, resources);
  buffer.download(bytes);
  return places;
}

/// The mapping by subgroup and lane. Subgroups are told apart by their first invocation, and have the order of their
/// numbers where these are all different.
void take_lanes(job::Job& job, const std::vector<Place>& places, const std::string& device) {
  const std::uint32_t size = places.front().size;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> subgroups;  // to their rank
  for (const Place& place : places) {
    if (place.size != size || place.lane >= size || size < 1 || size > 128)
      throw Error(fmt::format("{}: invocations see subgroups of {} and {} lanes", device, size,
                              place.size));
    subgroups.emplace(std::pair(place.subgroup, place.first), 0);
  }
  std::uint32_t rank = 0;
  for (auto& [key, number] : subgroups) number = rank++;
  std::vector<std::uint32_t> lanes(std::size_t{rank} * size, no_invocation);
  bool linear = true;
  for (std::uint32_t k = 0; k < places.size(); ++k) {
    const Place& place = places[k];
    const std::size_t at =
        std::size_t{subgroups.at({place.subgroup, place.first})} * size + place.lane;
    if (lanes[at] != no_invocation)
      throw Error(
          fmt::format("{}: two invocations, {} and {}, see the same lane", device, lanes[at], k));
    lanes[at] = k;
    linear = linear && at == k;
  }
  job.subgroup_size = static_cast<int>(size);
  job.lanes = linear ? std::vector<std::uint32_t>() : lanes;
}

// ---- The dispatch ----

ImageKind kind_of(const std::string& type) {
  const auto has = [&](std::string_view part) { return type.find(part) != type.npos; };
  if (has("3D")) return ImageKind::three_d;
  if (has("2DArray")) return ImageKind::two_d_array;
  if (has("2D") && !has("MS") && !has("Rect")) return ImageKind::two_d;
  throw UsageError(
      fmt::format("images of type {} are not captured: use image2D, image2DArray or "
                  "image3D",
                  type));
}

std::string described(const job::Binding& binding) {
  return fmt::format("binding {}:{} ({})", binding.set, binding.binding, binding.name);
}

bool is_sampled(Kind kind) {
  return kind == Kind::sampled_image || kind == Kind::combined_image_sampler;
}

/// None for a sampler alone.
std::optional<vulkan::Resource> resource_of(const vulkan::Device& device,
                                            const job::Binding& binding,
                                            const Reflection& reflection) {
  if (binding.element != 0)
    throw UsageError(fmt::format("{}: arrays of buffers are not captured", described(binding)));
  if (binding.kind == Kind::sampler) return {};
  if (binding.kind == Kind::storage_buffer || binding.kind == Kind::uniform_buffer)
    return vulkan::Resource::buffer(device, std::max<std::size_t>(binding.input.size(), 4));
  const bool is_image = binding.kind == Kind::storage_image || is_sampled(binding.kind);
  if (!is_image || !binding.image || binding.image->levels.count != 1 ||
      binding.image->samples != 1)
    throw UsageError(
        fmt::format("{} is a {}: storage buffers, uniform buffers, samplers, and images of one "
                    "level are captured",
                    described(binding), job::name_of(binding.kind)));
  for (const Reflection::Binding& declared : reflection.bindings) {
    if (declared.set == binding.set && declared.binding == binding.binding)
      return vulkan::Resource::image(device, binding.image->format, kind_of(declared.type),
                                     binding.image->size(), is_sampled(binding.kind));
  }
  throw UsageError(fmt::format("{} is not in the shader", described(binding)));
}

vulkan::Slot device_slot(const job::Binding& binding) {
  vulkan::Slot slot{.set = binding.set,
                    .binding = binding.binding,
                    .is_image = binding.kind == Kind::storage_image,
                    .is_uniform = binding.kind == Kind::uniform_buffer,
                    .is_sampled = is_sampled(binding.kind)};
  if (binding.kind != Kind::sampler && binding.kind != Kind::combined_image_sampler) return slot;
  slot.sampler = run::parse_sampler(binding.sampler);
  const Sampler& sampler = *slot.sampler;
  if (sampler.compares)
    throw UsageError(fmt::format("{}: samplers that compare are not captured", described(binding)));
  for (const AddressMode mode :
       {sampler.address_mode_u, sampler.address_mode_v, sampler.address_mode_w}) {
    if (mode == AddressMode::mirror_clamp_to_edge)
      throw UsageError(fmt::format("{}: mirror_clamp_to_edge is not captured", described(binding)));
  }
  return slot;
}

}  // namespace

void run_on(const vulkan::Device& device, job::Job& job, std::optional<std::uint32_t> size) {
  const vulkan::Properties& properties = device.properties();
  const Module module = Module::from_words(job.words, {}, job.source);
  if (const std::string lacking = device.lacks(job.words); !lacking.empty())
    throw UsageError(
        fmt::format("{} lacks {}, which {} needs", properties.name, lacking, job.source));
  const Reflection reflection = reflect(module, job.entry, job.specialization());
  const std::uint32_t required = required_size(properties, size);
  take_lanes(job, probed(device, reflection.local_size, required), properties.name);
  if (required != 0 && job.subgroup_size != static_cast<int>(required))
    throw Error(fmt::format("{}: subgroups of {} were required, and there are {} lanes",
                            properties.name, required, job.subgroup_size));
  job.required_size = required != 0;

  std::vector<std::optional<vulkan::Resource>> resources;
  std::vector<vulkan::Slot> slots;
  for (const job::Binding& binding : job.bindings) {
    resources.push_back(resource_of(device, binding, reflection));
    if (resources.back() && !binding.input.empty()) resources.back()->upload(binding.input);
    slots.push_back(device_slot(binding));
  }
  std::vector<const vulkan::Resource*> bound;
  for (const auto& resource : resources) bound.push_back(resource ? &*resource : nullptr);
  vulkan::PipelineOptions options;
  options.entry = job.entry;
  options.push_constant_bytes = static_cast<std::uint32_t>(job.push_constants.size());
  for (const job::Constant& constant : job.constants)
    options.spec.push_back({constant.id, constant.bits, constant.bytes});
  options.subgroup_size = required;
  vulkan::Pipeline pipeline(device, job.words, std::move(slots), options);
  pipeline.run(job.groups, bound, job.push_constants);
  for (std::size_t k = 0; k < job.bindings.size(); ++k) {
    job::Binding& binding = job.bindings[k];
    binding.output.clear();
    if (!binding.writable) continue;
    binding.output.resize(binding.input.size());
    resources[k]->download(binding.output);
  }
  job.device = device.describe();
}

std::string line_of(const vulkan::Properties& device, std::size_t number) {
  const std::string sizes =
      device.required_size && device.min_subgroup_size != device.max_subgroup_size
          ? fmt::format(" ({} to {} can be required)", device.min_subgroup_size,
                        device.max_subgroup_size)
          : "";
  return fmt::format("{}: {} ({}), subgroups of {}{}", number, device.name, device.driver,
                     device.subgroup_size, sizes);
}

}  // namespace lockstep::cli
