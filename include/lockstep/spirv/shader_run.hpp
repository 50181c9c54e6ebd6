#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/exec/lenient.hpp>
#include <lockstep/exec/source_location.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

/// One access of a shader outside its memory. Reads returned zero and writes were dropped.
struct ShaderFault {
  bool write = false;
  std::string what;        ///< the buffer's or variable's name
  std::uint64_t byte = 0;  ///< the offset in it
  std::uint64_t size = 0;  ///< its size in bytes
  SourceLocation where;    ///< valid as long as the shader
  Size3 workgroup{0, 0, 0};
  std::uint32_t subgroup = 0;
  std::uint32_t lane = 0;
};

/// The result of a dispatch of a shader, besides what it wrote.
struct ShaderRun {
  std::uint64_t faults = 0;          ///< their number
  std::vector<ShaderFault> first;    ///< the first ones, 16 at most
  std::vector<std::string> printed;  ///< what debugPrintf printed, one entry a lane and call
  std::uint64_t steps = 0;           ///< iterations of loops, over all subgroups
  LenientNotes notes;                ///< what a lenient run tolerated
  /// What its machine code was written for: avx512, avx2, calls (any x86-64), or "none (why)".
  std::string machine_code;
};

}  // namespace lockstep
