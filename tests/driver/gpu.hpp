#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "driver/entry_points.def.hpp"
#include "driver/environment.hpp"
#include "driver/vulkan.hpp"

/// \file
/// A program that uses the driver by Vulkan's own functions, with the Khronos validation layer if it is installed.

namespace lockstep::test {

/// The functions, as the loader gives them.
struct Functions {
#define LOCKSTEP_VK_MEMBER(level, version, name) PFN_##name name = nullptr;
  LOCKSTEP_ICD_COMMANDS(LOCKSTEP_VK_MEMBER)
#undef LOCKSTEP_VK_MEMBER
};

/// A message of VK_EXT_debug_utils.
struct Told {
  VkDebugUtilsMessageSeverityFlagBitsEXT severity;
  std::string id, text;
};

/// A buffer with memory of its own, which is mapped.
struct GpuBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::span<std::byte> bytes;
  std::span<std::uint32_t> words() const {
    return {reinterpret_cast<std::uint32_t*>(bytes.data()), bytes.size() / 4};
  }
};

struct GpuImage {
  VkImage image = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::span<std::byte> bytes;  ///< of the memory
};

/// A binding of a set's layout with its flags.
struct GpuBinding {
  std::uint32_t binding;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  std::uint32_t count = 1;
  VkDescriptorBindingFlags flags = 0;
  const VkSampler* samplers = nullptr;
};

struct GpuPipeline {
  std::vector<VkDescriptorSetLayout> sets;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkShaderModule module = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
};

/// One set of a pipeline's layout.
struct GpuSet {
  std::vector<GpuBinding> bindings;
  VkDescriptorSetLayoutCreateFlags flags = 0;
};

struct GpuOptions {
  bool layer = true;            ///< the validation layer
  bool robust_buffers = false;  ///< robustBufferAccess and robustBufferAccess2
  bool lines = true;            ///< keep the lines of the source in modules
  bool info = false;  ///< also take messages of severity info that are no validation layer's
};

/// An instance and a device with every feature and extension. What it makes is destroyed with it.
class Gpu {
 public:
  explicit Gpu(GpuOptions options = {});
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  GpuBuffer buffer(VkDeviceSize size);
  /// A buffer with these words.
  GpuBuffer buffer(std::initializer_list<std::uint32_t> words);
  GpuImage image(VkImageCreateInfo info);
  VkImageView view(const GpuImage& image, VkImageViewType type, VkFormat format,
                   VkImageSubresourceRange range, VkComponentMapping components = {});
  VkSampler sampler(VkSamplerCreateInfo info);

  /// `chain` goes on from the pipeline's VkComputePipelineCreateInfo.
  GpuPipeline pipeline(const std::string& glsl, const std::vector<GpuSet>& sets,
                       std::uint32_t push_bytes = 0, const void* chain = nullptr);
  VkDescriptorSet set(VkDescriptorSetLayout layout, std::uint32_t variable_count = 0);
  /// Writes buffers to a binding, from an element on.
  void write(VkDescriptorSet set, std::uint32_t binding, std::uint32_t element,
             std::span<const VkDescriptorBufferInfo> buffers,
             VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  void write(VkDescriptorSet set, std::uint32_t binding, const GpuBuffer& buffer) {
    const VkDescriptorBufferInfo whole{buffer.buffer, 0, VK_WHOLE_SIZE};
    write(set, binding, 0, {&whole, 1});
  }
  void write(VkDescriptorSet set, std::uint32_t binding, const VkDescriptorImageInfo& image,
             VkDescriptorType type);

  VkCommandBuffer commands(VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  /// Records and ends.
  VkCommandBuffer record(const std::function<void(VkCommandBuffer)>& what,
                         VkCommandBufferUsageFlags usage = 0);
  void bind(VkCommandBuffer commands, const GpuPipeline& pipeline,
            std::initializer_list<VkDescriptorSet> sets,
            std::initializer_list<std::uint32_t> offsets = {});
  VkFence fence();
  VkSemaphore semaphore(bool timeline = false);
  /// Makes all writes of earlier commands visible to later ones.
  void barrier(VkCommandBuffer commands);
  VkResult submit(VkQueue queue, VkCommandBuffer commands, VkFence fence = VK_NULL_HANDLE);
  /// Submits and waits.
  VkResult run(const std::function<void(VkCommandBuffer)>& what);

  /// Messages of warnings and errors so far, the validation layer's included; then there are none.
  std::vector<Told> told();

  Functions vk;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queues[4] = {};

 private:
  void make_instance();
  void make_device();
  GpuOptions options_;
  /// What is to be done when it ends, the last first.
  std::vector<std::function<void()>> endings_;
  void* library_ = nullptr;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkDescriptorPool descriptors_ = VK_NULL_HANDLE;
  std::mutex telling_;
  std::vector<Told> told_;

  friend VkBool32 take(VkDebugUtilsMessageSeverityFlagBitsEXT,
                       const VkDebugUtilsMessengerCallbackDataEXT&, Gpu&);
};

/// Each message on a line, for checks that there are none.
std::string to_text(const std::vector<Told>& told);

}  // namespace lockstep::test
