#pragma once

#include <lockstep/spirv/module.hpp>

#include "cli/run_options.hpp"

namespace lockstep::cli {

/// The first file, compiled with the options of the command line. Throws UsageError.
Module load_module(const RunOptions& options);

}  // namespace lockstep::cli
