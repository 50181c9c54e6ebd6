#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shader/instruments/bounds/bounded_control.hpp"
#include "shader/ir/ir.hpp"

/// \file
/// The element that a later store writes, where it is known in advance.

namespace lockstep::spirv {

/// What happens after a condition, up to where its lanes rejoin.
class KnownIndex {
 public:
  KnownIndex(const Ir& ir, const std::vector<Op>& ops);

  /// Whether an operation may run after the one at `from`, before the end of construct `reach` (or leaves_all).
  bool may_follow(std::uint32_t op, std::uint32_t from, std::uint32_t reach) const;
  /// What computes a register: operations on integers and moves, in order, of registers that are there.
  struct Computation {
    std::vector<std::uint32_t> ops;
    std::vector<Reg> roots;
  };
  /// The one operation, no move, whose result a register is at `use`: the same for each time it is there; or null.
  const Op* source_of(Reg r, std::uint32_t use) const;
  /// What computes at `from` the value that a register has whenever operation `use` follows; nothing if there may be
  /// several.
  std::optional<Computation> computed_by(Reg r, std::uint32_t use, std::uint32_t from,
                                         std::uint32_t reach) const;

 private:
  void note(std::uint32_t op);
  bool dominates(std::uint32_t op, std::uint32_t use) const;
  bool add(Reg r, std::uint32_t use, std::uint32_t from, std::uint32_t reach,
           Computation& all) const;

  /// From its first operation to its last.
  struct Range {
    std::uint32_t begin = 0, end = 0;
    bool loop = false;
    std::uint32_t parent = no_construct;
    std::vector<std::uint32_t> parts = {};  ///< where another side, case or part begins
    bool has(std::uint32_t op) const { return begin <= op && op <= end; }
  };

  const Ir& ir_;
  const std::vector<Op>& ops_;
  std::vector<Range> ranges_;                        ///< by construct
  std::vector<std::uint32_t> innermost_;             ///< construct, by operation
  std::vector<std::vector<std::uint32_t>> writers_;  ///< by register
  std::vector<bool> indexed_;  ///< by register: it may be written through an index
};

}  // namespace lockstep::spirv
