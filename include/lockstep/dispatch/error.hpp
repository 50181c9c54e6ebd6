#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/exec/lane_set.hpp>
#include <lockstep/exec/source_location.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

/// Where a subgroup is while others wait at a barrier.
struct BarrierArrival {
  bool ended = false;         ///< it ran to its end
  SourceLocation where = {};  ///< the barrier it waits at, if it has not ended
  LaneSet waiting = {};       ///< its lanes there
  LaneSet returned = {};      ///< its lanes that returned before
  LaneSet elsewhere = {};     ///< its lanes in another branch or trip
};

namespace fail {

/// A barrier that not all invocations of the workgroup reach; `subgroups` are all of it in turn.
[[noreturn]] void partial_barrier(Size3 workgroup, const std::vector<BarrierArrival>& subgroups);
/// A function with barriers that was called without co_await.
[[noreturn]] void lost_barrier(SourceLocation where);
/// A loop without an end, in a kernel.
[[noreturn]] void endless_loop(const EndlessLoop& loop, std::string_view kernel, Size3 workgroup,
                               std::uint32_t subgroup);
/// A subgroup size that no compiled width holds.
[[noreturn]] void subgroup_size(int size, int widest);
/// The kernel has no invocations.
[[noreturn]] void local_size();
/// An array has more elements than a 32-bit index reaches.
[[noreturn]] void buffer_size();
/// A kernel needs more shared memory than the device has.
[[noreturn]] void shared_memory(std::uint64_t most);
/// Pixels at a subgroup size without quads, or too many pixels.
[[noreturn]] void pixels(std::string_view kernel, int subgroup_size, std::uint32_t width,
                         std::uint32_t height);
/// Pixels under the rule core.
[[noreturn]] void pixels_under_core(std::string_view kernel);

}  // namespace fail
}  // namespace lockstep
