#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

/// \file
/// The texts of a module's sources, which compilers keep in it for debuggers.

namespace lockstep::spirv {

/// Texts by the names that lines have, of a shader and of the files that it includes; none that the module lacks.
///
/// Requires      None: a module that was not validated may be cut off.
/// Active lanes  None.
/// Errors        None.
/// Cost          O(words).
/// Spec          SPIR-V OpSource, OpSourceContinued; NonSemantic.Shader.DebugInfo.100
/// Example       tests/spirv/source_texts.cpp
std::map<std::string, std::string> source_texts(std::span<const std::uint32_t> words);

}  // namespace lockstep::spirv
