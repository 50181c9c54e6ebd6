#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

/// \file
/// The texts of a module's sources, which compilers keep in it for debuggers.

namespace lockstep::spirv {

/// Instructions of debug_set_name that name sources and places in them.
inline constexpr const char* debug_set_name = "NonSemantic.Shader.DebugInfo.100";
enum DebugInfo : std::uint32_t { debug_source = 35, debug_line = 103, debug_no_line = 104 };

/// What source_texts gives, by the ids of names.
std::map<std::uint32_t, std::string> source_texts_by_id(std::span<const std::uint32_t> words);

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
