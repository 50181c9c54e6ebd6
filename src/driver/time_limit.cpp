#include "driver/time_limit.hpp"

#include <atomic>
#include <chrono>

#include <fmt/format.h>

namespace lockstep::driver {
namespace {

std::int64_t now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::nanoseconds(time).count();
}

/// The workgroup that a thread asked for last.
struct Asked {
  std::uint64_t limit = 0;
  Size3 workgroup{0, 0, 0};
};
thread_local Asked asked;

std::atomic<std::uint64_t> limits = 0;

}  // namespace

TimeLimit::TimeLimit(std::uint64_t seconds)
    : seconds_(seconds), number_(++limits), progressed_(now()) {}

bool TimeLimit::goes_on(const Size3& workgroup) {
  const auto [x, y, z] = asked.workgroup;
  const bool is_known =
      asked.limit == number_ && x == workgroup.x && y == workgroup.y && z == workgroup.z;
  asked = {number_, workgroup};
  const std::int64_t time = now();
  const std::lock_guard lock(asking_);
  if (!is_known) progressed_ = time;
  return time - progressed_ < static_cast<std::int64_t>(seconds_) * 1'000'000'000;
}

EndlessLoop::LimitWords TimeLimit::words() const {
  return {fmt::format("after {} second{} without progress", seconds_, seconds_ == 1 ? "" : "s"),
          "raise --max-seconds of lockstep vulkan (LOCKSTEP_MAX_SECONDS)"};
}

}  // namespace lockstep::driver
