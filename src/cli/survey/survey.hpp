#pragma once

#include "cli/command.hpp"

namespace lockstep::cli {

/// `lockstep survey`: inspects, runs and checks every compute shader below folders.
Command survey_command(CLI::App& program);

}  // namespace lockstep::cli
