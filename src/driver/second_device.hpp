#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "capture/job/job.hpp"
#include "driver/ration.hpp"
#include "driver/settings.hpp"

namespace lockstep::driver {

/// Has dispatches run on a second Vulkan device, and its results judged. `lockstep vulkan` does both in a process of its
/// own: no other driver gets into the client's, and none that crashes ends it. Thread-safe.
class SecondDevice {
 public:
  explicit SecondDevice(const Settings& settings);

  /// Whether a dispatch is to run there.
  bool wants(const CompiledPipeline& pipeline, Size3 groups);
  /// What is wrong with the device's results, in words; nothing if nothing is. The job is written to the folder, which
  /// is there afterwards only if something is wrong, with the device's results.
  std::optional<std::string> compare(const job::Job& job, const std::filesystem::path& folder);
  /// "ran 3 kinds of dispatches on llvmpipe: 2 right, 1 wrong, 0.5 of 30 seconds"; empty without a second device.
  std::string summary();

 private:
  void count(const std::string& outcome, const std::string& device);

  const Settings& settings_;
  Ration ration_;
  std::atomic<bool> is_gone_ = false;
  std::mutex counting_;
  std::string device_;
  std::map<std::string, std::uint64_t> outcomes_;
};

}  // namespace lockstep::driver
