#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "shader/ir/ir.hpp"
#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// The branches of a program: selections that are jumps, loops that end with a back edge, and the target of each
/// instruction when no lane is left.
///
/// The tangled machine executes every operation as it is, so that observers get all events.
class Branches {
 public:
  Branches(const Ir& ir, bool tangled);

  /// Whether a selection is a jump: its condition is uniform.
  bool is_jump(const Op& op) const { return is_jump_[construct_of(op)]; }
  /// Whether a loop's test takes all lanes of the iteration out of the loop, or none.
  bool is_jump_out(const Op& op) const;
  /// Whether a loop has a continue.
  bool continues(const Op& op) const { return continued_.count(construct_of(op)) != 0; }

  /// Whether a loop's test stands before its body; one that all lanes always pass is none.
  bool tests_first(const Op& op) const {
    return tested_.count(construct_of(op)) != 0 && tested_last_.count(construct_of(op)) == 0;
  }

  /// Whether no lane leaves the loop alone: it needs no masks.
  bool is_loop_of_all(const Op& op) const {
    return !tangled_ && apart_.count(construct_of(op)) == 0;
  }
  /// Whether no lane returns from the call before its end, likewise.
  bool is_call_of_all(const Op& op) const { return is_loop_of_all(op); }

  // Of the operation number k.

  /// Whether it is a return directly before the end of a call.
  bool is_last_return(std::uint32_t k) const;

  /// Whether it is an else directly followed by its selection's end.
  bool is_empty_else(std::uint32_t k) const;
  /// Whether a selection that starts there contains only a Break.
  bool is_break(std::uint32_t k) const;
  /// Whether it is the end of an iteration, directly followed by the back edge.
  bool goes_back(std::uint32_t k) const;

  /// Sets the targets of instructions when no lane is left: the end of the innermost part of a construct. start: the
  /// first instruction of each operation, and the number of instructions.
  void set_targets(Program& program, const std::vector<std::uint32_t>& start) const;

 private:
  /// The surroundings of an operation of control flow.
  struct Around {
    std::vector<std::uint32_t> part_end;  ///< the target when no lane is left
    std::vector<std::uint32_t> outside;   ///< of the begin of a construct: the target after it
    struct Loop {
      std::uint32_t head = 0, end = 0;
    };
    std::vector<Loop> loops;  ///< by construct
  };
  Around find_around() const;
  bool is_elided(std::uint32_t k) const;
  std::uint32_t next_part(std::uint32_t k) const;
  void find_apart();

  const Ir& ir_;
  bool tangled_;
  std::vector<bool> is_jump_;                     ///< by construct
  std::set<std::uint32_t> continued_;             ///< loops with a continue
  std::set<std::uint32_t> tested_, tested_last_;  ///< loops with a test, and with one at their end
  std::set<std::uint32_t> apart_;  ///< loops and calls that some lanes leave before others
};

}  // namespace lockstep::spirv
