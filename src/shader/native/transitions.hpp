#pragma once

#include <xbyak/xbyak.h>

#include <cstdint>

/// \file
/// The transitions of control flow in machine code.

namespace lockstep::spirv {

/// Emits what exec's transitions do in their most frequent cases, under exec's names (lockstep/exec/transitions.hpp
/// and scopes.hpp). In any other case the code jumps to `other`, where the engine's function is called, and has changed
/// nothing. Unless both halves are named, subgroups have up to 64 lanes: the upper halves of their masks are 0.
///
/// rbx is the Context. Overwrites rax and rcx.
class Transitions {
 public:
  explicit Transitions(Xbyak::CodeGenerator& as) : as_(as) {}

  void load_active(const Xbyak::Reg64& to);
  /// Jumps unless any lane is active.
  void require_active(const Xbyak::Label& other);
  /// Jumps unless all lanes of a subgroup of that size are active; both halves. Overwrites rdx instead.
  void require_all_active(int size, const Xbyak::Label& other);

  /// enter() of a selection whose condition holds in all active lanes.
  void enter(std::uint32_t construct);
  /// enter() of a selection that all active lanes but those enter, if any are left.
  void enter_without(const Xbyak::Reg64& lanes, std::uint32_t construct, const Xbyak::Label& other);
  /// enter() of a selection that no active lane enters.
  void stay_outside(std::uint32_t construct);
  /// enter() of a selection by the lowest active lane, if any is active.
  void enter_elected(std::uint32_t construct, const Xbyak::Label& other);
  /// enter_other_side() of a selection for whose end lanes wait. Overwrites rdx as well.
  void enter_other_side(std::uint32_t construct, const Xbyak::Label& other);
  /// close_selection() of a selection that some lanes entered, if any is active afterwards. Overwrites rdx as well.
  void rejoin(std::uint32_t construct, const Xbyak::Label& other);
  /// close_selection() where no lane waits and any lane is active.
  void close_selection(std::uint32_t construct, const Xbyak::Label& other);
  /// leave_loop() of some of the active lanes, which next_test() has found. The zero flag: no lane is left.
  void leave_loop(const Xbyak::Reg64& lanes);
  /// next_trip() where no lane waits for the next iteration; both halves.
  void next_trip(const Xbyak::Label& other);
  /// The begin and the end of a loop that no lane leaves alone. Overwrite rdx as well.
  void count_begin(std::uint32_t construct);
  void count_end(std::uint32_t construct);
  /// Counts an iteration that ends neither the loop's limit nor the subgroup's slice.
  void loop_back(const Xbyak::Label& other);
  /// The subgroup ends.
  void end();

 private:
  void limit_slice();

  Xbyak::CodeGenerator& as_;
};

}  // namespace lockstep::spirv
