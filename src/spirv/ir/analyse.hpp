#pragma once

#include <compare>
#include <cstdint>

#include "spirv/ir/ir.hpp"

/// \file
/// What is done to the IR before it is assembled: values copied for nothing and those that nobody uses are
/// dropped, what does not change is taken out of loops, and registers are told that all lanes share.

namespace lockstep::spirv {

/// Which kind of program is made.
struct AssembleOptions {
  bool tangled = false;         ///< for a machine whose lanes are several tangles
  bool all_push_bytes = false;  ///< push constants have all bytes that the shader asks for
  friend auto operator<=>(const AssembleOptions&, const AssembleOptions&) = default;
};

/// Improves the IR in place, for subgroups of the size. Returns how many operations at the beginning give
/// what a whole dispatch has one value of.
std::uint32_t analyse(Ir& ir, int size, const AssembleOptions& options);

/// How many bytes of push constants the shader asks for at places known now.
std::uint64_t push_bytes_of(const Ir& ir);

}  // namespace lockstep::spirv
