#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spirv/front/module.hpp"

/// \file
/// Support for SPV_KHR_quad_control, which may be newer than the installed SPIRV-Tools and headers.

namespace lockstep::spirv {

inline constexpr auto op_quad_all = static_cast<spv::Op>(5110);
inline constexpr auto op_quad_any = static_cast<spv::Op>(5111);
inline constexpr auto capability_quad_control = static_cast<spv::Capability>(5087);

constexpr bool is_quad_vote(spv::Op op) { return op == op_quad_all || op == op_quad_any; }

/// The module for an older validator: quad votes as another operation from bool to bool, and
/// without their capability.
std::vector<std::uint32_t> for_validator(const std::vector<std::uint32_t>& words);

/// The assembly for an older assembler: newer names as numbers. Line numbers do not change.
std::string for_assembler(const std::string& text);

}  // namespace lockstep::spirv
