#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace lockstep::amber {

/// A malformed or unsupported script: what is wrong, and what to do.
struct ScriptError : std::runtime_error {
  ScriptError(std::uint32_t at, const std::string& what) : std::runtime_error(what), line(at) {}

  std::uint32_t line;  ///< from 1
};

}  // namespace lockstep::amber
