#pragma once

#include <optional>
#include <string>

#include <lockstep/dispatch/profile.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/lenient.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>

#include "explore/dimension.hpp"

namespace lockstep::driver {

/// What the environment says about a device, read when an instance is created:
///
/// | variable | as the option of `lockstep run` |
/// | --- | --- |
/// | LOCKSTEP_SUBGROUP_SIZE | --subgroup-size: the default size; pipelines may require another |
/// | LOCKSTEP_SUBGROUP_SIZE_CONTROL=off | pipelines may require no other size |
/// | LOCKSTEP_DEVICE | --device |
/// | LOCKSTEP_CONVERGENCE, LOCKSTEP_CHOOSE | --convergence, --choose |
/// | LOCKSTEP_LENIENT | --lenient |
/// | LOCKSTEP_CHECK | --check; empty or all: every rule |
/// | LOCKSTEP_SARIF, LOCKSTEP_JSON | files for the findings |
/// | LOCKSTEP_CAPTURE | a folder for jobs, one of each dispatch |
/// | LOCKSTEP_THREADS | --threads |
/// | LOCKSTEP_MAX_SECONDS | --max-seconds |
/// | LOCKSTEP_MAX_STEPS | --max-steps, instead of seconds |
/// | LOCKSTEP_BEYOND_VULKAN=1 | --beyond-vulkan |
/// | LOCKSTEP_EXPLORE, LOCKSTEP_BUDGET | --explore, --budget |
/// | LOCKSTEP_AGAINST | a socket: `lockstep vulkan --against` runs dispatches there on a second device |
/// | LOCKSTEP_FOUND | a file that is made once something is found |
/// | LOCKSTEP_MODULES | a folder for shader modules that findings are in |
/// | LOCKSTEP_VULKAN_GRAPHICS=stub | a queue for graphics, on which nothing can be drawn |
/// | LOCKSTEP_VULKAN_CONFORMANCE=claimed | conformanceVersion is 1.3.0.0 instead of 0.0.0.0 |
struct Settings {
  /// Throws Error for a value that is no such thing, with the name of its variable.
  static Settings from_environment();

  /// What the device reports, and kernels may use: the profile without what the driver lacks.
  Profile profile;
  Rule rule = Rule::maximal;
  std::optional<Chooser> chooser;
  bool has_convergence = false;
  Lenient lenient;
  Checks checks;
  std::string sarif, json, capture, against, found, modules;
  int threads = 0;
  std::uint64_t max_seconds = 60;
  std::uint64_t max_steps = 0;  ///< 0: loops are limited by time
  explore::Dimensions explore;  ///< what dispatches are run again under
  std::uint64_t budget = 30;    ///< seconds for that, and for the second device
  bool beyond_vulkan = false;   ///< sizes that are no power of two
  bool graphics_stub = false;
  bool claims_conformance = false;
};

}  // namespace lockstep::driver
