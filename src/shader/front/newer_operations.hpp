#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shader/front/module.hpp"

/// \file
/// Support for what may be newer than the installed SPIRV-Tools and headers: SPV_KHR_quad_control, SPV_EXT_long_vector,
/// SPV_EXT_replicated_composites and SPV_KHR_cooperative_matrix.

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

inline constexpr auto op_type_cooperative_matrix = static_cast<spv::Op>(4456);
inline constexpr auto op_cooperative_matrix_load = static_cast<spv::Op>(4457);
inline constexpr auto op_cooperative_matrix_store = static_cast<spv::Op>(4458);
inline constexpr auto op_cooperative_matrix_mul_add = static_cast<spv::Op>(4459);
inline constexpr auto op_cooperative_matrix_length = static_cast<spv::Op>(4460);
inline constexpr auto capability_cooperative_matrix = static_cast<spv::Capability>(6022);

/// The bits of OpCooperativeMatrixMulAddKHR's operands.
namespace matrix_operands {
inline constexpr std::uint32_t a_is_signed = 1, b_is_signed = 2, c_is_signed = 4,
                               result_is_signed = 8, saturates = 16;
}
/// The layouts of a cooperative matrix in memory.
namespace matrix_layout {
inline constexpr std::uint32_t row_major = 0, column_major = 1;
}

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
