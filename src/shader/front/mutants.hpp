#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/exec/source_location.hpp>

#include "shader/front/module.hpp"

/// \file
/// Small faults that can be planted in a module, to see whether tests notice them.

namespace lockstep::spirv {

/// A change of a module that may make its shader wrong.
struct Mutant {
  /// What is deleted, weakened or shifted by one.
  enum class Kind : std::uint8_t { barrier, memory_barrier, coherent, scope, comparison };

  Kind kind = Kind::barrier;
  SourceLocation where;  ///< line 0 for declarations without a line
  std::string change;    ///< "barrier() deleted", "< instead of <="
};
/// "memory barrier", as in reports.
std::string_view name_of(Mutant::Kind kind);

/// The mutants of what the entry point runs: each barrier, memory barrier and `coherent` deleted, each scope made smaller, and
/// each comparison of numbers off by one. Left out are changes without any effect: a memory barrier beside a barrier that
/// orders as much, and a scope that is the smallest.
///
/// Requires      A decoded module.
/// Active lanes  None.
/// Errors        Error if the module has no such entry point.
/// Cost          O(instructions).
/// Spec          SPIR-V 3.27 "Scope <id>", OpControlBarrier, OpMemoryBarrier
/// Example       tests/spirv/mutants.cpp
std::vector<Mutant> mutants_of(const Module& module, const std::string& entry);

/// The module's words with the mutant of that number, from 1. Throws Error if there is none, with the number of mutants.
std::vector<std::uint32_t> mutated(const Module& module, const std::string& entry,
                                   std::size_t number);

}  // namespace lockstep::spirv
