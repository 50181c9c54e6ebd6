#pragma once

#include <span>

#include <lockstep/exec/event.hpp>

#include "shader/run/program.hpp"

namespace lockstep::spirv {

/// The lanes' values in these registers, as events have them; one component a register.
LaneValues lane_values(const Context& c, std::span<const Slot> slots, Scalar type);
/// The same, in place of other values.
void read_lane_values(const Context& c, std::span<const Slot> slots, Scalar type, LaneValues& to);

/// The offset of a lane's number of N bytes from the start of its register.
template <std::size_t bytes>
std::size_t lane_offset(const Slot& slot, int lane) {
  return slot.at + (slot.varying ? static_cast<std::size_t>(lane) * bytes : 0);
}

}  // namespace lockstep::spirv
