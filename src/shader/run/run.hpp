#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lockstep/spirv/shader.hpp>

#include "shader/run/bound_memory.hpp"
#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// The inputs of one dispatch.
struct DispatchArgs {
  const Program* program = nullptr;
  Size3 workgroups;
  Size3 base{0, 0, 0};  ///< the first one's number
  DispatchSettings settings;
  std::span<const std::uint32_t> lanes = {};  ///< instead of a mapping, its table
  const BoundMemory* bound = nullptr;
  std::span<const std::byte> push_constants = {};
  bool robust = false;                       ///< accesses outside memory are not faults
  const AddressSpace* addresses = nullptr;   ///< the objects of device addresses; null: none
  oracle::Provenance* provenance = nullptr;  ///< of one workgroup, likewise
  oracle::Memory* bounds = nullptr;          ///< of programs that keep it: what devices may have
};

/// Runs all workgroups.
ShaderRun run(const DispatchArgs& args);

}  // namespace lockstep::spirv
