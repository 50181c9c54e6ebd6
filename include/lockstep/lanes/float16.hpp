#pragma once

#include <Eigen/Core>

#include <lockstep/lanes/lanes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// GLSL's float16_t: an IEEE binary16 number.
///
/// Requires      None.
/// Active lanes  As for every Lanes.
/// Errors        None.
/// Cost          Lane by lane: each operation converts to float, computes and rounds back, which is
///               the correctly rounded result for + - * / and sqrt.
/// Spec          GLSL float16_t (GL_EXT_shader_explicit_arithmetic_types_float16) · SPIR-V
///               OpTypeFloat 16
/// Example       tests/lanes/float16.cpp
using float16_t = Eigen::half;

namespace detail {

template <>
inline constexpr bool is_float<Eigen::half> = true;

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
