#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "capture/job/job.hpp"
#include "driver/ration.hpp"
#include "driver/settings.hpp"

namespace lockstep::driver {

/// Runs dispatches again under other choices that Vulkan leaves to devices. Thread-safe.
class Explorer {
 public:
  explicit Explorer(const Settings& settings);

  /// Whether a dispatch is to be explored.
  bool wants(const CompiledPipeline& pipeline, Size3 groups);
  /// What the results of the job depend on, in words; nothing if they never changed. The job has what the dispatch read,
  /// and its first result is not looked at.
  std::optional<std::string> explore(const job::Job& job);
  /// "explored 3 kinds of dispatches in 120 runs, 1.5 of 30 seconds"; empty without exploring.
  std::string summary();

 private:
  const Settings& settings_;
  Ration ration_;
  std::atomic<std::uint64_t> kinds_ = 0, runs_ = 0;
};

}  // namespace lockstep::driver
