#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <lockstep/dispatch/profile.hpp>
#include <lockstep/spirv/shader_interface.hpp>

#include "shader/front/decoded_module.hpp"
#include "shader/lower/lower.hpp"

namespace lockstep::spirv {

/// What a shader does with a resource: unused resources need not be bound.
struct ResourceAccess {
  bool used = false, written = false;
};

/// An instruction that takes an image and a sampler from those that start at `image` and `sampler`.
struct SamplerUse {
  std::uint32_t image = 0, sampler = 0;  ///< resources
  std::uint32_t samplers = 1;            ///< that the index may select
  bool compares = false, gathers = false;
  SourceLocation where;
};

/// A lowered entry point with its specialization: everything that does not depend on the subgroup size, except for
/// cooperative matrices.
struct LoweredShader {
  LoweredShader(std::shared_ptr<const DecodedModule> decoded, const LowerOptions& how);

  /// Throws Error if a device of that profile does not support the dispatch, and names what is missing.
  void check(const Profile& profile, int subgroup_size, Size3 workgroups) const;

  std::shared_ptr<const DecodedModule> module;
  LowerOptions options;
  Ir ir;
  ShaderInterface interface;
  std::vector<ResourceAccess> accesses;  ///< by resource
  std::vector<bool> written;             ///< by resource: maybe, also by an address
  std::vector<SamplerUse> sampler_uses;
  std::uint64_t push_bytes = 0;  ///< size that the shader needs
};

/// The shader for subgroups of that size, lowered again if it depends on it. Throws Error if a cooperative matrix has
/// fewer elements than that.
std::shared_ptr<const LoweredShader> at_subgroup_size(std::shared_ptr<const LoweredShader> shader,
                                                      int size);

}  // namespace lockstep::spirv
