#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep {

/// The order in which reductions and scans add and multiply floats, which GLSL leaves open.
///
/// Requires      None.
/// Active lanes  Those that take part in the reduction or scan.
/// Errors        None.
/// Cost          Orders other than tree run lane by lane.
/// Spec          GL_KHR_shader_subgroup_arithmetic leaves the order to implementations
/// Example       tests/spirv/float_order.cpp
enum class FloatOrder : std::uint8_t {
  tree,           ///< by lane distance, from the largest on: as in kernels
  left_fold,      ///< one active lane after another
  hillis_steele,  ///< over the active lanes by rank, with strides 1, 2, 4, ...
  butterfly,      ///< lanes at distance 1, then pairs at distance 2, ...; scans as left_fold
};
/// Its name: "left_fold".
std::string_view to_string(FloatOrder order);

}  // namespace lockstep
