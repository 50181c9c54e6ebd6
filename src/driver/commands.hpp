#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "driver/descriptors.hpp"
#include "driver/handle.hpp"

namespace lockstep::driver {

class Execution;
struct Device;

/// Recorded commands, which run one after another. What they refer to by pointers is copied when they are recorded;
/// memory, descriptor sets and pipelines are looked at when they run.
struct CommandBuffer {
  using Command = std::function<void(Execution&)>;

  explicit CommandBuffer(Device& owner) : device(owner) { set_loader_magic_value(&loader); }
  CommandBuffer(const CommandBuffer&) = delete;
  CommandBuffer& operator=(const CommandBuffer&) = delete;

  /// Adds a command; without memory for it vkEndCommandBuffer reports that.
  template <class F>
  void record(F command) noexcept {
    is_brief_ = false;
    record_brief(std::move(command));
  }
  /// Adds one that takes no time: it changes what is bound, or the caller counts its time.
  template <class F>
  void record_brief(F command) noexcept {
    try {
      commands_->emplace_back(std::move(command));
    } catch (const std::bad_alloc&) {
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
  }
  /// What was recorded so far. A submission keeps it, whatever becomes of the command buffer.
  std::shared_ptr<const std::vector<Command>> recorded() const { return commands_; }
  /// A dispatch of so many workgroups of the pipeline that was bound last.
  void count_dispatch(const Size3& groups);
  /// Whether all commands together take about as long as waking a thread, whatever is in memory.
  bool is_brief() const { return is_brief_; }
  void reset() {
    is_brief_ = true;
    brief_group = invocations_ = 0;
    commands_ = std::make_shared<std::vector<Command>>();
    pushed.clear();
    result = VK_SUCCESS;
  }
  /// The descriptors that were pushed to a set last, as a copy to change.
  std::shared_ptr<DescriptorMap> push_to(std::uint32_t set, const SharedSetLayout& layout);

  VK_LOADER_DATA loader{};  ///< the loader's, first in every dispatchable object
  Device& device;
  std::map<std::uint32_t, std::shared_ptr<const DescriptorMap>> pushed;
  VkResult result = VK_SUCCESS;
  std::uint64_t brief_group =
      0;  ///< CompiledPipeline::brief_group of the pipeline that was bound last

 private:
  bool is_brief_ = true;
  std::uint64_t invocations_ = 0;  ///< of all dispatches
  std::shared_ptr<std::vector<Command>> commands_ = std::make_shared<std::vector<Command>>();
};
using RecordedCommands = std::shared_ptr<const std::vector<CommandBuffer::Command>>;

struct CommandPool {
  std::map<CommandBuffer*, std::unique_ptr<CommandBuffer>> buffers;
};

LOCKSTEP_ICD_HANDLE(VkCommandBuffer, CommandBuffer)
LOCKSTEP_ICD_HANDLE(VkCommandPool, CommandPool)

}  // namespace lockstep::driver
