#include "driver/gpu.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <catch2/catch.hpp>

#include "shader/front/compile.hpp"

namespace lockstep::test {

VkBool32 take(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
              const VkDebugUtilsMessengerCallbackDataEXT& data, Gpu& gpu) {
  const std::string text = data.pMessage == nullptr ? "" : data.pMessage;
  // Extensions that are newer than the layer.
  if (text.find("is not supported by this layer") != std::string::npos) return VK_FALSE;
  const std::lock_guard lock(gpu.telling_);
  gpu.told_.push_back({severity, data.pMessageIdName == nullptr ? "" : data.pMessageIdName, text});
  return VK_FALSE;
}

namespace {

VkBool32 VKAPI_CALL callback(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                             VkDebugUtilsMessageTypeFlagsEXT,
                             const VkDebugUtilsMessengerCallbackDataEXT* data, void* gpu) {
  return take(severity, *data, *static_cast<Gpu*>(gpu));
}

void require(VkResult result, const char* what) {
  if (result != VK_SUCCESS)
    throw std::runtime_error(std::string(what) + ": VkResult " + std::to_string(result));
}

template <class T>
T structure(VkStructureType type, void* next = nullptr) {
  T made{};
  made.sType = type;
  made.pNext = next;
  return made;
}

}  // namespace

Gpu::Gpu(GpuOptions options) : options_(options) {
  library_ = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) throw std::runtime_error("there is no Vulkan loader: libvulkan1");
  vk.vkGetInstanceProcAddr =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library_, "vkGetInstanceProcAddr"));
  make_instance();
  make_device();
}

Gpu::~Gpu() {
  vk.vkDeviceWaitIdle(device);
  for (; !endings_.empty(); endings_.pop_back()) endings_.back()();
  vk.vkDestroyDescriptorPool(device, descriptors_, nullptr);
  vk.vkDestroyCommandPool(device, pool_, nullptr);
  vk.vkDestroyDevice(device, nullptr);
  vk.vkDestroyDebugUtilsMessengerEXT(instance, messenger_, nullptr);
  vk.vkDestroyInstance(instance, nullptr);
}

void Gpu::make_instance() {
#define LOCKSTEP_VK_LOAD(level, version, name) \
  if (vk.name == nullptr)                      \
    vk.name = reinterpret_cast<PFN_##name>(vk.vkGetInstanceProcAddr(instance, #name));
  LOCKSTEP_ICD_COMMANDS(LOCKSTEP_VK_LOAD)
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_3;
  auto info = structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &application;
  const char* extension = "VK_EXT_debug_utils";
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = &extension;
  const char* layer = "VK_LAYER_KHRONOS_validation";
  std::uint32_t count = 0;
  vk.vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vk.vkEnumerateInstanceLayerProperties(&count, layers.data());
  if (!options_.layer) {
    // none is wanted
  } else if (std::ranges::any_of(
                 layers, [&](const auto& l) { return std::strcmp(l.layerName, layer) == 0; })) {
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &layer;
  } else {
    WARN("without the Khronos validation layer (Debian: vulkan-validationlayers)");
  }
  require(vk.vkCreateInstance(&info, nullptr, &instance), "vkCreateInstance");
  LOCKSTEP_ICD_COMMANDS(LOCKSTEP_VK_LOAD)
#undef LOCKSTEP_VK_LOAD
  auto messenger = structure<VkDebugUtilsMessengerCreateInfoEXT>(
      VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
  messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
                              VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  if (options_.info) messenger.messageSeverity |= VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
  messenger.messageType =
      VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  messenger.pfnUserCallback = callback;
  messenger.pUserData = this;
  require(vk.vkCreateDebugUtilsMessengerEXT(instance, &messenger, nullptr, &messenger_),
          "vkCreateDebugUtilsMessengerEXT");
  count = 1;
  require(vk.vkEnumeratePhysicalDevices(instance, &count, &physical), "vkEnumeratePhysicalDevices");
}

void Gpu::make_device() {
  std::uint32_t count = 0;
  vk.vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vk.vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, extensions.data());
  std::vector<const char*> names;
  for (const auto& extension : extensions) names.push_back(extension.extensionName);

  auto robust = structure<VkPhysicalDeviceRobustness2FeaturesEXT>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT);
  auto f13 = structure<VkPhysicalDeviceVulkan13Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, &robust);
  auto f12 = structure<VkPhysicalDeviceVulkan12Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &f13);
  auto f11 = structure<VkPhysicalDeviceVulkan11Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &f12);
  auto features =
      structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &f11);
  vk.vkGetPhysicalDeviceFeatures2(physical, &features);
  features.features.robustBufferAccess = robust.robustBufferAccess2 =
      options_.robust_buffers ? VK_TRUE : VK_FALSE;

  const float priorities[4] = {1, 1, 1, 1};
  auto queue = structure<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueCount = 4;
  queue.pQueuePriorities = priorities;
  auto info = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features);
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
  info.ppEnabledExtensionNames = names.data();
  require(vk.vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
#define LOCKSTEP_VK_LOAD(level, version, name)                  \
  if (const auto found = vk.vkGetDeviceProcAddr(device, #name)) \
    vk.name = reinterpret_cast<PFN_##name>(found);
  LOCKSTEP_ICD_COMMANDS(LOCKSTEP_VK_LOAD)
#undef LOCKSTEP_VK_LOAD
  for (std::uint32_t k = 0; k < 4; ++k) vk.vkGetDeviceQueue(device, 0, k, &queues[k]);

  auto pool = structure<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  require(vk.vkCreateCommandPool(device, &pool, nullptr, &pool_), "vkCreateCommandPool");
  std::vector<VkDescriptorPoolSize> sizes;
  for (int type = VK_DESCRIPTOR_TYPE_SAMPLER; type <= VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
       ++type)
    sizes.push_back({static_cast<VkDescriptorType>(type), 1000});
  sizes.push_back({VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 4096});
  auto inline_blocks = structure<VkDescriptorPoolInlineUniformBlockCreateInfo>(
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO);
  inline_blocks.maxInlineUniformBlockBindings = 16;
  auto descriptors = structure<VkDescriptorPoolCreateInfo>(
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, &inline_blocks);
  descriptors.flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT;
  descriptors.maxSets = 100;
  descriptors.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
  descriptors.pPoolSizes = sizes.data();
  require(vk.vkCreateDescriptorPool(device, &descriptors, nullptr, &descriptors_),
          "vkCreateDescriptorPool");
}

namespace {

/// A module without OpLine and OpNoLine.
std::vector<std::uint32_t> without_lines(const std::vector<std::uint32_t>& words) {
  constexpr std::uint32_t header = 5, op_line = 8, op_no_line = 317;
  std::vector<std::uint32_t> kept(words.begin(), words.begin() + header);
  for (std::size_t at = header; at < words.size(); at += words[at] >> 16) {
    const std::uint32_t opcode = words[at] & 0xffff;
    if (opcode != op_line && opcode != op_no_line)
      kept.insert(kept.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                  words.begin() + static_cast<std::ptrdiff_t>(at + (words[at] >> 16)));
  }
  return kept;
}

}  // namespace

GpuBuffer Gpu::buffer(VkDeviceSize size) {
  GpuBuffer made;
  auto info = structure<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = size;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
               VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;
  require(vk.vkCreateBuffer(device, &info, nullptr, &made.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vk.vkGetBufferMemoryRequirements(device, made.buffer, &needs);
  auto flags = structure<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  auto memory = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags);
  memory.allocationSize = needs.size;
  require(vk.vkAllocateMemory(device, &memory, nullptr, &made.memory), "vkAllocateMemory");
  require(vk.vkBindBufferMemory(device, made.buffer, made.memory, 0), "vkBindBufferMemory");
  void* data = nullptr;
  require(vk.vkMapMemory(device, made.memory, 0, VK_WHOLE_SIZE, 0, &data), "vkMapMemory");
  made.bytes = {static_cast<std::byte*>(data), size};
  endings_.push_back([this, made] {
    vk.vkDestroyBuffer(device, made.buffer, nullptr);
    vk.vkFreeMemory(device, made.memory, nullptr);
  });
  return made;
}

GpuBuffer Gpu::buffer(std::initializer_list<std::uint32_t> words) {
  const GpuBuffer made = buffer(words.size() * 4);
  std::ranges::copy(words, made.words().begin());
  return made;
}

GpuImage Gpu::image(VkImageCreateInfo info) {
  GpuImage made;
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  if (info.usage == 0)
    info.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                 VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  if (info.samples == 0) info.samples = VK_SAMPLE_COUNT_1_BIT;
  require(vk.vkCreateImage(device, &info, nullptr, &made.image), "vkCreateImage");
  VkMemoryRequirements needs;
  vk.vkGetImageMemoryRequirements(device, made.image, &needs);
  auto memory = structure<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  memory.allocationSize = needs.size;
  require(vk.vkAllocateMemory(device, &memory, nullptr, &made.memory), "vkAllocateMemory");
  require(vk.vkBindImageMemory(device, made.image, made.memory, 0), "vkBindImageMemory");
  void* data = nullptr;
  require(vk.vkMapMemory(device, made.memory, 0, VK_WHOLE_SIZE, 0, &data), "vkMapMemory");
  made.bytes = {static_cast<std::byte*>(data), needs.size};
  endings_.push_back([this, made] {
    vk.vkDestroyImage(device, made.image, nullptr);
    vk.vkFreeMemory(device, made.memory, nullptr);
  });
  // The only layout that all commands take.
  run([&](VkCommandBuffer commands) {
    auto to_general = structure<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
    to_general.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    to_general.oldLayout = info.initialLayout;
    to_general.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    to_general.srcQueueFamilyIndex = to_general.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    to_general.image = made.image;
    to_general.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                   VK_REMAINING_ARRAY_LAYERS};
    vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                            &to_general);
  });
  return made;
}

VkImageView Gpu::view(const GpuImage& image, VkImageViewType type, VkFormat format,
                      VkImageSubresourceRange range, VkComponentMapping components) {
  auto info = structure<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
  info.image = image.image;
  info.viewType = type;
  info.format = format;
  info.subresourceRange = range;
  info.components = components;
  VkImageView made = VK_NULL_HANDLE;
  require(vk.vkCreateImageView(device, &info, nullptr, &made), "vkCreateImageView");
  endings_.push_back([this, made] { vk.vkDestroyImageView(device, made, nullptr); });
  return made;
}

VkSampler Gpu::sampler(VkSamplerCreateInfo info) {
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  VkSampler made = VK_NULL_HANDLE;
  require(vk.vkCreateSampler(device, &info, nullptr, &made), "vkCreateSampler");
  endings_.push_back([this, made] { vk.vkDestroySampler(device, made, nullptr); });
  return made;
}

GpuPipeline Gpu::pipeline(const std::string& glsl, const std::vector<GpuSet>& sets,
                          std::uint32_t push_bytes, const void* chain) {
  GpuPipeline made;
  for (const GpuSet& set : sets) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    std::vector<VkDescriptorBindingFlags> flags;
    for (const GpuBinding& b : set.bindings) {
      bindings.push_back({b.binding, b.type, b.count, VK_SHADER_STAGE_COMPUTE_BIT, b.samplers});
      flags.push_back(b.flags);
    }
    auto more = structure<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
    more.bindingCount = static_cast<std::uint32_t>(flags.size());
    more.pBindingFlags = flags.data();
    auto info = structure<VkDescriptorSetLayoutCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, &more);
    info.flags = set.flags;
    info.bindingCount = static_cast<std::uint32_t>(bindings.size());
    info.pBindings = bindings.data();
    made.sets.emplace_back();
    require(vk.vkCreateDescriptorSetLayout(device, &info, nullptr, &made.sets.back()),
            "vkCreateDescriptorSetLayout");
    endings_.push_back(
        [this, set = made.sets.back()] { vk.vkDestroyDescriptorSetLayout(device, set, nullptr); });
  }
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes};
  auto layout =
      structure<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  layout.setLayoutCount = static_cast<std::uint32_t>(made.sets.size());
  layout.pSetLayouts = made.sets.data();
  layout.pushConstantRangeCount = push_bytes == 0 ? 0 : 1;
  layout.pPushConstantRanges = &range;
  require(vk.vkCreatePipelineLayout(device, &layout, nullptr, &made.layout),
          "vkCreatePipelineLayout");
  endings_.push_back(
      [this, made = made.layout] { vk.vkDestroyPipelineLayout(device, made, nullptr); });
  auto words = spirv::compile_glsl(glsl, "test.comp", {}).words;
  if (!options_.lines) words = without_lines(words);
  auto module = structure<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  module.codeSize = words.size() * 4;
  module.pCode = words.data();
  require(vk.vkCreateShaderModule(device, &module, nullptr, &made.module), "vkCreateShaderModule");
  endings_.push_back(
      [this, made = made.module] { vk.vkDestroyShaderModule(device, made, nullptr); });
  auto info =
      structure<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.pNext = chain;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = made.module;
  info.stage.pName = "main";
  info.layout = made.layout;
  require(vk.vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made.pipeline),
          "vkCreateComputePipelines");
  endings_.push_back([this, made = made.pipeline] { vk.vkDestroyPipeline(device, made, nullptr); });
  return made;
}

VkDescriptorSet Gpu::set(VkDescriptorSetLayout layout, std::uint32_t variable_count) {
  auto counts = structure<VkDescriptorSetVariableDescriptorCountAllocateInfo>(
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
  counts.descriptorSetCount = 1;
  counts.pDescriptorCounts = &variable_count;
  auto info = structure<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                     variable_count == 0 ? nullptr : &counts);
  info.descriptorPool = descriptors_;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout;
  VkDescriptorSet made = VK_NULL_HANDLE;
  require(vk.vkAllocateDescriptorSets(device, &info, &made), "vkAllocateDescriptorSets");
  return made;
}

void Gpu::write(VkDescriptorSet set, std::uint32_t binding, std::uint32_t element,
                std::span<const VkDescriptorBufferInfo> buffers, VkDescriptorType type) {
  auto info = structure<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
  info.dstSet = set;
  info.dstBinding = binding;
  info.dstArrayElement = element;
  info.descriptorCount = static_cast<std::uint32_t>(buffers.size());
  info.descriptorType = type;
  info.pBufferInfo = buffers.data();
  vk.vkUpdateDescriptorSets(device, 1, &info, 0, nullptr);
}

void Gpu::write(VkDescriptorSet set, std::uint32_t binding, const VkDescriptorImageInfo& image,
                VkDescriptorType type) {
  auto info = structure<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
  info.dstSet = set;
  info.dstBinding = binding;
  info.descriptorCount = 1;
  info.descriptorType = type;
  info.pImageInfo = &image;
  vk.vkUpdateDescriptorSets(device, 1, &info, 0, nullptr);
}

VkCommandBuffer Gpu::commands(VkCommandBufferLevel level) {
  auto info =
      structure<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  info.commandPool = pool_;
  info.level = level;
  info.commandBufferCount = 1;
  VkCommandBuffer made = VK_NULL_HANDLE;
  require(vk.vkAllocateCommandBuffers(device, &info, &made), "vkAllocateCommandBuffers");
  return made;
}

VkCommandBuffer Gpu::record(const std::function<void(VkCommandBuffer)>& what,
                            VkCommandBufferUsageFlags usage) {
  const VkCommandBuffer made = commands();
  auto begin = structure<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = usage;
  require(vk.vkBeginCommandBuffer(made, &begin), "vkBeginCommandBuffer");
  what(made);
  require(vk.vkEndCommandBuffer(made), "vkEndCommandBuffer");
  return made;
}

void Gpu::bind(VkCommandBuffer commands, const GpuPipeline& pipeline,
               std::initializer_list<VkDescriptorSet> sets,
               std::initializer_list<std::uint32_t> offsets) {
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline);
  if (sets.size() == 0) return;
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0,
                             static_cast<std::uint32_t>(sets.size()), sets.begin(),
                             static_cast<std::uint32_t>(offsets.size()), offsets.begin());
}

VkFence Gpu::fence() {
  const auto info = structure<VkFenceCreateInfo>(VK_STRUCTURE_TYPE_FENCE_CREATE_INFO);
  VkFence made = VK_NULL_HANDLE;
  require(vk.vkCreateFence(device, &info, nullptr, &made), "vkCreateFence");
  endings_.push_back([this, made] { vk.vkDestroyFence(device, made, nullptr); });
  return made;
}

VkSemaphore Gpu::semaphore(bool timeline) {
  auto type = structure<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  type.semaphoreType = timeline ? VK_SEMAPHORE_TYPE_TIMELINE : VK_SEMAPHORE_TYPE_BINARY;
  const auto info =
      structure<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type);
  VkSemaphore made = VK_NULL_HANDLE;
  require(vk.vkCreateSemaphore(device, &info, nullptr, &made), "vkCreateSemaphore");
  endings_.push_back([this, made] { vk.vkDestroySemaphore(device, made, nullptr); });
  return made;
}

void Gpu::barrier(VkCommandBuffer commands) {
  auto all = structure<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
  all.srcStageMask = all.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  all.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
  all.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  auto info = structure<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
  info.memoryBarrierCount = 1;
  info.pMemoryBarriers = &all;
  vk.vkCmdPipelineBarrier2(commands, &info);
}

VkResult Gpu::submit(VkQueue queue, VkCommandBuffer commands, VkFence fence) {
  auto info = structure<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  return vk.vkQueueSubmit(queue, 1, &info, fence);
}

VkResult Gpu::run(const std::function<void(VkCommandBuffer)>& what) {
  const VkFence done = fence();
  if (const VkResult result = submit(queues[0], record(what), done); result != VK_SUCCESS)
    return result;
  return vk.vkWaitForFences(device, 1, &done, VK_TRUE, ~std::uint64_t{0});
}

std::vector<Told> Gpu::told() {
  const std::lock_guard lock(telling_);
  return std::exchange(told_, {});
}

std::string to_text(const std::vector<Told>& told) {
  std::string text;
  for (const Told& one : told) text += one.id + ": " + one.text + "\n";
  return text;
}

}  // namespace lockstep::test
