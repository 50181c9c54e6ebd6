#include "driver/settings.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/exec/error.hpp>

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
         fmt::format("there is no such profile; use one of: {}", fmt::join(names, ", ")));
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

Profile read_profile(bool graphics_stub) {
  Profile profile = named_profile();
  limit(profile);
  if (const auto size = number("LOCKSTEP_SUBGROUP_SIZE", 1, 128)) {
    const bool inside = *size >= profile.min_subgroup_size && *size <= profile.max_subgroup_size;
    if (!inside || (!profile.any_subgroup_size && !std::has_single_bit(unsigned(*size))))
      refuse("LOCKSTEP_SUBGROUP_SIZE", std::to_string(*size),
             fmt::format("profile {} has sizes {} to {}", profile.name, profile.min_subgroup_size,
                         profile.max_subgroup_size));
    profile.subgroup_size = *size;
  }
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
  settings.profile = read_profile(settings.graphics_stub);
  read("LOCKSTEP_CONVERGENCE", [&](const std::string& text) {
    settings.rule = rule_named(text);
    settings.has_convergence = true;
  });
  read("LOCKSTEP_CHOOSE", [&](const std::string& text) {
    settings.chooser = Chooser::parse(text);
    settings.has_convergence = true;
  });
  read("LOCKSTEP_CHECK", [&](const std::string& text) { settings.checks = Checks::parse(text); });
  settings.lenient.barriers = flag("LOCKSTEP_LENIENT", "barriers");
  settings.sarif = value_of("LOCKSTEP_SARIF").value_or("");
  settings.json = value_of("LOCKSTEP_JSON").value_or("");
  settings.capture = value_of("LOCKSTEP_CAPTURE").value_or("");
  settings.threads = number("LOCKSTEP_THREADS", 0, 1024).value_or(0);
  settings.max_steps = number("LOCKSTEP_MAX_STEPS", std::uint64_t{1}, std::uint64_t{1} << 62)
                           .value_or(default_max_trips);
  return settings;
}

}  // namespace lockstep::driver
