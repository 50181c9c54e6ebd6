#pragma once

#include <cstdint>
#include <set>
#include <span>

namespace lockstep::spirv {

/// Constants of a module that a condition may depend on.
struct ComparedConstants {
  std::set<std::int64_t> integers;
  std::set<std::int64_t> other_integers;  ///< small ones that are not compared directly
  std::set<double> floats;
};

/// The constants that a module compares numbers with, the labels of its switches, and the other small integers in it.
///
/// Requires      The words of a module; one that is damaged has no more than what comes before the damage.
/// Active lanes  None.
/// Errors        None.
/// Cost          O(instructions).
/// Spec          SPIR-V 3.42.15 "Relational and Logical Instructions", OpSwitch
/// Example       tests/spirv/compared_constants.cpp
ComparedConstants compared_constants(std::span<const std::uint32_t> words);

}  // namespace lockstep::spirv
