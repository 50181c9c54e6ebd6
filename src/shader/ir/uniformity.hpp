#pragma once

#include <cstdint>
#include <vector>

#include "shader/ir/ir.hpp"
#include "shader/ir/regions.hpp"

/// \file
/// Which registers are uniform, and which regions only some of the lanes execute.

namespace lockstep::spirv {

/// Marks the registers of built-in variables that may differ between lanes.
void mark_built_ins(Ir& ir);

/// Finds the uniform registers, the same in all active lanes: starts with all of them and removes those that may
/// differ, until nothing changes.
class Uniformity {
 public:
  /// Sets RegInfo::uniform of the IR's registers.
  Uniformity(Ir& ir, bool tangled);

  const Regions& regions() const { return regions_; }
  /// The region in which a variable lives.
  std::uint32_t home(Reg r) const { return home_[r]; }
  /// Whether some lanes of `home` may be missing in the region.
  bool divergent(std::uint32_t region, std::uint32_t home) const;

 private:
  void list_regions();
  void find_homes();
  void visit(std::uint32_t at);
  void jump_out_of_call(std::uint32_t at);
  void part(std::uint32_t construct);
  void differs(Reg r);
  bool is_parted_inside(std::uint32_t at, std::uint32_t construct) const;
  bool all_uniform(const Op& op) const;
  bool result_is_uniform(const Op& op) const;
  std::uint32_t common(std::uint32_t a, std::uint32_t b) const;

  Ir& ir_;
  bool tangled_;
  Regions regions_;
  std::vector<bool> apart_;          ///< regions that not all lanes of their construct execute
  std::vector<std::uint32_t> home_;  ///< by register
  std::vector<std::uint32_t> first_region_;  ///< by construct: its last region
  std::vector<std::uint32_t> next_region_;  ///< by region: the one before of its construct; 0: none
  bool changed_ = false;
};

}  // namespace lockstep::spirv
