#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

/// The assignment of a workgroup's invocations to lanes of subgroups. Vulkan promises nothing
/// here, so a kernel whose results change with the mapping relies on unspecified behaviour.
///
/// Requires      quads: the workgroup's x and y are even and the subgroup size is a multiple of four.
/// Active lanes  Under `shuffled` any lane of a partial subgroup may lack an invocation; under all
///               others it is the upper ones of the last subgroup. `filling` makes others partial.
/// Errors        The dispatch throws Error if quads do not fit.
/// Cost          One table per dispatch; none for `linear`.
/// Spec          Vulkan "Compute Shaders": the relation of SubgroupLocalInvocationId and
///               LocalInvocationIndex; DerivativeGroupQuadsKHR
/// Example       tests/dispatch/mapping.cpp
struct Mapping {
  /// The ways to map invocations to lanes.
  enum class Kind : std::uint8_t { linear, reversed, shuffled, quads };

  /// How invocations are spread over subgroups where the device need not fill them.
  enum class Filling : std::uint8_t {
    full,  ///< each has as many as it has room for, except the last
    even,  ///< over one subgroup more than needed, each with about as many, in its lower lanes
    random,  ///< likewise, but any number of them in any lanes of each, which depends only on the seed
  };

  Kind kind = Kind::linear;
  std::uint64_t seed = 0;
  Filling filling = Filling::full;
  std::uint64_t filling_seed = 0;

  /// Invocation n is lane n % size of subgroup n / size, as on most hardware.
  static constexpr Mapping linear() { return {}; }
  /// The last invocation comes first.
  static constexpr Mapping reversed() { return {Kind::reversed, 0}; }
  /// A random order that depends only on the seed.
  static constexpr Mapping shuffled(std::uint64_t seed) { return {Kind::shuffled, seed}; }
  /// Every four lanes form a block of 2x2 invocations, as derivatives in compute shaders require.
  static constexpr Mapping quads() { return {Kind::quads, 0}; }
  /// The same order in subgroups that are filled otherwise.
  constexpr Mapping filled(Filling how, std::uint64_t with_seed = 0) const {
    return {kind, seed, how, with_seed};
  }

  /// Whether invocation n is lane n % size of subgroup n / size.
  constexpr bool is_linear() const { return kind == Kind::linear && filling == Filling::full; }
  friend bool operator==(const Mapping&, const Mapping&) = default;
};

/// How many subgroups a workgroup of so many invocations has.
std::uint32_t subgroup_count(const Mapping& mapping, std::uint32_t invocations, int subgroup_size);
/// gl_LocalInvocationIndex of each lane of each subgroup, in order, or no_invocation.
std::vector<std::uint32_t> invocations(const Mapping& mapping, Size3 local_size, int subgroup_size);
inline constexpr std::uint32_t no_invocation = 0xffffffff;

}  // namespace lockstep
