#pragma once

#include <cstdint>
#include <vector>

#include "spirv/ir/ir.hpp"

/// \file
/// The nesting of selections, loops and calls in the IR.

namespace lockstep::spirv {

/// A part of the program that lanes enter together: one side of a selection, a loop, a case, a function.
struct Region {
  std::uint32_t parent = 0;
  std::uint32_t construct = 0;
  Code kind = Code::end;  ///< what opened it; end: the whole program
};

/// The regions of a program, and the region of each operation.
struct Regions {
  explicit Regions(const std::vector<Op>& ops);

  /// Whether a region is inside `outer`, or is it.
  bool is_inside(std::uint32_t region, std::uint32_t outer) const;

  std::vector<Region> list;
  std::vector<std::uint32_t> of;  ///< by operation
  /// For each operation the end of the innermost enclosing loop; none: the number of operations.
  std::vector<std::uint32_t> loop_end;
  /// For each operation the beginning of that loop; none: 0.
  std::vector<std::uint32_t> loop_begin;
};

}  // namespace lockstep::spirv
