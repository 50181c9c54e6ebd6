#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "shader/ir/ir.hpp"
#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// Allocates registers in a subgroup's memory. The place of a value is free again after its last use; constants,
/// variables, built-ins and values that are constant per dispatch keep theirs for the whole run.
class RegisterPlaces {
 public:
  /// once: how many operations at the beginning give values that are constant per dispatch.
  RegisterPlaces(const Ir& ir, const Program& program, std::uint32_t once);

  /// Allocates the registers that keep their places, and lists them in the program.
  void place_fixed(Program& program);

  /// The register's place, allocated at the first call. Throws Error when there is no more memory.
  Slot slot(Reg r);
  std::uint32_t bytes_of(Reg r) const;

  /// How many uses the register has.
  std::uint32_t uses(Reg r) const { return uses_[r]; }

  /// Frees the places of the values whose last use is the operation. Returns these values.
  std::vector<Reg> free_last_used(std::uint32_t op);

  /// Lists the registers that have a value for each lane.
  void list_lanes(Program& program) const;

  /// Bytes of all places.
  std::uint32_t bytes() const { return placed_; }

 private:
  void find_last_uses();
  std::vector<bool> find_used() const;
  std::vector<bool> find_written_first() const;
  bool is_fixed(Reg r) const;
  std::uint32_t place(std::uint32_t bytes);

  const Ir& ir_;
  std::uint32_t width_;  ///< lanes that a register has room for
  bool tangled_, any_order_;
  std::vector<bool> once_only_;         ///< registers that the first `once` operations write
  std::vector<bool> built_in_;          ///< registers of built-in variables
  std::vector<std::uint32_t> uses_;     ///< of each register
  std::vector<std::vector<Reg>> ends_;  ///< by operation: values whose last use it is
  std::vector<std::uint32_t> slots_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> free_;  ///< places, by their bytes
  std::uint32_t placed_ = 0;
};

}  // namespace lockstep::spirv
