#pragma once

#include <vector>

#include <lockstep/spirv/shader.hpp>

#include "spirv/exec/program.hpp"

namespace lockstep::spirv {

/// What one dispatch runs on.
struct Job {
  const Program* program = nullptr;
  Size3 workgroups;
  Size3 base{0, 0, 0};  ///< the first one's number
  DispatchSettings settings;
  std::vector<Memory> memory;  ///< by resource; workgroup memory is filled in by each thread
  bool robust = false;         ///< accesses outside memory are no faults
  const AddressSpace* addresses = nullptr;  ///< what device addresses mean; none: nothing
};

/// Runs all workgroups.
ShaderRun run(const Job& job);

}  // namespace lockstep::spirv
