#pragma once

#include <string>

/// \file
/// WGSL, which only programs of their own compile: the process of a run does so before it gives up files.

namespace lockstep::cli {

/// Whether PATH has a compiler of WGSL.
bool has_wgsl_compiler();

/// The message with what it leaves to whatever carries it: an experiment in WGSL gets its module, and the question for choices
/// that the page may offer WGSL. Unchanged without a compiler. Throws Error with the compiler's message.
std::string with_wgsl(const std::string& message);

}  // namespace lockstep::cli
