#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "spirv/ir.hpp"

/// \file
/// What the IR says about itself: which registers are the same in all lanes, where values are copied for
/// nothing, how long they are needed.

namespace lockstep::spirv {

/// A part of the program that lanes enter together: one side of a selection, a loop, a case, a function.
struct Region {
  std::uint32_t parent = 0;
  std::uint32_t construct = 0;
  Code kind = Code::end;  ///< what opened it; end: the whole program
};

/// The regions of a program, and each operation's.
struct Regions {
  explicit Regions(const std::vector<Op>& ops);

  /// Whether a region is another or inside it.
  bool is_inside(std::uint32_t region, std::uint32_t outer) const;

  std::vector<Region> list;
  std::vector<std::uint32_t> of;  ///< by operation
  /// For each operation the end of the innermost loop around it; none: the number of operations.
  std::vector<std::uint32_t> loop_end;
  /// For each operation the beginning of that loop; none: 0.
  std::vector<std::uint32_t> loop_begin;
};

/// Which kind of program is made.
struct AssembleOptions {
  bool tangled = false;         ///< for a machine whose lanes are several tangles
  bool all_push_bytes = false;  ///< push constants have all bytes that the shader asks for
  friend auto operator<=>(const AssembleOptions&, const AssembleOptions&) = default;
};

/// Improves the IR in place. Returns how many operations at the beginning give what a whole dispatch has
/// one value of.
std::uint32_t analyse(Ir& ir, const AssembleOptions& options);

/// How many bytes of push constants the shader asks for at places known now.
std::uint64_t push_bytes_of(const Ir& ir);

/// Whether a selection's condition, or a switch's selector, is the same for all lanes, so that a jump
/// does. Asked on the IR that analyse has seen.
bool is_uniform_branch(const Ir& ir, const Op& op);

}  // namespace lockstep::spirv
