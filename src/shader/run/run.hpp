#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/spirv/shader.hpp>

#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// The inputs of one dispatch.
struct DispatchArgs {
  const Program* program = nullptr;
  Size3 workgroups;
  Size3 base{0, 0, 0};  ///< the first one's number
  DispatchSettings settings;
  std::span<const std::uint32_t> lanes = {};  ///< instead of a mapping, its table
  std::vector<Memory> memory;                ///< by resource; each thread fills in workgroup memory
  bool robust = false;                       ///< accesses outside memory are not faults
  const AddressSpace* addresses = nullptr;   ///< the objects of device addresses; null: none
  oracle::Provenance* provenance = nullptr;  ///< of one workgroup, likewise
  oracle::Memory* bounds = nullptr;          ///< of programs that keep it: what devices may have
};

/// Runs all workgroups.
ShaderRun run(const DispatchArgs& args);

}  // namespace lockstep::spirv
