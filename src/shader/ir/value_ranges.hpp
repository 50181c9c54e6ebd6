#pragma once

#include <cstdint>
#include <vector>

#include "shader/ir/ir.hpp"

namespace lockstep::spirv {

/// The signed integers that a register of 32 bits may hold, from the lowest to the highest one.
struct ValueRange {
  std::int64_t low, high;

  bool is_inside(std::int64_t least, std::int64_t most) const {
    return low >= least && high <= most;
  }
};

/// By register. What is written more than once, and everything that no operation bounds, may be any number.
std::vector<ValueRange> find_value_ranges(const Ir& ir);

}  // namespace lockstep::spirv
