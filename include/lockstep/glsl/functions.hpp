#pragma once

/// \file
/// GLSL's component-wise built-in functions on lanes. Those that need float16_t are in
/// functions/common_float16.hpp and functions/packing_float16.hpp.

#include <lockstep/glsl/functions/angle_trigonometry.hpp>
#include <lockstep/glsl/functions/common.hpp>
#include <lockstep/glsl/functions/exponential.hpp>
#include <lockstep/glsl/functions/integer.hpp>
#include <lockstep/glsl/functions/packing.hpp>
