#pragma once

#include <cstdint>

namespace lockstep::kernels {

/// Invocations of a workgroup of prefix_sum and of its port.
inline constexpr std::uint32_t prefix_sum_local_size = 1024;

}  // namespace lockstep::kernels
