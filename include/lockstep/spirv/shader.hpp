#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/dispatch/mapping.hpp>
#include <lockstep/dispatch/parallel.hpp>
#include <lockstep/dispatch/profile.hpp>
#include <lockstep/dispatch/workgroup_order.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/endless_loop.hpp>
#include <lockstep/exec/fault_log.hpp>
#include <lockstep/exec/lenient.hpp>
#include <lockstep/exec/reconvergence_stack.hpp>
#include <lockstep/spirv/detail/host_array.hpp>
#include <lockstep/spirv/shader_interface.hpp>
#include <lockstep/spirv/shader_run.hpp>
#include <lockstep/spirv/spec_constant.hpp>
#include <lockstep/workgroup/size3.hpp>

namespace lockstep {

class Image;
class Module;
struct Descriptor;
enum class ImageFormat;
struct Sampler;

/// Compiler options of a shader.
struct ShaderOptions {
  std::vector<std::pair<std::string, std::string>> defines;  ///< -D name=value
  std::vector<std::string> include_dirs;                     ///< for #include
  std::string entry = "main";
  /// vulkan1.0 to vulkan1.3 or spv1.0 to spv1.6; if empty vulkan1.3, and for assembly the version that its
  /// comment names or, without one, the lowest in which the module is valid. opengl: vulkan1.3 with OpenGL's rules for GLSL:
  /// bindings are optional, and plain uniforms are the members of a block gl_DefaultUniformBlock.
  std::string target;
  /// Specialization constants by SpecId. A number is converted to the constant's type.
  std::vector<std::pair<std::uint32_t, SpecConstant>> spec;
};

/// How a dispatch runs.
struct DispatchSettings {
  int subgroup_size = 32;
  int threads = 0;  ///< at most that many; 0 for all of the machine
  std::uint64_t max_steps =
      default_max_trips;                     ///< iterations of one loop before it counts as endless
  const Convergence* convergence = nullptr;  ///< as Dispatch::convergence
  Lenient lenient = {};                      ///< what is tolerated instead of being an Error
  Mapping mapping = {};                      ///< which invocation runs in which lane
  WorkgroupOrder order = {};                 ///< in which workgroups start
  bool deterministic = false;                ///< everything in one order, on one thread
  Progress* progress = nullptr;              ///< is told how far the dispatch is
  Checks checks = {};                        ///< the rules of a checked run
};

/// A compute shader that runs at any subgroup size: GLSL, SPIR-V text or SPIR-V.
///
/// Requires      Bound memory must outlive the dispatches. One dispatch of a Shader at a time.
/// Active lanes  As in the shader, under maximal reconvergence unless another rule is given.
/// Errors        load and the first dispatch throw Error: the compiler's or the validator's message
///               with file and line, or the instruction that is not supported. dispatch throws Error
///               for a size outside 1 to 128, a buffer that is not bound, a barrier that not all
///               invocations reach and a loop without an end. Accesses outside memory are faults: in
///               the result.
/// Cost          Compiled once by load, and once more for each subgroup size.
/// Spec          GLSL compute shaders · SPIR-V GLCompute
/// Example       tests/spirv/shader.cpp
class Shader {
 public:
  /// From a file: .comp or .glsl, .hlsl, .spvasm or .asm.comp, .spv; .slang, .wgsl and .cl through a compiler in PATH.
  static Shader load(const std::string& path, const ShaderOptions& options = {});
  /// From GLSL text; `name` is its name in messages.
  static Shader from_glsl(const std::string& text, const ShaderOptions& options = {},
                          const std::string& name = "shader.comp");
  /// From SPIR-V assembly.
  static Shader from_assembly(const std::string& text, const ShaderOptions& options = {},
                              const std::string& name = "shader.spvasm");
  /// From a module's words.
  static Shader from_words(std::vector<std::uint32_t> words, const ShaderOptions& options = {},
                           const std::string& name = "shader.spv");
  /// From a module, which has been compiled already; of the options, the entry point and the constants count.
  static Shader from_module(const Module& module, const ShaderOptions& options = {});

  Shader(Shader&&) noexcept;
  Shader& operator=(Shader&&) noexcept;
  ~Shader();

  /// Its bindings, local size and modes.
  const ShaderInterface& interface() const;

  /// Binds the elements that an array (std::vector, std::span, ...) has now to a binding of set 0. The array must not be
  /// resized while it is bound: a std::vector that grows moves its elements, so bind it again. Throws Error if the shader
  /// has no such binding, and names those it has, and for floats that are bound to a buffer without floats of that size;
  /// integers may be the bits of any number, and bind_bytes takes anything.
  template <class Array>
  Shader& bind(std::uint32_t binding, Array&& array) {
    return bind(0, binding, std::forward<Array>(array));
  }
  /// Binds an array to a binding of a set.
  template <class Array>
  Shader& bind(std::uint32_t set, std::uint32_t binding, Array&& array) {
    static_assert(host::is_lasting<Array>,
                  "a temporary array is gone when the shader runs: bind a variable");
    return bind_array(set, binding, host::host_array(array));
  }
  /// Binds bytes to an element of an array of buffers, or to a buffer (element 0).
  Shader& bind_bytes(std::uint32_t set, std::uint32_t binding, std::uint32_t element,
                     std::span<std::byte> bytes);
  /// The same for a buffer that the shader only reads.
  Shader& bind_bytes(std::uint32_t set, std::uint32_t binding, std::uint32_t element,
                     std::span<const std::byte> bytes);
  /// Binds an image (lockstep/dispatch/image.hpp), or one of an array of images.
  Shader& bind_image(std::uint32_t set, std::uint32_t binding, Image& image,
                     std::uint32_t element = 0);
  Shader& bind_image(std::uint32_t binding, Image& image) { return bind_image(0, binding, image); }
  /// Binds a sampler (lockstep/dispatch/sampler.hpp), or one of an array. A sampler2D and similar
  /// take an image and a sampler at the same binding.
  Shader& bind_sampler(std::uint32_t set, std::uint32_t binding, const Sampler& sampler,
                       std::uint32_t element = 0);
  Shader& bind_sampler(std::uint32_t binding, const Sampler& sampler) {
    return bind_sampler(0, binding, sampler);
  }
  /// Binds bytes as the texels of a texel buffer, or of one in an array.
  Shader& bind_texels(std::uint32_t set, std::uint32_t binding, ImageFormat format,
                      std::span<std::byte> bytes, std::uint32_t element = 0);
  /// Binds what a descriptor (lockstep/spirv/descriptor_set.hpp) refers to: an image with levels of detail, say.
  Shader& bind_descriptor(std::uint32_t set, std::uint32_t binding, const Descriptor& descriptor,
                          std::uint32_t element = 0);
  /// The push constants: any plain structure or number.
  template <class T>
  Shader& push(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return push_bytes(std::as_bytes(std::span(&value, 1)));
  }
  /// Sets the push constants from bytes.
  Shader& push_bytes(std::span<const std::byte> bytes);
  /// The address of memory that shaders access through buffer_reference, valid in every Shader as
  /// long as this one lives (AddressSpace::of_process()).
  std::uint64_t address_of(std::span<std::byte> bytes);
  template <class T>
  std::uint64_t address_of(std::vector<T>& array) {
    return address_of(std::as_writable_bytes(std::span(array)));
  }

  /// Throws Error if a device of that profile does not support the dispatch, and names what is missing.
  void check(const Profile& profile, int subgroup_size, Size3 workgroups) const;
  /// Runs the shader on a grid of workgroups.
  ShaderRun dispatch(Size3 workgroups, const DispatchSettings& settings = {});
  /// The same on a Device, if its profile can do it.
  template <class Device>
  requires requires(const Device& d) { d.subgroup_size + d.threads; }
  ShaderRun dispatch(Size3 workgroups, const Device& device) {
    check(device.profile, device.subgroup_size, workgroups);
    DispatchSettings settings;
    settings.subgroup_size = device.subgroup_size;
    settings.threads = device.threads;
    settings.max_steps = device.max_trips;
    settings.lenient = device.lenient;
    settings.mapping = device.mapping;
    settings.deterministic = device.deterministic;
    settings.progress = device.progress;
    settings.checks = device.checks;
    return dispatch(workgroups, settings);
  }

 private:
  struct Parts;
  Shader& bind_array(std::uint32_t set, std::uint32_t binding, const host::HostArray& array);
  explicit Shader(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace lockstep
