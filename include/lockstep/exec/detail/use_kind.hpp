#pragma once

#include <cstdint>

namespace lockstep {

/// What makes an undefined value visible.
enum class UseKind : std::uint8_t {
  condition,  ///< of a branch
  selector,   ///< of a switch
  index,      ///< or address
  stored,
  atomic_operand,
  atomic_memory,
  same_operand,  ///< of a subgroup operation, which must be the same in all its lanes
  coordinate,    ///< of an image
  printed,
  uniform,  ///< one value for the subgroup: C++ takes the value of one lane
};

}  // namespace lockstep
