#pragma once

#include <vector>

#include "spirv/exec/program.hpp"

namespace lockstep::spirv {

/// What one dispatch runs on.
struct Job {
  const Program* program = nullptr;
  Size3 workgroups;
  DispatchSettings settings;
  std::vector<Memory> memory;  ///< by resource; workgroup memory is filled in by each thread
};

/// Runs all workgroups.
ShaderRun run(const Job& job);

}  // namespace lockstep::spirv
