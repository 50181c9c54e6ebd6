#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shader/front/module.hpp"

/// \file
/// Support for what may be newer than the installed SPIRV-Tools and headers: SPV_KHR_quad_control, SPV_EXT_long_vector
/// and SPV_EXT_replicated_composites.

namespace lockstep::spirv {

inline constexpr auto op_quad_all = static_cast<spv::Op>(5110);
inline constexpr auto op_quad_any = static_cast<spv::Op>(5111);
inline constexpr auto capability_quad_control = static_cast<spv::Capability>(5087);

inline constexpr auto op_type_vector_id = static_cast<spv::Op>(5288);
inline constexpr auto capability_long_vector = static_cast<spv::Capability>(5425);
inline constexpr auto op_constant_composite_replicate = static_cast<spv::Op>(4461);
inline constexpr auto op_spec_constant_composite_replicate = static_cast<spv::Op>(4462);
inline constexpr auto op_composite_construct_replicate = static_cast<spv::Op>(4463);
inline constexpr auto capability_replicated_composites = static_cast<spv::Capability>(6024);

constexpr bool is_quad_vote(spv::Op op) { return op == op_quad_all || op == op_quad_any; }
constexpr bool is_replicated_constant(spv::Op op) {
  return op == op_constant_composite_replicate || op == op_spec_constant_composite_replicate;
}

/// Corrects what older headers' spv::HasResultAndType says of these operations; leaves others unchanged.
void has_result_and_type(spv::Op op, bool* has_result, bool* has_type);

/// The name of one of these operations; empty for others.
std::string_view newer_name(spv::Op op);

/// The module for an older validator: quad votes as another operation from bool to bool, and
/// without their capability.
std::vector<std::uint32_t> for_validator(const std::vector<std::uint32_t>& words);

/// Whether the module needs one of these features that the installed validator lacks and that no older instruction
/// can replace.
bool is_beyond_validator(const std::vector<std::uint32_t>& words);

/// The assembly for an older assembler: newer names as numbers. Line numbers do not change.
std::string for_assembler(const std::string& text);

}  // namespace lockstep::spirv
