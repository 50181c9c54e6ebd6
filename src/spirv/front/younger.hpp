#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spirv/front/module.hpp"

/// \file
/// What may be younger than the installed SPIRV-Tools and headers: SPV_KHR_quad_control.

namespace lockstep::spirv {

inline constexpr auto op_quad_all = static_cast<spv::Op>(5110);
inline constexpr auto op_quad_any = static_cast<spv::Op>(5111);
inline constexpr auto capability_quad_control = static_cast<spv::Capability>(5087);
/// Younger than some SPIR-V headers.
inline constexpr auto capability_rotate = static_cast<spv::Capability>(6026);

constexpr bool is_quad_vote(spv::Op op) { return op == op_quad_all || op == op_quad_any; }

/// The module as a validator knows it: votes of quads as another operation from a bool to a bool, and
/// without their capability.
std::vector<std::uint32_t> for_validator(const std::vector<std::uint32_t>& words);

/// The assembly as an assembler knows it: the younger names as numbers. No line moves.
std::string for_assembler(const std::string& text);

}  // namespace lockstep::spirv
