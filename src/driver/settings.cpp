#include "driver/settings.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/error.hpp>

#include "driver/failure.hpp"
#include "io/similar.hpp"

namespace lockstep::driver {
namespace {

/// The value of a variable; nothing if it is not set.
std::optional<std::string> value_of(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const char* name, std::string_view value, std::string_view what) {
  throw Error(fmt::format("{}={}: {}", name, value, what));
}

/// A whole number in a range; nothing if the variable is not set.
template <class T>
std::optional<T> number(const char* name, T least, T most) {
  const auto text = value_of(name);
  if (!text) return std::nullopt;
  T value{};
  const auto [end, failure] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (failure != std::errc() || end != text->data() + text->size() || value < least || value > most)
    refuse(name, *text, fmt::format("must be a number from {} to {}", least, most));
  return value;
}

/// Whether a variable has the one value that it may have.
bool flag(const char* name, std::string_view value) {
  const auto text = value_of(name);
  if (!text || text->empty()) return false;
  if (*text != value) refuse(name, *text, fmt::format("must be {}", value));
  return true;
}

Profile named_profile() {
  const auto name = value_of("LOCKSTEP_DEVICE");
  if (!name || name->empty()) return {};
  if (const Profile* found = profile::find(*name)) return *found;
  std::vector<std::string_view> names;
  for (const Profile* profile : profile::all()) names.push_back(profile->name);
  refuse("LOCKSTEP_DEVICE", *name,
         fmt::format("unknown profile; use one of: {}", fmt::join(names, ", ")));
}

/// The profile for teaching has no limits; clients size their work by those that a device reports.
void limit(Profile& profile) {
  const auto at_most = [](std::uint32_t& value, std::uint32_t most) {
    value = std::min(value, most);
  };
  const auto each = [&](Size3& size, Size3 most) {
    at_most(size.x, most.x);
    at_most(size.y, most.y);
    at_most(size.z, most.z);
  };
  at_most(profile.max_compute_workgroup_subgroups, 1024);
  at_most(profile.max_compute_shared_memory_size, 65536);
  each(profile.max_compute_work_group_count, {0x7fffffff, 65535, 65535});
  at_most(profile.max_compute_work_group_invocations, 1024);
  each(profile.max_compute_work_group_size, {1024, 1024, 1024});
}

/// Quads have four lanes: a size below them rules out what needs quads.
void keep_quads_whole(Profile& profile) {
  using enum Feature;
  constexpr Features of_quads{quad, shader_quad_control, shader_subgroup_uniform_control_flow,
                              compute_derivative_group_quads, compute_derivative_group_linear};
  if (profile.subgroup_size < 4)
    profile.features = profile.features.without(of_quads);
  else if (profile.features.contain(quad))
    profile.min_subgroup_size = std::max(profile.min_subgroup_size, 4);
}

/// Some programs require a size wherever they can choose one, such as Dawn, which takes 8.
void take_size_control(Profile& profile) {
  profile.min_subgroup_size = profile.max_subgroup_size = profile.subgroup_size;
  profile.required_subgroup_size_stages = 0;
}

/// Sets the default size.
void take_size(Profile& profile, int size, bool beyond_vulkan) {
  constexpr const char* name = "LOCKSTEP_SUBGROUP_SIZE";
  const bool is_power = std::has_single_bit(static_cast<unsigned>(size));
  if (size < profile.min_subgroup_size || size > profile.max_subgroup_size ||
      (!is_power && beyond_vulkan && !profile.any_subgroup_size))
    refuse(name, std::to_string(size),
           fmt::format("profile {} has sizes {} to {}", profile.name, profile.min_subgroup_size,
                       profile.max_subgroup_size));
  if (!is_power && !beyond_vulkan)
    refuse(name, std::to_string(size),
           "Vulkan's subgroup sizes are powers of two; to use this one anyway, add --beyond-vulkan "
           "(LOCKSTEP_BEYOND_VULKAN=1)");
  profile.subgroup_size = size;
}

Profile read_profile(bool graphics_stub, bool beyond_vulkan) {
  Profile profile = named_profile();
  limit(profile);
  if (const auto size = number("LOCKSTEP_SUBGROUP_SIZE", 1, 128))
    take_size(profile, *size, beyond_vulkan);
  profile.any_subgroup_size = profile.any_subgroup_size && beyond_vulkan;
  keep_quads_whole(profile);
  if (flag("LOCKSTEP_SUBGROUP_SIZE_CONTROL", "off")) take_size_control(profile);
  profile.supported_stages = stages::compute | (graphics_stub ? stages::fragment : 0);
  profile.required_subgroup_size_stages &= stages::compute;
  profile.quad_operations_in_all_stages = false;
  return profile;
}

Rule rule_named(const std::string& name) {
  for (const Rule rule : {Rule::maximal, Rule::subgroup_uniform, Rule::core})
    if (to_string(rule) == name) return rule;
  refuse("LOCKSTEP_CONVERGENCE", name, "must be maximal, subgroup-uniform or core");
}

/// All variables that the driver reads, and the engine.
const std::vector<std::string>& variables() {
  static const std::vector<std::string> all{"LOCKSTEP_SUBGROUP_SIZE",
                                            "LOCKSTEP_SUBGROUP_SIZE_CONTROL",
                                            "LOCKSTEP_DEVICE",
                                            "LOCKSTEP_CONVERGENCE",
                                            "LOCKSTEP_CHOOSE",
                                            "LOCKSTEP_LENIENT",
                                            "LOCKSTEP_CHECK",
                                            "LOCKSTEP_SARIF",
                                            "LOCKSTEP_JSON",
                                            "LOCKSTEP_CAPTURE",
                                            "LOCKSTEP_EXPLORE",
                                            "LOCKSTEP_AGAINST",
                                            "LOCKSTEP_BUDGET",
                                            "LOCKSTEP_THREADS",
                                            "LOCKSTEP_MAX_SECONDS",
                                            "LOCKSTEP_MAX_STEPS",
                                            "LOCKSTEP_BEYOND_VULKAN",
                                            "LOCKSTEP_FOUND",
                                            "LOCKSTEP_MODULES",
                                            "LOCKSTEP_VULKAN_GRAPHICS",
                                            "LOCKSTEP_VULKAN_CONFORMANCE",
                                            "LOCKSTEP_NATIVE"};
  return all;
}

/// Names on stderr variables that look like the driver's and are not, once in a process.
void warn_of_misspelt_variables() {
  static std::atomic<bool> done = false;
  if (done.exchange(true)) return;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry, name = text.substr(0, text.find('='));
    // Lockstep's program and its tests have variables of their own.
    if (!name.starts_with("LOCKSTEP_") || name.starts_with("LOCKSTEP_TEST_") ||
        name.starts_with("LOCKSTEP_BENCH_") || name == "LOCKSTEP_CACHE" ||
        name == "LOCKSTEP_UPDATE_DOCS" || std::ranges::find(variables(), name) != variables().end())
      continue;
    const std::string meant = io::most_similar(name, variables());
    print_error(fmt::format("{} is not a variable of the driver{}", name,
                            meant.empty() ? "; see docs/guide/driver.md" : "; " + meant + " is"));
  }
}

/// What `parse` makes of a variable that is set.
template <class F>
void read(const char* name, F parse) {
  const auto text = value_of(name);
  if (!text) return;
  try {
    parse(*text);
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(name)) throw;
    refuse(name, *text, error.what());
  }
}

}  // namespace

Settings Settings::from_environment() {
  Settings settings;
  settings.graphics_stub = flag("LOCKSTEP_VULKAN_GRAPHICS", "stub");
  settings.claims_conformance = flag("LOCKSTEP_VULKAN_CONFORMANCE", "claimed");
  settings.beyond_vulkan = flag("LOCKSTEP_BEYOND_VULKAN", "1");
  settings.profile = read_profile(settings.graphics_stub, settings.beyond_vulkan);
  read("LOCKSTEP_CONVERGENCE", [&](const std::string& text) {
    settings.rule = rule_named(text);
    settings.has_convergence = true;
  });
  read("LOCKSTEP_CHOOSE", [&](const std::string& text) {
    settings.chooser = Chooser::parse(text);
    settings.has_convergence = true;
  });
  read("LOCKSTEP_CHECK", [&](const std::string& text) { settings.checks = Checks::parse(text); });
  read("LOCKSTEP_EXPLORE", [&](const std::string& text) {
    settings.explore = explore::Dimensions::parse_for_programs(text.empty() ? "all" : text);
  });
  settings.budget = number("LOCKSTEP_BUDGET", std::uint64_t{1}, std::uint64_t{86400}).value_or(30);
  settings.lenient.barriers = flag("LOCKSTEP_LENIENT", "barriers");
  settings.sarif = value_of("LOCKSTEP_SARIF").value_or("");
  settings.json = value_of("LOCKSTEP_JSON").value_or("");
  settings.capture = value_of("LOCKSTEP_CAPTURE").value_or("");
  settings.against = value_of("LOCKSTEP_AGAINST").value_or("");
  settings.found = value_of("LOCKSTEP_FOUND").value_or("");
  settings.modules = value_of("LOCKSTEP_MODULES").value_or("");
  settings.threads = number("LOCKSTEP_THREADS", 0, 1024).value_or(0);
  constexpr std::uint64_t year = 366 * 86400;
  settings.max_seconds = number("LOCKSTEP_MAX_SECONDS", std::uint64_t{1}, year).value_or(60);
  settings.max_steps =
      number("LOCKSTEP_MAX_STEPS", std::uint64_t{1}, std::uint64_t{1} << 62).value_or(0);
  warn_of_misspelt_variables();
  return settings;
}

}  // namespace lockstep::driver
