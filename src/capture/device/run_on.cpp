#include "capture/device/run_on.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <spirv/unified1/spirv.hpp11>

#include <lockstep/dispatch/mapping.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/reflection.hpp>

#include "io/error.hpp"
#include "io/images.hpp"
#include "shader/front/encoded.hpp"

namespace lockstep::capture {
namespace {

using Kind = job::Binding::Kind;

[[noreturn]] void fail_lacking(const vulkan::Device& device, const std::string& lacking,
                               const std::string& what) {
  throw io::InputError(
      fmt::format("{} lacks {}, which {} needs; choose another device from lockstep capture --list",
                  device.properties().name, lacking, what));
}

/// The size that a pipeline requires: 0 if it cannot.
std::uint32_t required_size(const vulkan::Properties& device, std::optional<std::uint32_t> wanted) {
  const std::uint32_t size = wanted.value_or(device.subgroup_size);
  if (!device.required_size) {
    if (size != device.subgroup_size)
      throw io::InputError(fmt::format(
          "{} cannot control the subgroup size, which is {}, not {}; remove --subgroup-size",
          device.name, device.subgroup_size, size));
    return 0;
  }
  const bool is_power = (size & (size - 1)) == 0;
  if (size < device.min_subgroup_size || size > device.max_subgroup_size || !is_power)
    throw io::InputError(
        fmt::format("{} has subgroups of {} to {} lanes, not {}; give a power of two in that range",
                    device.name, device.min_subgroup_size, device.max_subgroup_size, size));
  return size;
}

// ---- Which invocation is in which lane ----

constexpr const char* probe = R"(
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

/// Whether a module has an execution mode.
bool has_mode(std::span<const std::uint32_t> words, spv::ExecutionMode mode) {
  for (const spirv::Encoded i : spirv::EncodedInstructions(words)) {
    if (i.opcode() == spv::Op::OpExecutionMode && i.words.size() > 2 &&
        i.words[2] == static_cast<std::uint32_t>(mode))
      return true;
  }
  return false;
}

/// Quads that the shader arranges are where invocations are as well.
std::string probe_for(const std::vector<std::uint32_t>& words, Size3 local) {
  const bool blocks = has_mode(words, spv::ExecutionMode::DerivativeGroupQuadsNV);
  const bool linear = has_mode(words, spv::ExecutionMode::DerivativeGroupLinearNV);
  const char* const extension =
      blocks || linear ? "#extension GL_NV_compute_shader_derivatives : require\n" : "";
  const char* const quads = blocks   ? "layout(derivative_group_quadsNV) in;"
                            : linear ? "layout(derivative_group_linearNV) in;"
                                     : "";
  return fmt::format(
      "#version 460\n#extension GL_KHR_shader_subgroup_basic : require\n"
      "#extension GL_KHR_shader_subgroup_ballot : require\n{}"
      "layout(local_size_x = {}, local_size_y = {}, local_size_z = {}) in;\n{}{}",
      extension, local.x, local.y, local.z, quads, probe);
}

/// Where an invocation was seen.
struct Place {
  std::uint32_t subgroup, lane, size, first;
};

std::vector<Place> probed(const vulkan::Device& device, const std::vector<std::uint32_t>& words,
                          Size3 local, std::uint32_t size) {
  const Module module = Module::from_glsl(probe_for(words, local), {}, "probe.comp");
  if (const std::string lacking = device.lacks(module.words()); !lacking.empty())
    throw io::InputError(
        fmt::format("{} lacks {}, which is needed to map invocations to lanes; choose another "
                    "device from lockstep capture --list",
                    device.properties().name, lacking));
  std::vector<Place> places(std::size_t{local.x} * local.y * local.z);
  const std::span bytes = std::as_writable_bytes(std::span(places));
  vulkan::Resource buffer = vulkan::Resource::buffer(device, bytes.size());
  vulkan::PipelineOptions options;
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
      throw Error(fmt::format("{}: invocations report subgroups of {} and of {} lanes", device,
                              size, place.size));
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
          fmt::format("{}: invocations {} and {} report the same lane", device, lanes[at], k));
    lanes[at] = k;
    linear = linear && at == k;
  }
  job.subgroup_size = static_cast<int>(size);
  job.lanes = linear ? std::vector<std::uint32_t>() : lanes;
}

// ---- The dispatch ----

using View = vulkan::ImageDescription::View;

std::string described(const job::Binding& binding) {
  return fmt::format("binding {}:{} ({})", binding.set, binding.binding, binding.name);
}

bool is_sampled(Kind kind) {
  return kind == Kind::sampled_image || kind == Kind::combined_image_sampler;
}

/// How a shader sees an image of a type such as "sampler2DArrayShadow".
View view_of(const job::Binding& binding, const std::string& type) {
  const auto has = [&](std::string_view part) { return type.find(part) != type.npos; };
  const bool array = has("Array");
  if (!has("MS") && !has("Rect") && !has("Buffer")) {
    if (has("Cube")) return array ? View::cube_array : View::cube;
    if (has("3D")) return View::three_d;
    if (has("2D")) return array ? View::two_d_array : View::two_d;
    if (has("1D")) return array ? View::one_d_array : View::one_d;
  }
  throw io::InputError(fmt::format(
      "{}: images of type {} cannot be captured; use a storage buffer, or an image with one sample",
      described(binding), type));
}

/// The samplers that may read a binding: its own, or else all that stand alone.
std::vector<Sampler> samplers_of(const job::Job& job, const job::Binding& binding) {
  if (binding.kind == Kind::combined_image_sampler) return {io::parse_sampler(binding.sampler)};
  std::vector<Sampler> samplers;
  if (binding.kind != Kind::sampled_image) return samplers;
  for (const job::Binding& other : job.bindings) {
    if (other.kind == Kind::sampler) samplers.push_back(io::parse_sampler(other.sampler));
  }
  return samplers;
}

/// Depths are from 0 to 1, and level by level at multiples of four bytes.
void check_depths(const job::Binding& binding) {
  const io::ImageShape& image = *binding.image;
  for (std::uint32_t level = 0; level < image.levels.count; ++level) {
    if (image.levels.before(level) * texel_bytes(image.format) % 4 != 0)
      throw io::InputError(
          fmt::format("{}: levels of a depth-compare image must start at multiples of four bytes, "
                      "but level {} does not; use r32f",
                      described(binding), level));
  }
  if (image.format != ImageFormat::r32f) return;
  for (std::size_t at = 0; at < binding.input.size(); at += sizeof(float)) {
    float depth;
    std::memcpy(&depth, binding.input.data() + at, sizeof depth);
    if (!(depth >= 0 && depth <= 1))
      throw io::InputError(fmt::format(
          "{}: texels of a depth-compare image must be from 0 to 1, but texel {} is {}; scale them",
          described(binding), at / sizeof(float), depth));
  }
}

vulkan::ImageDescription description_of(const job::Job& job, const job::Binding& binding,
                                        const std::string& type) {
  const io::ImageShape& shape = *binding.image;
  vulkan::ImageDescription image{.format = shape.format,
                                 .view = view_of(binding, type),
                                 .levels = shape.levels,
                                 .sampled = is_sampled(binding.kind)};
  if (shape.samples != 1)
    throw io::InputError(fmt::format(
        "{}: multisampled images cannot be captured; use an array with one layer per sample",
        described(binding)));
  if (!image.sampled && shape.levels.count != 1)
    throw io::InputError(fmt::format(
        "{}: storage images with several levels cannot be captured; give one level, as FORMAT:WxH",
        described(binding)));
  const Size3& size = shape.size();
  const bool cube = image.view == View::cube || image.view == View::cube_array;
  if (cube && (size.x != size.y || size.z % 6 != 0))
    throw io::InputError(
        fmt::format("{}: a cube has six square faces, not {} of {} x {}; give FORMAT:NxNx6",
                    described(binding), size.z, size.x, size.y));
  const std::vector<Sampler> samplers = samplers_of(job, binding);
  const bool depth = shape.format == ImageFormat::r32f || shape.format == ImageFormat::r16;
  const bool compares = std::ranges::any_of(samplers, &Sampler::compares);
  if (compares && !depth && binding.kind == Kind::combined_image_sampler)
    throw io::InputError(fmt::format(
        "{}: a depth-compare image must be r32f or r16, not {}; use one of these formats",
        described(binding), to_string(shape.format)));
  image.compared = compares && depth;
  if (image.compared) check_depths(binding);
  return image;
}

bool is_linear(const Sampler& sampler) {
  return sampler.mag_filter == Filter::linear || sampler.min_filter == Filter::linear ||
         sampler.mipmap_mode == Filter::linear;
}

/// None for a sampler alone.
std::optional<vulkan::Resource> resource_of(const vulkan::Device& device, const job::Job& job,
                                            const job::Binding& binding,
                                            const Reflection& reflection) {
  const auto declared = std::ranges::find_if(reflection.bindings, [&](const auto& other) {
    return other.set == binding.set && other.binding == binding.binding;
  });
  if (declared == reflection.bindings.end())
    throw io::InputError(fmt::format("{} is not in the shader; remove it", described(binding)));
  const auto given =
      static_cast<std::uint32_t>(std::ranges::count_if(job.bindings, [&](const auto& other) {
        return other.set == binding.set && other.binding == binding.binding;
      }));
  if (binding.element >= given || declared->elements > given)
    throw io::InputError(
        fmt::format("{} is an array of {}, but {} are given; give one for each element",
                    described(binding), std::max(declared->elements, given), given));
  if (binding.kind == Kind::sampler) return {};
  if (binding.kind == Kind::storage_buffer || binding.kind == Kind::uniform_buffer)
    return vulkan::Resource::buffer(device, std::max<std::size_t>(binding.input.size(), 4));
  const bool is_image = binding.kind == Kind::storage_image || is_sampled(binding.kind);
  if (!is_image || !binding.image)
    throw io::InputError(
        fmt::format("{} is a {}, which cannot be captured; use a storage buffer instead",
                    described(binding), job::name_of(binding.kind)));
  const vulkan::ImageDescription image = description_of(job, binding, declared->type);
  const bool linear = std::ranges::any_of(samplers_of(job, binding), is_linear);
  if (const std::string lacking = device.lacks(image, linear); !lacking.empty())
    fail_lacking(device, lacking, described(binding));
  return vulkan::Resource::image(device, image);
}

vulkan::Slot device_slot(const vulkan::Device& device, const job::Binding& binding) {
  vulkan::Slot slot{.set = binding.set,
                    .binding = binding.binding,
                    .is_image = binding.kind == Kind::storage_image,
                    .is_uniform = binding.kind == Kind::uniform_buffer,
                    .is_sampled = is_sampled(binding.kind),
                    .element = binding.element};
  if (binding.kind != Kind::sampler && binding.kind != Kind::combined_image_sampler) return slot;
  slot.sampler = io::parse_sampler(binding.sampler);
  if (const std::string lacking = device.lacks(*slot.sampler); !lacking.empty())
    fail_lacking(device, lacking, described(binding));
  return slot;
}

}  // namespace

void run_on(const vulkan::Device& device, job::Job& job, std::optional<std::uint32_t> size) {
  const vulkan::Properties& properties = device.properties();
  const Module module = Module::from_words(job.words, {}, job.source);
  if (const std::string lacking = device.lacks(job.words); !lacking.empty())
    fail_lacking(device, lacking, job.source);
  const Reflection reflection = reflect(module, job.entry, job.specialization());
  const std::uint32_t required = required_size(properties, size);
  take_lanes(job, probed(device, job.words, reflection.local_size, required), properties.name);
  if (required != 0 && job.subgroup_size != static_cast<int>(required))
    throw Error(fmt::format("{}: subgroups of {} lanes were required, but the device ran {}",
                            properties.name, required, job.subgroup_size));
  job.required_size = required != 0;

  std::vector<std::optional<vulkan::Resource>> resources;
  std::vector<vulkan::Slot> slots;
  for (const job::Binding& binding : job.bindings) {
    resources.push_back(resource_of(device, job, binding, reflection));
    if (resources.back() && !binding.input.empty()) resources.back()->upload(binding.input);
    slots.push_back(device_slot(device, binding));
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

}  // namespace lockstep::capture
