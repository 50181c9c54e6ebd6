#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/spirv/register_shifts.hpp>

/// \file
/// From a shader file to validated SPIR-V: GLSL and HLSL through glslang, text and validation through
/// SPIRV-Tools.

namespace lockstep::spirv {

/// Constructs of a function inside one another. The validator takes half a minute for twice as many.
inline constexpr std::size_t deepest_constructs = 512;

/// The target of OpenGL's GLSL, and the block that its plain uniforms become.
inline constexpr const char* opengl_target = "opengl";
inline constexpr const char* default_uniform_block = "gl_DefaultUniformBlock";

struct CompileOptions {
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<std::string> include_dirs;
  std::string entry = "main";
  /// vulkan1.0 to vulkan1.3 or spv1.0 to spv1.6; if empty vulkan1.3, and for assembly the version that its
  /// comment names or, without one, the lowest in which the module is valid. opengl: vulkan1.3, by OpenGL's rules.
  std::string target;
  bool keep_valid = false;  ///< cache across processes that a module is valid
  bool validate = true;     ///< by SPIRV-Tools; without, only the engine's own checks
  std::string
      compiler;  ///< another program that compiles files of GLSL and HLSL; empty: glslang, in this process
  RegisterShifts registers;  ///< HLSL
};

/// A module, and what was removed from it because the validator does not know it.
struct Binary {
  std::vector<std::uint32_t> words;
  bool maximally_reconverges = false;
  bool subgroup_uniform_control_flow = false;
  float validator_seconds = 0;  ///< that the validator took; cached results take none
};

/// Reads, compiles or assembles, depending on the extension (source_language.hpp), and
/// validates.
Binary load_file(const std::string& path, const CompileOptions& options);
/// What load_file would give, if glslang has compiled the same before; no compiler runs.
std::optional<Binary> find_compiled(const std::string& path, const CompileOptions& options);
/// The same for GLSL or HLSL text; `name` is its name in messages.
Binary compile_glsl(const std::string& text, const std::string& name,
                    const CompileOptions& options);
Binary compile_hlsl(const std::string& text, const std::string& name,
                    const CompileOptions& options);
/// Throws Error with what a compiler has said, without its decoration. `name` is the shader's.
[[noreturn]] void fail_compile(const std::string& name, const std::string& log,
                               const std::string& advice = {});
/// The same for SPIR-V assembly.
Binary assemble(const std::string& text, const std::string& name, const CompileOptions& options);
/// Validates a module, unless the options say otherwise. Throws Error with the validator's message.
Binary validate(std::vector<std::uint32_t> words, const std::string& name,
                const CompileOptions& options);

}  // namespace lockstep::spirv
