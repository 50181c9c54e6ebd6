#pragma once

#include <filesystem>
#include <string>

#include "amber/runner.hpp"
#include "io/files.hpp"

namespace lockstep::cli {

/// Reads the files that a script names: its paths are relative to the script's own directory.
inline amber::ReadFile files_beside(const std::string& script) {
  return [directory = std::filesystem::path(script).parent_path()](const std::string& path) {
    return lockstep::io::read_text((directory / path).string());
  };
}

}  // namespace lockstep::cli
