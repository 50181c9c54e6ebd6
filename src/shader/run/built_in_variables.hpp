#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shader/run/built_in_places.hpp"
#include "shader/run/lane_map.hpp"
#include "shader/run/ops/chunk.hpp"
#include "shader/run/run.hpp"

namespace lockstep::spirv {

/// Writes the built-in variables of subgroups into their registers.
class BuiltInVariables {
 public:
  BuiltInVariables(const DispatchArgs& args, const LaneMap& map);

  /// Those that change then.
  void set(Context& c, Changes when) const {
    for (const Component& component : places_.components[static_cast<std::size_t>(when)])
      set(c, component);
  }
  /// Those that change with each subgroup.
  void set_subgroup(Context& c) const {
    const std::uint32_t first = c.subgroup * static_cast<std::uint32_t>(program_.size);
    for (const Numbers& n : places_.numbers)
      put_numbers(c, n.slot, n.global ? c.workgroup.x * program_.local_size[0] + first : first);
    set(c, Changes::with_subgroup);
  }

 private:
  void set(Context& c, const Component& component) const;
  void find_local_ids(std::size_t axis);
  /// Writes first + gl_LocalInvocationID to each lane.
  void put_local_ids(Context& c, const Slot& slot, std::size_t axis, std::uint32_t first) const;

  /// Writes first + lane to each lane, which most kernels start from.
  void put_numbers(Context& c, const Slot& slot, std::uint32_t first) const {
    using Uint = Chunk<std::uint32_t>;
    for (unsigned k = 0; k < program_.chunks; ++k)
      put<std::uint32_t>(c.regs + slot.at + k * chunk_bytes<std::uint32_t>,
                         Uint::iota() + Uint(first + k * chunk_lanes));
  }
  /// Writes one value to all lanes.
  void put_one(Context& c, const Slot& slot, std::uint32_t value) const {
    for (unsigned k = 0; k < (slot.varying ? program_.chunks : 1); ++k)
      put<std::uint32_t>(c.regs + slot.at + k * chunk_bytes<std::uint32_t>,
                         Chunk<std::uint32_t>(value));
  }
  /// Calls f(lane) for each lane and writes its result to the register.
  template <class F>
  void put_lanes(Context& c, const Slot& slot, F f) const {
    const int count = slot.varying ? static_cast<int>(program_.chunks) * chunk_lanes : chunk_lanes;
    for (int lane = 0; lane < count; ++lane) {
      const std::uint32_t value = f(static_cast<std::uint32_t>(slot.varying ? lane : 0));
      std::memcpy(c.regs + slot.at + static_cast<std::size_t>(lane) * 4, &value, 4);
    }
  }

  const Program& program_;
  Size3 workgroups_;
  const LaneMap& map_;
  BuiltInPlaces places_;
  /// gl_LocalInvocationID along each axis that the shader reads, by subgroup and lane: the start of a subgroup has no
  /// time to divide.
  std::array<std::vector<std::uint32_t>, 3> local_ids_;
};

}  // namespace lockstep::spirv
