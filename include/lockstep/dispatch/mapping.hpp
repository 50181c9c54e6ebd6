#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

/// Which invocation of a workgroup runs in which lane of which subgroup. Vulkan promises nothing
/// here, so a kernel whose results change with the mapping relies on unspecified behaviour.
///
/// Requires      quads: the workgroup's x and y are even and the subgroup size is a multiple of four.
/// Active lanes  Under `shuffled` any lane of a partial subgroup may lack an invocation; under all
///               others it is the upper ones of the last subgroup.
/// Errors        The dispatch throws Error if quads do not fit.
/// Cost          One table per dispatch; none for `linear`.
/// Spec          Vulkan "Compute Shaders": the relation of SubgroupLocalInvocationId and
///               LocalInvocationIndex; DerivativeGroupQuadsKHR
/// Example       tests/dispatch/mapping.cpp
struct Mapping {
  enum class Kind : std::uint8_t { linear, reversed, shuffled, quads };

  Kind kind = Kind::linear;
  std::uint64_t seed = 0;

  /// Invocation n is lane n % size of subgroup n / size, as on most hardware.
  static constexpr Mapping linear() { return {}; }
  /// The last invocation comes first.
  static constexpr Mapping reversed() { return {Kind::reversed, 0}; }
  /// A random order that depends only on the seed.
  static constexpr Mapping shuffled(std::uint64_t seed) { return {Kind::shuffled, seed}; }
  /// Every four lanes form a block of 2x2 invocations, as derivatives in compute shaders require.
  static constexpr Mapping quads() { return {Kind::quads, 0}; }
};

/// gl_LocalInvocationIndex of each lane of each subgroup, in order, or no_invocation.
std::vector<std::uint32_t> invocations(const Mapping& mapping, Size3 local_size, int subgroup_size);
inline constexpr std::uint32_t no_invocation = 0xffffffff;

}  // namespace lockstep
