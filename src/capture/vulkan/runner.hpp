#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/dispatch/mip_levels.hpp>
#include <lockstep/dispatch/sampler.hpp>
#include <lockstep/workgroup/size3.hpp>

/// \file
/// Runs compute shaders on the machine's Vulkan devices, GPUs and lavapipe, for comparisons and
/// benchmarks.

namespace lockstep::vulkan {

/// Properties of a device.
struct Properties {
  std::string name;    ///< of the device
  std::string driver;  ///< and its version
  std::uint32_t subgroup_size = 0;
  std::uint32_t min_subgroup_size = 0, max_subgroup_size = 0;  ///< that may be required
  bool required_size = false;                                  ///< whether one may be required
};

/// The devices that can compute, in the loader's order; throws Error if there is none, and says why.
std::vector<Properties> listed_devices();

/// The same, or nothing.
///
/// Requires      None.
/// Active lanes  None.
/// Errors        None: without a Vulkan driver the list is empty.
/// Cost          Starts the loader and its drivers.
/// Spec          vkEnumeratePhysicalDevices
/// Example       tests/vulkan/runner.cpp
std::vector<Properties> devices();

/// What an image of a device is.
struct ImageDescription {
  /// How shaders see it.
  enum class View : std::uint8_t {
    one_d,
    one_d_array,
    two_d,
    two_d_array,
    three_d,
    cube,
    cube_array
  };
  ImageFormat format = ImageFormat::rgba8;
  View view = View::two_d;
  MipLevels levels =
      {};  ///< layers, and faces of cubes, are the depth; layers of one-dimensional images the height
  bool sampled = false;   ///< read through samplers, and not a storage image
  bool compared = false;  ///< by its sampler: r32f and r16 are depths then
};

class Pipeline;
class Resource;

/// One device, ready to compute.
///
/// Requires      Outlives its resources and pipelines. One thread at a time.
/// Active lanes  None.
/// Errors        Throws Error: no such device, a driver's failure.
/// Cost          Tens of milliseconds to make.
/// Spec          VkDevice
/// Example       tests/vulkan/runner.cpp
class Device {
 public:
  /// The first device whose name contains this text, ignoring case. All features that the device
  /// has and shaders may need are enabled.
  explicit Device(std::string_view name = "");
  /// The one of that number in devices().
  explicit Device(std::size_t index);
  ~Device();
  Device(Device&&) noexcept;

  const Properties& properties() const;

  /// The first capability that a module declares and this device lacks, or the property that one of its execution modes
  /// of float controls needs, by name; empty if it can run.
  std::string lacks(std::span<const std::uint32_t> words) const;
  /// What the device lacks for such an image, filtered linearly or not; empty if nothing.
  std::string lacks(const ImageDescription& image, bool linear) const;
  /// The same for a sampler.
  std::string lacks(const Sampler& sampler) const;
  /// What Vulkan says about it: as `device.json` of docs/reference/jobs.md.
  nlohmann::ordered_json describe() const;

 private:
  friend class Resource;
  friend class Pipeline;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Memory of a device that shaders use: a buffer or an image.
///
/// Requires      At least one byte, or one texel.
/// Active lanes  None.
/// Errors        Throws Error: no memory left; a copy that is larger than the resource.
/// Cost          Copies go through memory that host and device both see.
/// Spec          VkBuffer, VkImage
/// Example       tests/vulkan/runner.cpp
class Resource {
 public:
  static Resource buffer(const Device& device, std::size_t bytes);
  /// Texels are copied level by level, row by row and slice by slice.
  static Resource image(const Device& device, const ImageDescription& description);
  /// A storage image of one level.
  static Resource image(const Device& device, ImageFormat format, ImageKind kind, Size3 size);
  ~Resource();
  Resource(Resource&&) noexcept;

  std::size_t size() const;
  bool is_image() const;
  void upload(std::span<const std::byte> bytes);
  void download(std::span<std::byte> bytes) const;

 private:
  friend class Pipeline;
  struct Parts;
  explicit Resource(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// The slot of a resource in a shader.
struct Slot {
  std::uint32_t set = 0, binding = 0;
  bool is_image = false;
  bool is_uniform = false;              ///< a uniform buffer
  bool is_sampled = false;              ///< an image that is read through samplers
  std::optional<Sampler> sampler = {};  ///< alone, without a resource, or that of the sampled image
  std::uint32_t element = 0;            ///< of an array: there are slots of all from 0 on
};

/// A specialization constant: its bits, in as many bytes as its type has; 4 for a bool.
struct SpecBits {
  std::uint32_t id = 0;
  std::uint64_t bits = 0;
  std::uint32_t bytes = 4;
};

/// How to compile a shader.
struct PipelineOptions {
  std::string entry = "main";
  std::uint32_t push_constant_bytes = 0;
  std::vector<SpecBits> spec;
  /// The subgroup size to require; 0 for the device's choice.
  std::uint32_t subgroup_size = 0;
};

/// A compute shader, compiled for a device.
///
/// Requires      Valid SPIR-V whose capabilities the device has; as many resources as slots, and
///               push constants of the announced size.
/// Active lanes  As on the device.
/// Errors        Throws Error: the driver rejects the shader, the device is lost.
/// Cost          Compilation by the driver when it is made.
/// Spec          VkPipeline, vkCmdDispatch
/// Example       tests/vulkan/runner.cpp
class Pipeline {
 public:
  Pipeline(const Device& device, std::span<const std::uint32_t> words, std::vector<Slot> slots,
           const PipelineOptions& options = {});
  ~Pipeline();
  Pipeline(Pipeline&&) noexcept;

  /// Runs once and waits; returns the seconds between submission and completion. Resource k is in slot
  /// k; null for a sampler alone.
  double run(Size3 workgroups, std::span<const Resource* const> resources,
             std::span<const std::byte> push_constants = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace lockstep::vulkan
