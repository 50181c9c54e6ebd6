#pragma once

#include <cstdint>

namespace lockstep {

/// Where the registers of HLSL's classes begin among a set's bindings: `register(t3, space1)` is binding t + 3 of set 1.
/// Each class counts from 0, so t0 and u0 are two resources.
///
/// Requires      Shifts far enough apart that no two resources get one binding.
/// Active lanes  None.
/// Errors        A pipeline throws Error if a t and a u register get one binding.
/// Cost          None.
/// Spec          HLSL: register · dxc: -fvk-t-shift · GLSL: binding
/// Example       tests/spirv/register_shifts.cpp
struct RegisterShifts {
  std::uint32_t b = 0;     ///< constant buffers
  std::uint32_t t = 1000;  ///< textures and buffers that are only read
  std::uint32_t s = 2000;  ///< samplers
  std::uint32_t u = 3000;  ///< images and buffers that are written, too

  friend bool operator==(const RegisterShifts&, const RegisterShifts&) = default;
};

}  // namespace lockstep
