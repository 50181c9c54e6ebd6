#pragma once

#include <cstdint>
#include <vector>

#include "shader/ir/ir.hpp"

/// \file
/// The nesting of selections, loops and calls in the IR.

namespace lockstep::spirv {

/// Whether the operation begins a selection, a loop, a switch or a call.
inline bool opens_construct(Code code) {
  return code == Code::if_begin || code == Code::loop_begin || code == Code::switch_begin ||
         code == Code::call_begin;
}
/// Whether it ends one.
inline bool closes_construct(Code code) {
  return code == Code::if_end || code == Code::loop_end || code == Code::switch_end ||
         code == Code::call_end;
}

/// Whether lanes may leave a loop, an iteration or a switch there, before others.
inline bool leaves_construct(Code code) {
  return code == Code::loop_test || code == Code::leave_loop || code == Code::leave_loop_around ||
         code == Code::leave_trip;
}

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
