#pragma once

#include <string>

#include <lockstep/spirv/register_shifts.hpp>

/// \file
/// What glslang's HLSL front end gets wrong without a word, rewritten before it reads the text.

namespace lockstep::spirv {

/// Rewrites HLSL so that
///
/// - registers of different classes get different bindings: with t = 1000, `register(t3, space1)` becomes
///   `register(t1003, space1)`. Each class counts from 0, but bindings have no classes. `[[vk::binding]]` stays.
/// - `[[vk::push_constant]] S pc;` is a ConstantBuffer<S>, since glslang ignores the attribute of a plain variable.
///
/// Line numbers do not change. Registers that a macro names stay as they are.
std::string patch_hlsl(const std::string& text, const RegisterShifts& shifts);

}  // namespace lockstep::spirv
