#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/exec/chooser.hpp>
#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/source_location.hpp>

/// \file
/// Orders that a chooser decides: of the lanes of an atomic, and of the values that a reduction of floats combines.
/// Every machine asks the same questions.

namespace lockstep {

/// Where a lane's atomic goes: equal for lanes that update the same number.
struct AtomicTarget {
  std::uint64_t object = 0, byte = 0;
  friend bool operator==(const AtomicTarget&, const AtomicTarget&) = default;
};

/// The lanes of an atomic one after another: of lanes that update the same number, the chooser decides which is next.
///
/// Requires      A target for each lane.
/// Active lanes  The result has each of `active` once.
/// Errors        The chooser's.
/// Cost          A question for each lane that shares its number with lanes that are left.
/// Spec          SPIR-V OpAtomicIAdd ...: atomics on one location have no promised order
/// Example       tests/exec/chosen_order.cpp
std::vector<int> atomic_order(Chooser& chooser, SourceLocation where, LaneSet active,
                              std::span<const AtomicTarget> targets);

/// A sum or product of floats: which lanes' values make up the result of each lane.
struct FloatReduction {
  /// The types of floats.
  enum class Type : std::uint8_t { f16, f32, f64 };
  /// Which lanes of its group a lane combines.
  enum class Takes : std::uint8_t { all, up_to_own, below_own };

  Type type = Type::f32;
  bool multiplies = false;
  Takes takes = Takes::all;
  /// By active lane: all lanes of its cluster or partition, or of the subgroup.
  std::array<LaneSet, 128> group{};
};

/// What a reduction or scan gives a lane: the bits of a number.
struct LaneResult {
  int lane = 0;
  std::uint64_t bits = 0;
};

/// What a reduction or scan gives the active lanes in the order that the chooser decides: one that devices use, or any.
/// Nothing for lanes that combine fewer than two values; nothing at all where the order is the machine's own, or no
/// lane combines more than two.
///
/// Requires      The bits of a value for each lane.
/// Active lanes  Only active lanes contribute.
/// Errors        The chooser's.
/// Cost          Made for exploring, not for speed.
/// Spec          GLSL subgroupAdd: the order of evaluation is undefined
/// Example       tests/exec/chosen_order.cpp
std::vector<LaneResult> reduce_in_chosen_order(Chooser& chooser, SourceLocation where,
                                               LaneSet active, const FloatReduction& reduction,
                                               std::span<const std::uint64_t> values);

}  // namespace lockstep
