#include "driver/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <spirv/unified1/spirv.hpp11>

#include <lockstep/exec/error.hpp>

#include "driver/device.hpp"
#include "driver/entry_points.hpp"
#include "driver/instance.hpp"
#include "driver/properties.hpp"

namespace lockstep::driver {
namespace {

std::map<std::uint32_t, SpecConstant> specialization_of(const VkSpecializationInfo* info) {
  std::map<std::uint32_t, SpecConstant> constants;
  if (info == nullptr) return constants;
  const auto* const data = static_cast<const std::byte*>(info->pData);
  for (std::uint32_t k = 0; k < info->mapEntryCount; ++k) {
    const VkSpecializationMapEntry& entry = info->pMapEntries[k];
    constants.emplace(entry.constantID,
                      SpecConstant::from_bytes({data + entry.offset, entry.size}));
  }
  return constants;
}

/// Whether accesses outside of buffers are no findings of the pipeline.
bool is_robust(const Device& device, const VkComputePipelineCreateInfo& info) {
  for (const void* chain : {info.stage.pNext, info.pNext}) {
    const auto* const own = find_in_chain<VkPipelineRobustnessCreateInfoEXT>(
        chain, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
    if (own == nullptr ||
        own->storageBuffers == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT)
      continue;
    return own->storageBuffers != VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT;
  }
  return device.features.robust_buffer_access;
}

/// Elements of an array of descriptors without a size, unless the layout has it.
constexpr std::uint32_t usual_array = 1024;

/// The lengths of the layout's arrays of descriptors, for shaders that declare them without one. All of a shader's
/// descriptors are in one list, which the long ones share.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> arrays_of(
    const PipelineLayout* layout) {
  if (layout == nullptr) return {};
  constexpr std::uint32_t most = 49152;
  std::uint32_t long_ones = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> all;
  for (std::uint32_t set = 0; set < layout->sets.size(); ++set) {
    if (layout->sets[set] == nullptr) continue;
    for (const auto& [number, binding] : layout->sets[set]->bindings)
      if (!binding.is_block() && binding.count > 1) {
        all[{set, number}] = binding.count;
        long_ones += binding.count > usual_array ? 1 : 0;
      }
  }
  for (auto& [place, count] : all)
    if (count > usual_array) count = std::min(count, most / long_ones);
  return all;
}

PipelineKey key_of(const Device& device, const VkComputePipelineCreateInfo& info) {
  const VkPipelineShaderStageCreateInfo& stage = info.stage;
  // A size that varies is the default one, too.
  const auto* const required = find_in_chain<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
      stage.pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  const int size = required != nullptr ? static_cast<int>(required->requiredSubgroupSize)
                                       : device.settings().profile.subgroup_size;
  return {object_of(stage.module)->words(),
          {.entry = stage.pName,
           .specialization = specialization_of(stage.pSpecializationInfo),
           .subgroup_size = size,
           .unsized_arrays = arrays_of(object_of(info.layout)),
           .robust = is_robust(device, info)}};
}

/// Whether an invocation takes no long time for certain: a short module without loops.
bool is_brief(std::span<const std::uint32_t> words) {
  constexpr std::size_t header = 5, most = 4096;
  if (words.size() > most || words.front() != spv::MagicNumber) return false;
  for (std::size_t at = header; at < words.size(); at += std::max(words[at] >> 16, 1u))
    if (static_cast<spv::Op>(words[at] & 0xffff) == spv::Op::OpLoopMerge) return false;
  return true;
}

/// Whether finding the descriptors takes much of the time of a short dispatch.
bool has_many_descriptors(const PipelineKey& key, const Reflection& reflection) {
  constexpr std::uint64_t many = 64;
  std::uint64_t all = 0;
  for (const Reflection::Binding& binding : reflection.bindings) {
    const auto unsized = key.options.unsized_arrays.find({binding.set, binding.binding});
    all += binding.elements != 0                         ? binding.elements
           : unsized != key.options.unsized_arrays.end() ? unsized->second
                                                         : usual_array;
  }
  return all > many;
}

/// Compiles it, and throws Error if the device does not support it.
SharedPipeline compile(const Device& device, const PipelineKey& key, ShaderModule& shader) {
  auto file = shader.file(device.settings().modules);
  // What programs pass is valid, or else the engine says so; validating it again would take most of the time.
  ModuleOptions unchecked;
  unchecked.validate = false;
  const Module module = Module::from_words(file->words(), unchecked,
                                           file->has_source_lines() ? "shader.spv" : file->path());
  lockstep::Pipeline engine(module, key.options);
  engine.check(device.settings().profile, {1, 1, 1});
  Reflection reflection = reflect(module, key.options.entry, key.options.specialization);
  const auto [x, y, z] = engine.interface().local_size;
  const std::uint64_t group = is_brief(key.words) ? std::uint64_t{x} * y * z : 0;
  auto last_bound = has_many_descriptors(key, reflection) ? std::make_unique<LastBound>() : nullptr;
  return std::make_shared<const CompiledPipeline>(
      CompiledPipeline{std::move(engine), key, std::move(file), std::move(reflection.bindings),
                       reflection.push_constants ? reflection.push_constants->size : 0, group,
                       std::move(last_bound)});
}

/// The module by its number and name. It is written to its file, whose path messages have.
std::string in_words(const Device& device, VkShaderModule handle) {
  ShaderModule& module = *object_of(handle);
  const auto file = module.file(device.settings().modules);
  file->write();
  const std::string text = module.self().text("module");
  return file->has_source_lines() ? fmt::format("{} ({})", text, file->path()) : text;
}

class Maker {
 public:
  Maker(Device& device, PipelineCache* cache) : device_(device), cache_(cache) {}

  /// The pipeline, and how it came about. Null if it would have to be compiled and may not be.
  SharedPipeline make(const VkComputePipelineCreateInfo& info) {
    const auto start = std::chrono::steady_clock::now();
    const PipelineKey key = key_of(device_, info);
    SharedPipeline pipeline = cache_ != nullptr ? cache_->find(key) : nullptr;
    const bool hit = pipeline != nullptr;
    const bool may_compile =
        (info.flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT) == 0;
    if (!hit && may_compile) {
      pipeline = device_.pipelines.find(key);
      if (pipeline == nullptr) {
        pipeline = compile(device_, key, *object_of(info.stage.module));
        device_.pipelines.add(pipeline);
      }
      if (cache_ != nullptr) cache_->add(key, pipeline);
    }
    tell(info, pipeline != nullptr, hit, std::chrono::steady_clock::now() - start);
    return pipeline;
  }

 private:
  static void tell(const VkComputePipelineCreateInfo& info, bool valid, bool hit,
                   std::chrono::nanoseconds time) {
    const auto* const feedback = find_in_chain<VkPipelineCreationFeedbackCreateInfo>(
        info.pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
    if (feedback == nullptr) return;
    VkPipelineCreationFeedbackFlags flags = 0;
    if (valid) flags |= VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT;
    if (hit) flags |= VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
    const VkPipelineCreationFeedback made{flags, static_cast<std::uint64_t>(time.count())};
    *feedback->pPipelineCreationFeedback = made;
    std::fill_n(feedback->pPipelineStageCreationFeedbacks,
                feedback->pipelineStageCreationFeedbackCount, made);
  }

  Device& device_;
  PipelineCache* cache_;
};

/// Makes one pipeline; the result says why there is none.
VkResult make_one(Device& device, Maker& maker, const VkComputePipelineCreateInfo& info,
                  VkPipeline* out) {
  return guarded([&] {
    try {
      SharedPipeline made = maker.make(info);
      if (made == nullptr) return VK_PIPELINE_COMPILE_REQUIRED;
      *out = handle_of(new PipelineHandle{
          std::move(made), {++device.pipelines_made}, object_of(info.stage.module)->self()});
      return VK_SUCCESS;
    } catch (const Error& error) {
      device.tell_error("pipeline",
                        fmt::format("{}, in {}, entry {}", error.what(),
                                    in_words(device, info.stage.module), info.stage.pName));
      return VK_ERROR_UNKNOWN;  // Vulkan has no result for a shader that is not supported
    }
  });
}

}  // namespace

std::shared_ptr<const ModuleFile> ShaderModule::file(const std::string& folder) {
  const std::lock_guard lock(making_);
  if (file_ == nullptr) file_ = std::make_shared<ModuleFile>(folder, words_);
  return file_;
}

std::size_t PipelineCache::Hash::operator()(const PipelineKey& key) const {
  const std::string_view bytes(reinterpret_cast<const char*>(key.words.data()),
                               key.words.size() * sizeof(std::uint32_t));
  std::size_t hash = std::hash<std::string_view>()(bytes);
  hash = hash * 31 + static_cast<std::size_t>(key.options.subgroup_size);
  for (const auto& [id, value] : key.options.specialization)
    hash = hash * 31 + id + static_cast<std::size_t>(value.integer());
  return hash;
}

std::optional<BoundDescriptors> LastBound::find(const Key& key) const {
  const std::lock_guard lock(changing_);
  return key == key_ ? bound_ : std::nullopt;
}

void LastBound::keep(Key key, BoundDescriptors found) {
  const std::lock_guard lock(changing_);
  key_ = std::move(key);
  bound_ = std::move(found);
}

SharedPipeline PipelineCache::find(const PipelineKey& key) const {
  const std::lock_guard lock(changing_);
  const auto found = pipelines_.find(key);
  return found == pipelines_.end() ? nullptr : found->second;
}

void PipelineCache::add(const PipelineKey& key, SharedPipeline pipeline) {
  const std::lock_guard lock(changing_);
  pipelines_.emplace(key, std::move(pipeline));
}

void PipelineCache::merge(const PipelineCache& other) {
  const std::scoped_lock lock(changing_, other.changing_);
  pipelines_.insert(other.pipelines_.begin(), other.pipelines_.end());
}

SharedPipeline RecentPipelines::find(const PipelineKey& key) const {
  const std::lock_guard lock(changing_);
  const auto found = std::ranges::find_if(
      pipelines_, [&](const SharedPipeline& pipeline) { return pipeline->key == key; });
  return found == pipelines_.end() ? nullptr : *found;
}

void RecentPipelines::add(SharedPipeline pipeline) {
  const std::lock_guard lock(changing_);
  if (pipelines_.size() == most) pipelines_.pop_front();
  pipelines_.push_back(std::move(pipeline));
}

// ---- Modules ----

VkResult vkCreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo* info,
                              const VkAllocationCallbacks*, VkShaderModule* module) {
  return guarded([&] {
    const std::uint32_t* const end = info->pCode + info->codeSize / sizeof(std::uint32_t);
    *module = handle_of(new ShaderModule(++object_of(device)->modules_made, {info->pCode, end}));
    return VK_SUCCESS;
  });
}

void vkDestroyShaderModule(VkDevice, VkShaderModule module, const VkAllocationCallbacks*) {
  delete object_of(module);
}

// ---- Caches ----

VkResult vkCreatePipelineCache(VkDevice, const VkPipelineCacheCreateInfo*,
                               const VkAllocationCallbacks*, VkPipelineCache* cache) {
  // Initial data has nothing that would make compiling shorter.
  return create<PipelineCache>(cache);
}

void vkDestroyPipelineCache(VkDevice, VkPipelineCache cache, const VkAllocationCallbacks*) {
  delete object_of(cache);
}

VkResult vkGetPipelineCacheData(VkDevice, VkPipelineCache, std::size_t* size, void* data) {
  VkPipelineCacheHeaderVersionOne header{};
  header.headerSize = sizeof header;
  header.headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE;
  write_pipeline_cache_uuid(header.pipelineCacheUUID);
  if (data == nullptr) {
    *size = sizeof header;
    return VK_SUCCESS;
  }
  // A part of a header would be no header.
  if (*size < sizeof header) {
    *size = 0;
    return VK_INCOMPLETE;
  }
  *size = sizeof header;
  std::memcpy(data, &header, sizeof header);
  return VK_SUCCESS;
}

VkResult vkMergePipelineCaches(VkDevice, VkPipelineCache to, std::uint32_t count,
                               const VkPipelineCache* from) {
  return guarded([&] {
    for (std::uint32_t k = 0; k < count; ++k) object_of(to)->merge(*object_of(from[k]));
    return VK_SUCCESS;
  });
}

// ---- Pipelines ----

VkResult vkCreateComputePipelines(VkDevice handle, VkPipelineCache cache, std::uint32_t count,
                                  const VkComputePipelineCreateInfo* infos,
                                  const VkAllocationCallbacks*, VkPipeline* pipelines) {
  Device& device = *object_of(handle);
  Maker maker(device, cache == VK_NULL_HANDLE ? nullptr : object_of(cache));
  std::fill_n(pipelines, count, VkPipeline(VK_NULL_HANDLE));
  VkResult result = VK_SUCCESS;
  for (std::uint32_t k = 0; k < count; ++k) {
    const VkResult one = make_one(device, maker, infos[k], &pipelines[k]);
    if (one == VK_SUCCESS) continue;
    // An error counts for more than a pipeline that was not to be compiled.
    if (result == VK_SUCCESS || (result > 0 && one < 0)) result = one;
    if ((infos[k].flags & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT) != 0) break;
  }
  return result;
}

void vkDestroyPipeline(VkDevice, VkPipeline pipeline, const VkAllocationCallbacks*) {
  delete object_of(pipeline);
}

}  // namespace lockstep::driver
