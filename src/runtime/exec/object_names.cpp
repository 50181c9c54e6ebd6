#include <lockstep/exec/object_names.hpp>

#include <array>
#include <atomic>
#include <mutex>

#include <lockstep/exec/intern.hpp>

namespace lockstep::object_names {
namespace {

/// By number; the first without a name ends them.
std::array<std::atomic<const char*>, most_object_names + 1> names{};

}  // namespace

std::uint32_t take(std::string_view name) {
  static auto& guard = *new std::mutex;
  const std::lock_guard lock(guard);
  for (std::uint32_t number = 1; number <= most_object_names; ++number) {
    const char* const taken = names[number];
    if (taken == nullptr) names[number] = intern(name);
    if (taken == nullptr || taken == name) return number;
  }
  return 0;
}

const char* find(std::uint32_t number) { return names[number]; }

}  // namespace lockstep::object_names
