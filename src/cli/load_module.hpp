#pragma once

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/module.hpp>

#include "cli/run_options.hpp"

namespace lockstep::cli {

/// Calls f; what the compiler or the engine does not support becomes a UsageError of one line.
template <class F>
auto with_usage_errors(F f) {
  try {
    return f();
  } catch (const Error& error) {
    throw UsageError(first_line(error.what()));
  }
}

/// The first file, compiled with the options of the command line. Throws UsageError.
Module load_module(const RunOptions& options);

}  // namespace lockstep::cli
