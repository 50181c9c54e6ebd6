#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/child_program.hpp"

/// \file
/// The compute shaders of a folder, and messages about them.

namespace lockstep::cli {

/// Whether a file may be a compute shader, by its ending and its text; include files are not.
bool is_compute_shader(const std::filesystem::path& path);

/// The file, or all files below the folder that may be compute shaders, sorted; include files are not. Throws UsageError if
/// the path does not exist.
std::vector<std::string> shaders_at(const std::string& path);

/// The first line that this program wrote to standard error, without the file's name.
std::string message_of(const ChildOutcome& outcome, const std::string& file);

/// The entry points that a message lists: "has no entry point 'main'; functions with [numthreads] are A, B: name one
/// ...", or "...; it has 'A', 'B'".
std::vector<std::string> entry_points_in(const std::string& message);

}  // namespace lockstep::cli
