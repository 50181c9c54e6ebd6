#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <lockstep/exec/fault_log.hpp>
#include <lockstep/spirv/address_space.hpp>

#include "driver/extensions.hpp"
#include "driver/features.hpp"
#include "driver/forks.hpp"
#include "driver/handle.hpp"
#include "driver/instance.hpp"
#include "driver/pipeline.hpp"
#include "driver/queue.hpp"
#include "driver/sync.hpp"

namespace lockstep::driver {

class DispatchPlace;

/// A device and everything that its objects share.
struct Device {
  Device(PhysicalDevice& on, const VkDeviceCreateInfo& info);

  const Settings& settings() const { return physical.instance->settings; }

  /// Destroys an object, or several, once no submission can use it.
  void retire(std::shared_ptr<void> object);
  template <class Object>
  void retire(Object* object) {
    if (object != nullptr) retire(std::shared_ptr<void>(std::shared_ptr<Object>(object)));
  }

  /// Tells the program, and stderr, what went wrong.
  void tell_error(std::string_view id, const std::string& what);
  /// Tells of findings in places that had none before.
  void tell_findings(const FaultLog& log, const DispatchPlace& where);
  /// The device cannot go on.
  void lose(const std::string& why);

  VK_LOADER_DATA loader{};  ///< the loader's, first in every dispatchable object
  PhysicalDevice& physical;
  EnabledFeatures features;
  EnabledExtensions extensions;
  AddressSpace addresses;
  std::atomic<bool> gave_addresses = false;  ///< of buffers
  bool several_queues = false;               ///< which may use the same memory at the same time
  RecentPipelines pipelines;
  std::atomic<std::uint32_t> modules_made = 0, pipelines_made = 0;
  SyncHub hub;
  ForkWatch fork_watch{hub};
  std::array<std::unique_ptr<Queue>, Retired::queues>
      queues;  ///< they stop before anything else is gone
};

/// As guarded(), and tells the program and stderr why a command fails.
template <class F>
VkResult told(Device& device, std::string_view id, F body) noexcept {
  return guarded([&] {
    try {
      return body();
    } catch (const Failure& failure) {
      if (const std::string what = failure.what(); !what.empty()) device.tell_error(id, what);
      throw;
    }
  });
}

LOCKSTEP_ICD_HANDLE(VkDevice, Device)

}  // namespace lockstep::driver
