#pragma once

#include <cstdint>
#include <string>

#include <lockstep/dispatch/profile.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>

#include "amber/memory.hpp"
#include "amber/outcome.hpp"

namespace lockstep::amber {

/// The device that scripts run on.
struct RunSettings {
  Profile profile;                     ///< with the subgroup size where a script asks for none
  int threads = 0;                     ///< 0 for all of the machine
  std::uint64_t max_steps = 1u << 26;  ///< trips of loops in one subgroup
  const Convergence* convergence = nullptr;  ///< a rule and a chooser
};

/// Runs a script's text; `path` stands for it in messages, and `read` gives the files it names.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        In the outcome: nothing the script holds is thrown. A shader's access outside its
///               buffers is a failure unless the script asks for robustBufferAccess.
/// Cost          That of its dispatches.
/// Spec          AmberScript
/// Example       tests/amber/runner.cpp
Outcome run_text(const std::string& path, const std::string& text, const RunSettings& settings,
                 const ReadFile& read);

}  // namespace lockstep::amber
