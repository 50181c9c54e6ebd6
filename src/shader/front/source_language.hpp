#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// What a shader is written in, and which programs compile it.

namespace lockstep::spirv {

enum class SourceLanguage : std::uint8_t {
  unknown,
  glsl,
  hlsl,
  slang,
  wgsl,
  opencl,
  assembly,  ///< of SPIR-V
  module,    ///< SPIR-V
};

/// By the file's ending: .comp, .glsl, .hlsl, .slang, .wgsl, .cl, .spvasm, .asm.comp, .spv.
SourceLanguage language_of(std::string_view path);

/// Of the programs that compile the language, those that come first are looked for first: "naga or tint".
std::string compilers_of(SourceLanguage language);
/// The path of the first of them that PATH has; empty if it has none.
std::string find_compiler(SourceLanguage language);
/// What changes with each version of a program: its path, size and time. Empty if it is not a file.
std::string compiler_identity(const std::string& compiler);

/// What a text that does not compile as `language` seems to be instead, and what to do: "is HLSL
/// ([numthreads), to judge by its text: give it the ending .hlsl". Empty if it seems to be that language.
std::string mistaken_language(const std::string& text, SourceLanguage language);

}  // namespace lockstep::spirv
