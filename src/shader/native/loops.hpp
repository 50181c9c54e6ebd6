#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include <xbyak/xbyak.h>

#include "shader/ir/comparisons.hpp"
#include "shader/native/register_cache.hpp"
#include "shader/run/program.hpp"

/// \file
/// Selects the loops that machine code runs without calls, and what they keep in registers.

namespace lockstep::spirv {

/// A loop without calls, labels or other loops in it. Lanes only ever leave it, so it computes for
/// all of them, and variables of lanes that leave are written to memory on their way out. Values
/// that the lanes that left compute from then on are never read.
///
/// If it does not access memory either, it runs for two vectors of lanes at a time, a slice: they
/// have more registers, and lanes that finish early need not wait for other slices.
struct SimpleLoop {
  std::size_t head = 0, back = 0;
  std::vector<RegisterCache::Held>
      pins;  ///< by register: what it holds from iteration to iteration
  /// Variables that it changes in active lanes have places of its own: theirs are for lanes that left.
  LoopPlaces places;
  LoopPlaces frame;  ///< the same, with variables where they are outside of the loop
  std::vector<std::uint32_t> locals;  ///< those of its own that no instruction after the loop reads
  std::size_t out = 0;                ///< where lanes are after the loop
  Xbyak::Label pinned_head;
  // With slices.
  Xbyak::Label slice_begin, slice_end, slice_next;
  std::vector<std::size_t> ends;  ///< ends of an iteration before the back edge

  bool owns(std::uint32_t at) const;
  bool is_sliced() const { return places.slice != 0; }
};

/// Bools of which a series of operations has one vector each in a register.
inline constexpr int most_series_masks = 4;

/// The place of an operand.
inline std::uint32_t operand_place(const Inst& i, int number) {
  return number == 0   ? i.a
         : number == 1 ? i.b
         : number == 2 ? i.c
                       : static_cast<std::uint32_t>(i.imm);
}
/// The operands that are numbers in chunks: from the first to one before the last.
std::pair<int, int> number_operands(const EmitRule& rule);

/// The simple loops of a program, in the order of their ends. `most_pins`: how many registers may keep
/// values, in addition to a vector of each component; own_begin: where their own places may begin.
std::deque<SimpleLoop> find_simple_loops(const Program& program, const std::vector<bool>& is_target,
                                         const VectorAssembler& as, std::size_t most_pins,
                                         std::uint32_t own_begin);

/// The bytes of the numbers that it makes, or compares.
std::uint32_t size_of_numbers(const EmitRule& rule);
/// The bytes of those that it takes, and of one of them.
std::uint32_t size_of_operands(const EmitRule& rule);
std::uint32_t size_of_operand(const EmitRule& rule, int number);
/// Whether its numbers are all of this many bytes.
bool has_sizes(const EmitRule& rule, std::uint32_t bytes);
/// Whether machine code accesses a variable by an index of each lane without a gather or scatter.
bool is_chosen_by_comparing(const Inst& inst);
/// How many registers operations need besides an operand, a result and a mask, where one needs more.
int spare_registers(const Program& program);

/// Whether the instruction is the end of an iteration, where lanes that continued early rejoin.
bool is_end_of_iteration(const EmitRule& rule);

}  // namespace lockstep::spirv
