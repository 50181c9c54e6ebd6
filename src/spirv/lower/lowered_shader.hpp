#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <lockstep/dispatch/profile.hpp>
#include <lockstep/spirv/shader_interface.hpp>

#include "spirv/front/decoded_module.hpp"
#include "spirv/lower/lower.hpp"

namespace lockstep::spirv {

/// What a shader does with a resource: what nothing is done with need not be bound.
struct ResourceAccess {
  bool used = false, written = false;
};

/// An instruction that takes an image and a sampler of those that follow `image` and `sampler`.
struct SamplerUse {
  std::uint32_t image = 0, sampler = 0;  ///< resources
  std::uint32_t samplers = 1;            ///< that the index may choose from
  bool compares = false, gathers = false;
  SourceLocation where;
};

/// An entry point with its specialization, lowered: all that does not depend on the subgroup size.
struct LoweredShader {
  LoweredShader(std::shared_ptr<const DecodedModule> decoded, const LowerOptions& options);

  /// Throws Error if a device of that profile could not do such a dispatch, naming what is missing.
  void check(const Profile& profile, int subgroup_size, Size3 workgroups) const;

  std::shared_ptr<const DecodedModule> module;
  Ir ir;
  ShaderInterface interface;
  std::vector<ResourceAccess> accesses;  ///< by resource
  std::vector<SamplerUse> sampler_uses;
  std::uint64_t push_bytes = 0;  ///< that the shader asks for
};

}  // namespace lockstep::spirv
