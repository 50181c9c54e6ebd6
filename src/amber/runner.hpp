#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/mip_levels.hpp>
#include <lockstep/dispatch/profile.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/lenient.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/spirv/module.hpp>

#include "amber/memory.hpp"
#include "amber/outcome.hpp"
#include "amber/script.hpp"

namespace lockstep::amber {

/// A dispatch of a script as it is about to run, with all that it reads: for a device that repeats it.
struct ScriptRun {
  struct Resource {
    Binding::Kind kind = Binding::Kind::storage;
    std::uint32_t set = 0, binding = 0, element = 0;
    std::span<const std::byte> bytes;
    std::optional<lockstep::ImageFormat> format;  ///< of texels
    MipLevels levels;                             ///< of an image
  };
  std::string pipeline;  ///< its name
  Module module;
  std::string entry;
  std::vector<std::pair<std::uint32_t, double>> spec;
  Size3 groups;
  std::span<const std::byte> push_constants;
  std::uint32_t required_size = 0;  ///< of subgroups; 0: any
  std::vector<Resource> resources;
};

/// The device that scripts run on.
struct RunSettings {
  Profile profile;  ///< with the subgroup size for scripts that require none
  int threads = 0;  ///< 0 for all available
  std::uint64_t max_steps = default_max_trips;  ///< iterations of one loop
  const Convergence* convergence = nullptr;     ///< a rule and a chooser
  Lenient lenient = {};
  Checks checks = {};
  std::function<void(const ScriptRun&)> before_run = nullptr;  ///< is told each dispatch
  std::optional<CompileLimits> limits =
      {};  ///< of the shaders' compilation; none: without a process of its own
};

/// Runs a script's text. `path` names it in messages, and `read` returns the files that it names.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        In the outcome: no script content throws. A shader's access outside its buffers is
///               a failure unless the script requires robustBufferAccess.
/// Cost          That of its dispatches.
/// Spec          AmberScript
/// Example       tests/amber/runner.cpp
Outcome run_text(const std::string& path, const std::string& text, const RunSettings& settings,
                 const ReadFile& read);

}  // namespace lockstep::amber
