#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <tuple>

#include <lockstep/workgroup/size3.hpp>

#include "driver/pipeline.hpp"

namespace lockstep::driver {

/// Chooses dispatches that are run again, until the seconds for it are used up: each pipeline once for each number of
/// workgroups. Thread-safe.
class Ration {
 public:
  using Seconds = std::chrono::duration<double>;

  explicit Ration(std::uint64_t seconds) : all_(seconds) {}

  /// Whether a dispatch is to be run again: one like it has not been, and there is time.
  bool wants(const CompiledPipeline& pipeline, Size3 groups);
  Seconds left();
  /// One has been run again, in so much time.
  void use(Seconds seconds);
  /// "0.5 of 30 seconds; no time for 2 more".
  std::string summary();

 private:
  const std::uint64_t all_;
  std::mutex choosing_;
  std::set<std::tuple<const CompiledPipeline*, std::uint32_t, std::uint32_t, std::uint32_t>> seen_;
  std::uint64_t left_out_ = 0;
  Seconds used_{0};
};

}  // namespace lockstep::driver
