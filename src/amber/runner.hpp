#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <lockstep/dispatch/profile.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/lenient.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/spirv/module.hpp>

#include "amber/memory.hpp"
#include "amber/outcome.hpp"

namespace lockstep::amber {

/// The device that scripts run on.
struct RunSettings {
  Profile profile;  ///< with the subgroup size for scripts that require none
  int threads = 0;  ///< 0 for all available
  std::uint64_t max_steps = default_max_trips;  ///< iterations of one loop
  const Convergence* convergence = nullptr;     ///< a rule and a chooser
  Lenient lenient = {};
  Checks checks = {};
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
