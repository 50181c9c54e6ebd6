#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/dispatch/features.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

/// The declarations of a shader.
struct ShaderInterface {
  /// A buffer that the shader declares.
  struct Buffer {
    std::uint32_t set = 0, binding = 0;
    std::uint32_t elements = 1;  ///< of an array of buffers
    bool at_most = false;        ///< an array without a size: up to `elements` may be bound
    bool writable = true;
    std::string name;
  };

  /// A sampler that the shader uses.
  struct Sampler {
    std::uint32_t set = 0, binding = 0;
    bool compares = false;  ///< its accesses compare with a reference (sampler2DShadow, SampleCmp)
    bool filters = true;    ///< it may be linear: all its images have floats
  };

  Size3 local_size;
  std::vector<Buffer> buffers;
  std::vector<Sampler> samplers;
  bool uses_push_constants = false;
  Features needs;  ///< of the device
  std::vector<std::string_view>
      built_ins;  ///< subgroup built-ins that it calls, by name, as in GLSL
  std::uint32_t shared_memory_bytes = 0;
  bool maximally_reconverges = false;
  bool subgroup_uniform_control_flow = false;
};

}  // namespace lockstep
