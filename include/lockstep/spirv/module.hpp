#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/spirv/register_shifts.hpp>

namespace lockstep {

namespace spirv {
struct DecodedModule;
}

/// How far the compiler and the validator may go.
struct CompileLimits {
  std::uint64_t seconds = 60;  ///< of processor time
  std::uint64_t stack_bytes = std::uint64_t{256} << 20;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
};

/// Compiler options of a module.
struct ModuleOptions {
  std::vector<std::pair<std::string, std::string>> defines;  ///< GLSL, HLSL: -D name=value
  std::vector<std::string> include_dirs;                     ///< GLSL, HLSL: for #include
  std::string entry = "main";  ///< GLSL, HLSL: the name of its entry point
  /// vulkan1.0 to vulkan1.3 or spv1.0 to spv1.6; if empty vulkan1.3, and for assembly the version that its
  /// comment names or, without one, the lowest in which the module is valid. opengl: vulkan1.3 with OpenGL's rules for GLSL:
  /// bindings are optional, and plain uniforms are the members of a block gl_DefaultUniformBlock.
  std::string target;
  /// Shaders are compiled and validated in a child process with these limits; without, in this process without limits.
  /// A child process has only the thread that starts it, so no other should hold locks then.
  std::optional<CompileLimits> limits = {};
  /// Whether SPIRV-Tools validate the module. Without, what an installed version does not know yet can run; the engine
  /// still checks all that it relies on.
  bool validate = true;
  /// load: a glslangValidator, glslang, glslc, dxc, slangc, naga, tint or clspv that compiles the file, with the limits.
  /// Empty: glslang's library for GLSL and HLSL, and what PATH has for the rest.
  std::string compiler = {};
  RegisterShifts registers = {};  ///< HLSL
};

/// A SPIR-V module, compiled, validated and decoded once; any number of pipelines can be made from
/// it. Copies share it, and it never changes.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        Throws Error: the compiler's or the validator's message with file and line.
/// Cost          Compiling and validating, which are cached for files; a copy costs as much as a
///               pointer's. Functions may be called on any thread.
/// Spec          VkShaderModule
/// Example       tests/spirv/module.cpp
class Module {
 public:
  /// From a file: .comp or .glsl, .hlsl, .spvasm or .asm.comp, .spv; .slang, .wgsl and .cl through a compiler in PATH.
  static Module load(const std::string& path, const ModuleOptions& options = {});
  /// From GLSL text; `name` is its name in messages.
  static Module from_glsl(const std::string& text, const ModuleOptions& options = {},
                          const std::string& name = "shader.comp");
  /// From HLSL text.
  static Module from_hlsl(const std::string& text, const ModuleOptions& options = {},
                          const std::string& name = "shader.hlsl");
  /// From SPIR-V assembly.
  static Module from_assembly(const std::string& text, const ModuleOptions& options = {},
                              const std::string& name = "shader.spvasm");
  /// From a module's words.
  static Module from_words(std::vector<std::uint32_t> words, const ModuleOptions& options = {},
                           const std::string& name = "shader.spv");
  /// The same module with other words, such as some with a planted fault; they are validated.
  Module with_words(std::vector<std::uint32_t> words, const ModuleOptions& options = {}) const;

  /// Its name in messages: its path.
  const std::string& name() const;
  /// The words, without execution modes that the validator does not know.
  std::span<const std::uint32_t> words() const;
  /// The names of its compute entry points.
  std::vector<std::string> entry_points() const;

  /// The engine's decoded form.
  const std::shared_ptr<const spirv::DecodedModule>& decoded() const { return decoded_; }

 private:
  explicit Module(std::shared_ptr<const spirv::DecodedModule> decoded);

  std::shared_ptr<const spirv::DecodedModule> decoded_;
};

}  // namespace lockstep
