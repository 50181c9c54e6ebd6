#include "driver/time_limit.hpp"

#include <atomic>
#include <chrono>
#include <string_view>

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

std::string TimeLimit::in_words(std::string message) const {
  const auto replace = [&](std::string_view old, const std::string& text) {
    if (const auto at = message.find(old); at != message.npos)
      message.replace(at, old.size(), text);
  };
  constexpr std::string_view before = "are still in it after ", unit = " iterations";
  const auto first = message.find(before), last = message.find(unit, first);
  if (first != message.npos && last != message.npos)
    message.replace(
        first + before.size(), last + unit.size() - first - before.size(),
        fmt::format("{} second{} without progress", seconds_, seconds_ == 1 ? "" : "s"));
  replace("raise max_trips (--max-steps of lockstep run)",
          "raise --max-seconds of lockstep vulkan (LOCKSTEP_MAX_SECONDS)");
  return message;
}

}  // namespace lockstep::driver
