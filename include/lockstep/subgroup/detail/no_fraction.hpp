#pragma once

#include <concepts>

#include <lockstep/lanes/mask.hpp>

/// Numbers of lanes, distances and sizes have no fraction: where the built-in takes plain integers, a
/// floating-point number after the value would lose its own without a word.
#define LOCKSTEP_NO_FRACTION(built_in)                        \
  template <int W, class V, class... Number>                  \
  requires(std::floating_point<Number> || ...) void built_in( \
      ::lockstep::Mask<W> active, const V& value, Number... numbers) = delete
