#include "driver/capture.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "driver/failure.hpp"
#include "io/spec_constants.hpp"

namespace lockstep::driver {
namespace {

/// What a job cannot say.
struct NotCaptured {
  std::string why;
};

/// The type of a block's numbers; bytes if there are several.
npy::Dtype type_of(const Reflection::Binding& binding) {
  const auto types = numbers_of(binding.block);
  return types.size() == 1 ? io::dtype_of(types[0]) : npy::Dtype::uint8;
}

bool is_image(Reflection::Binding::Kind kind) {
  using Kind = Reflection::Binding::Kind;
  return kind != Kind::uniform_buffer && kind != Kind::storage_buffer && kind != Kind::sampler;
}

std::uint32_t axes_of(std::string_view type) {
  if (type.find("1D") != type.npos || type.find("Buffer") != type.npos) return 1;
  return type.find("3D") != type.npos ? 3 : 2;
}

/// The sampler as the words of `lockstep run --sampler`.
std::string words_of(const Sampler& sampler) {
  constexpr std::string_view filters[] = {"nearest", "linear"};
  constexpr std::string_view modes[] = {"repeat", "mirrored_repeat", "clamp_to_edge",
                                        "clamp_to_border", "mirror_clamp_to_edge"};
  constexpr std::string_view borders[] = {"transparent_black", "opaque_black", "opaque_white"};
  constexpr std::string_view compares[] = {
      "never", "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal",
      "always"};
  const auto index = [](auto value) { return static_cast<std::size_t>(value); };
  const bool plain = sampler.mag_filter == sampler.min_filter &&
                     sampler.address_mode_u == sampler.address_mode_v &&
                     sampler.address_mode_u == sampler.address_mode_w && sampler.lod_bias == 0 &&
                     sampler.min_lod == 0;
  if (!plain) throw NotCaptured{"a sampler has several filters or address modes, or limits levels"};
  std::string words =
      fmt::format("{},{},{},mipmap_{}", filters[index(sampler.mag_filter)],
                  modes[index(sampler.address_mode_u)], borders[index(sampler.border_color)],
                  filters[index(sampler.mipmap_mode)]);
  if (sampler.compares) words += fmt::format(",{}", compares[index(sampler.compare_op)]);
  if (sampler.unnormalized_coordinates) words += ",unnormalized";
  return words;
}

/// The bytes that a descriptor refers to.
std::span<const std::byte> bytes_of(const Descriptor& descriptor, std::uint64_t moved) {
  if (descriptor.kind != Descriptor::Kind::buffer) return descriptor.bytes;
  const auto rest = descriptor.bytes.subspan(descriptor.offset + moved);
  return rest.first(std::min<std::uint64_t>(descriptor.range, rest.size()));
}

bool has_addresses(const std::vector<std::uint32_t>& words) {
  constexpr std::uint32_t header = 5, op_capability = 2u << 16 | 17, physical_addresses = 5347;
  // Capabilities come before everything else.
  for (std::size_t at = header; at + 1 < words.size() && words[at] == op_capability; at += 2)
    if (words[at + 1] == physical_addresses) return true;
  return false;
}

/// What a binding's element has before the dispatch; nothing if nothing is bound to it.
std::optional<job::Binding> binding_of(const Reflection::Binding& from, std::uint32_t element,
                                       const DescriptorTable& table) {
  const Descriptor* const found = table.find(from.set, from.binding, element);
  if (found == nullptr) return std::nullopt;
  if (found->kind == Descriptor::Kind::null) throw NotCaptured{from.name + " is a null descriptor"};
  job::Binding binding;
  binding.kind = from.kind;
  binding.set = from.set;
  binding.binding = from.binding;
  binding.element = element;
  binding.name = from.name;
  binding.writable = from.writable;
  if (found->sampler) binding.sampler = words_of(*found->sampler);
  if (from.kind == Reflection::Binding::Kind::sampler)
    return found->sampler ? std::optional(binding) : std::nullopt;
  if (found->kind == Descriptor::Kind::none) return std::nullopt;
  const auto bytes = bytes_of(*found, table.offset_of(from.set, from.binding, element));
  binding.input.assign(bytes.begin(), bytes.end());
  if (is_image(from.kind))
    binding.image = io::ImageShape{
        found->format, {found->extent, axes_of(from.type), found->levels}, found->samples};
  else
    binding.type = type_of(from);
  return binding;
}

std::string module_name(const PipelineHandle& pipeline) {
  const std::string name = pipeline.module.name->get();
  return name.empty() ? "shader.spv" : name;
}

job::Job job_of(const Capture::Subject& subject, std::string name) {
  const auto& [handle, table, push_constants, base, groups, number, default_size] = subject;
  const CompiledPipeline& pipeline = *handle.compiled;
  const PipelineKey& key = pipeline.key;
  if (base.x != 0 || base.y != 0 || base.z != 0)
    throw NotCaptured{"it does not begin at workgroup (0, 0, 0)"};
  if (has_addresses(key.words)) throw NotCaptured{"its shader uses device addresses"};
  job::Job job;
  job.name = std::move(name);
  job.source = module_name(handle);
  job.command = "captured by the Vulkan driver";
  job.words = key.words;
  job.entry = key.options.entry;
  for (const auto& [id, value] : key.options.specialization)
    job.constants.push_back({id, value.integer(), value.bytes()});
  const auto push = push_constants.first(pipeline.push_bytes);
  job.push_constants.assign(push.begin(), push.end());
  job.groups = groups;
  job.subgroup_size = key.options.subgroup_size;
  job.required_size = key.options.subgroup_size != default_size;
  for (const Reflection::Binding& binding : pipeline.bindings) {
    // Of an array without a size all elements that are bound.
    for (std::uint32_t k = 0; binding.elements == 0 || k < binding.elements; ++k) {
      if (binding.elements == 0 && table.find(binding.set, binding.binding, k) == nullptr) break;
      if (auto made = binding_of(binding, k, table)) job.bindings.push_back(std::move(*made));
    }
  }
  return job;
}

}  // namespace

Capture::Capture(std::string folder) : folder_(std::move(folder)) {
  if (folder_.empty()) return;
  std::error_code failure;
  std::filesystem::create_directories(folder_, failure);
  if (failure)
    throw Error(fmt::format("LOCKSTEP_CAPTURE={}: the folder cannot be created: {}", folder_,
                            failure.message()));
}

std::optional<job::Job> Capture::begin(const Subject& subject) {
  std::string name = subject.pipeline.self.name->get();
  if (name.empty()) name = module_name(subject.pipeline);
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  std::ranges::replace_if(
      name, [&](char c) { return !is_plain(c) && c != '.'; }, '_');
  name = fmt::format("{:04}-{}", subject.number, name);
  try {
    return job_of(subject, name);
  } catch (const NotCaptured& reason) {
    print_error(fmt::format("{} is not captured: {}", name, reason.why));
    return std::nullopt;
  }
}

void Capture::add_outputs(job::Job& job, const DescriptorTable& table) {
  for (job::Binding& binding : job.bindings) {
    if (!binding.writable) continue;
    const Descriptor& descriptor = *table.find(binding.set, binding.binding, binding.element);
    const auto bytes =
        bytes_of(descriptor, table.offset_of(binding.set, binding.binding, binding.element));
    binding.output.assign(bytes.begin(), bytes.end());
  }
}

void Capture::end(job::Job& job, const DescriptorTable& table) const {
  if (!is_wanted()) return;
  add_outputs(job, table);
  end(std::as_const(job));
}

void Capture::end(const job::Job& job) const {
  if (!is_wanted()) return;
  try {
    job::write(std::filesystem::path(folder_) / job.name, job);
  } catch (const std::exception& error) {
    print_error(error.what());
  }
}

}  // namespace lockstep::driver
