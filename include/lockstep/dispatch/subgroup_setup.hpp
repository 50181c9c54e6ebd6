#pragma once

#include <algorithm>

#include <lockstep/exec/machine.hpp>
#include <lockstep/subgroup/variables.hpp>
#include <lockstep/workgroup/detail/barrier_frames.hpp>
#include <lockstep/workgroup/fault.hpp>

namespace lockstep::inline LOCKSTEP_ABI::detail {

/// The masks behind gl_SubgroupEqMask and its kin, made once a dispatch.
template <int W>
struct SubgroupMasks {
  explicit SubgroupMasks(int size)
      : eq(subgroup_eq_mask<W>(size)),
        ge(subgroup_ge_mask<W>(size)),
        gt(subgroup_gt_mask<W>(size)),
        le(subgroup_le_mask<W>(size)),
        lt(subgroup_lt_mask<W>(size)) {}

  BallotLanes<W> eq, ge, gt, le, lt;
};

/// What is the same for all subgroups of a dispatch.
template <int W>
struct Grid {
  Grid(Size3 workgroups, Size3 local, int subgroup_size)
      : num_workgroups(workgroups),
        local_size(local),
        size(subgroup_size),
        invocations(local.x * local.y * local.z),
        num_subgroups((invocations + static_cast<std::uint32_t>(size) - 1) /
                      static_cast<std::uint32_t>(size)),
        masks(subgroup_size) {}

  /// The id of the workgroup that comes at `index` when x runs fastest.
  Size3 workgroup(std::size_t index) const {
    const std::size_t rows = index / num_workgroups.x;
    return {static_cast<std::uint32_t>(index % num_workgroups.x),
            static_cast<std::uint32_t>(rows % num_workgroups.y),
            static_cast<std::uint32_t>(rows / num_workgroups.y)};
  }
  /// The id of the workgroup after `id`.
  void advance(Size3& id) const {
    if (++id.x < num_workgroups.x) return;
    id.x = 0;
    if (++id.y < num_workgroups.y) return;
    id.y = 0;
    ++id.z;
  }
  /// The lanes of a subgroup that have an invocation: all but in a partial last one.
  Mask<W> lanes(std::uint32_t subgroup) const {
    const std::uint32_t before = subgroup * static_cast<std::uint32_t>(size);
    return Mask<W>::first_n(std::min(size, static_cast<int>(invocations - before)));
  }

  Size3 num_workgroups;
  Size3 local_size;
  int size;
  std::uint32_t invocations;    ///< of a workgroup
  std::uint32_t num_subgroups;  ///< of a workgroup
  SubgroupMasks<W> masks;
};

/// What a kernel needs to know to be one subgroup.
template <class S>
struct SubgroupSetup {
  typename S::State& state;
  Location& location;
  BarrierFrames& frames;
  const Grid<S::width>& grid;
};

}  // namespace lockstep::inline LOCKSTEP_ABI::detail
