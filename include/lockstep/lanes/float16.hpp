#pragma once

#include <Eigen/Core>

#include <type_traits>

#include <lockstep/lanes/detail/halves.hpp>
#include <lockstep/lanes/lanes.hpp>

namespace lockstep::inline LOCKSTEP_ABI {

/// GLSL's float16_t: an IEEE binary16 number.
///
/// Requires      None.
/// Active lanes  As for every Lanes.
/// Errors        None.
/// Cost          Each operation converts to float, computes and rounds back, which is the correctly
///               rounded result for + - * / and sqrt. With F16C (every AVX2 and AVX-512 processor),
///               + - * /, comparisons and selects process a register at a time; everything else,
///               and processors without F16C, process one lane at a time.
/// Spec          GLSL float16_t (GL_EXT_shader_explicit_arithmetic_types_float16) · SPIR-V
///               OpTypeFloat 16
/// Example       tests/lanes/float16.cpp
using float16_t = Eigen::half;

namespace detail {

template <>
inline constexpr bool is_float<Eigen::half> = true;

template <int N>
struct BatchOps<Eigen::half, N, false>
    : std::conditional_t<has_halves<Eigen::half, N>, HalfOps<Eigen::half, N>,
                         LoopOps<Eigen::half, N>> {};

}  // namespace detail
}  // namespace lockstep::inline LOCKSTEP_ABI
