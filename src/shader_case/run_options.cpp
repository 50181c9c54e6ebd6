#include "shader_case/run_options.hpp"

#include <fmt/format.h>

#include <lockstep/exec/error.hpp>

#include "io/choices.hpp"
#include "io/error.hpp"
#include "shader_case/usage_error.hpp"

namespace lockstep::shader_case {
namespace {

/// f(), whose InputError is wrong usage.
template <class F>
auto with_usage_error(F&& f) {
  try {
    return f();
  } catch (const lockstep::io::InputError& error) {
    throw UsageError(error.what());
  }
}

Chooser chooser_named(const std::string& text) {
  try {
    return text.empty() ? Chooser::rejoin_all() : Chooser::parse(text);
  } catch (const Error& error) {
    throw UsageError(std::string("--choose: ") + error.what());
  }
}

}  // namespace

Profile profile_of(const RunOptions& options) {
  if (options.device.empty()) {
    Profile profile;
    profile.subgroup_size = options.subgroup_size.value_or(profile.subgroup_size);
    return profile;
  }
  if (const Profile* found = profile::find(options.device)) {
    Profile profile = *found;
    profile.subgroup_size = options.subgroup_size.value_or(profile.subgroup_size);
    return profile;
  }
  throw UsageError(fmt::format(
      "--device {}: unknown profile; choose one that lockstep devices lists", options.device));
}

Mapping mapping_of(const RunOptions& options) {
  return with_usage_error(
      [&] { return lockstep::io::parse_mapping(options.mapping, options.partial); });
}

WorkgroupOrder order_of(const RunOptions& options) {
  return with_usage_error([&] { return lockstep::io::parse_workgroup_order(options.order); });
}

Checks checks_of(const RunOptions& options) {
  if (!options.check) return {};
  try {
    return Checks::parse(*options.check);
  } catch (const Error& error) {
    throw UsageError(fmt::format("--check: {}", error.what()));
  }
}

Lenient lenient_of(const RunOptions& options) {
  return {.barriers = options.lenient == "barriers"};
}

FloatOrder float_order_of(const RunOptions& options) {
  return with_usage_error([&] { return lockstep::io::parse_float_order(options.strict_order); });
}

RunConvergence::RunConvergence(const RunOptions& options)
    : chooser_(chooser_named(options.choose)),
      convergence_{.rule = lockstep::io::parse_rule(options.convergence),
                   .chooser = options.choose.empty() ? nullptr : &chooser_,
                   .observer = nullptr,
                   .max_trips = options.max_steps},
      named_(!options.convergence.empty() || !options.choose.empty()) {}

const Convergence* RunConvergence::get(Observer* observer) {
  convergence_.observer = observer;
  return named_ || observer != nullptr ? &convergence_ : nullptr;
}

const Convergence* RunConvergence::get(std::vector<Observer*> observers) {
  convergence_.observers = std::move(observers);
  return named_ || !convergence_.observers.empty() ? &convergence_ : nullptr;
}

std::string first_line(const std::string& message) {
  const std::string line = message.substr(0, message.find('\n'));
  return line.substr(0, line.find_last_not_of(" \r") + 1);
}

}  // namespace lockstep::shader_case
