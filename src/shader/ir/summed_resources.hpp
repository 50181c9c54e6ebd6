#pragma once

#include <cstdint>
#include <vector>

#include "shader/ir/ir.hpp"

/// \file
/// Memory to which a shader does nothing but add.

namespace lockstep::spirv {

/// A buffer whose elements only atomic additions access, whose results are not used: each thread may add to one of its own,
/// and the sums later.
struct SummedResource {
  std::uint32_t resource = 0;
  std::uint32_t bytes = 4;  ///< of an element
};

/// The summed buffers; none where the shader has device addresses, which may name the same memory.
std::vector<SummedResource> find_summed_resources(const Ir& ir);

}  // namespace lockstep::spirv
