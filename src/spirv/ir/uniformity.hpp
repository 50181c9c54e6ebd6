#pragma once

#include <cstdint>
#include <vector>

#include "spirv/ir/ir.hpp"
#include "spirv/ir/regions.hpp"

/// \file
/// Which registers are the same in all lanes, and which regions only some of the lanes come to.

namespace lockstep::spirv {

/// Tells registers of built-in variables whether lanes may differ in them.
void mark_built_ins(Ir& ir);

/// Finds the registers that are the same in all active lanes: assumes it of all, and takes it back where
/// something differs, until nothing changes.
class Uniformity {
 public:
  /// The IR's registers are told what is found.
  Uniformity(Ir& ir, bool tangled);

  const Regions& regions() const { return regions_; }
  /// The region that a variable lives in.
  std::uint32_t home(Reg r) const { return home_[r]; }
  /// Whether some lanes of `home` may not be in the region.
  bool divergent(std::uint32_t region, std::uint32_t home) const;

 private:
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
  std::vector<bool> apart_;          ///< regions that not all lanes of their construct come to
  std::vector<std::uint32_t> home_;  ///< by register
  bool changed_ = false;
};

}  // namespace lockstep::spirv
