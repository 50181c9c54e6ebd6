#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "capture/job/job.hpp"
#include "driver/pipeline.hpp"
#include "driver/settings.hpp"

namespace lockstep::driver {

/// Runs dispatches again under other choices that Vulkan leaves to devices, until the seconds for it are used up: each
/// pipeline once for each number of workgroups. Thread-safe.
class Explorer {
 public:
  explicit Explorer(const Settings& settings);

  /// Whether a dispatch is to be explored: one like it has not been, and there is time.
  bool wants(const CompiledPipeline& pipeline, Size3 groups);
  /// What the results of the job depend on, in words; nothing if they never changed. The job has what the dispatch read,
  /// and its first result is not looked at.
  std::optional<std::string> explore(const job::Job& job);
  /// "explored 3 kinds of dispatches in 120 runs, 1.5 of 30 seconds"; empty without exploring.
  std::string summary();

 private:
  std::chrono::duration<double> time_for_one();

  const Settings& settings_;
  std::mutex choosing_;
  std::set<std::tuple<const CompiledPipeline*, std::uint32_t, std::uint32_t, std::uint32_t>> seen_;
  std::uint64_t kinds_ = 0, left_out_ = 0, runs_ = 0;
  std::chrono::duration<double> used_{0};
};

}  // namespace lockstep::driver
