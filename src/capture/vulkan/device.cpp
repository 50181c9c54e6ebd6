#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

#include "capture/vulkan/device_parts.hpp"
#include "capture/vulkan/float_controls.hpp"
#include "capture/vulkan/image_memory.hpp"
#include "shader/front/encoded.hpp"

namespace lockstep::vulkan {
namespace {

std::optional<std::uint32_t> compute_family(const vk::raii::PhysicalDevice& device) {
  const auto families = device.getQueueFamilyProperties();
  for (std::uint32_t i = 0; i < families.size(); ++i)
    if (families[i].queueFlags & vk::QueueFlagBits::eCompute) return i;
  return std::nullopt;
}

bool is_usable(const vk::raii::PhysicalDevice& device) {
  return device.getProperties().apiVersion >= VK_API_VERSION_1_3 && compute_family(device);
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

constexpr const char* no_device =
    "there is no Vulkan 1.3 device: install a driver, e.g. mesa-vulkan-drivers";

vk::raii::PhysicalDevice find_device(const vk::raii::Instance& instance, std::string_view name) {
  std::string known;
  for (auto& device : vk::raii::PhysicalDevices(instance)) {
    if (!is_usable(device)) continue;
    const std::string its_name = properties_of(device).name;
    if (lower(its_name).find(lower(name)) != std::string::npos) return std::move(device);
    known += fmt::format("{}'{}'", known.empty() ? "" : ", ", its_name);
  }
  if (known.empty()) throw Error(no_device);
  throw Error(fmt::format("no Vulkan device matches '{}'; there is {}", name, known));
}

vk::raii::PhysicalDevice device_number(const vk::raii::Instance& instance, std::size_t index) {
  std::size_t count = 0;
  for (auto& device : vk::raii::PhysicalDevices(instance)) {
    if (is_usable(device) && count++ == index) return std::move(device);
  }
  if (count == 0) throw Error(no_device);
  throw Error(
      fmt::format("there is no Vulkan device {}; there are {}, counted from 0", index, count));
}

using Features =
    vk::StructureChain<vk::PhysicalDeviceFeatures2, vk::PhysicalDeviceVulkan11Features,
                       vk::PhysicalDeviceVulkan12Features, vk::PhysicalDeviceVulkan13Features,
                       vk::PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR,
                       vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT,
                       vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT,
                       vk::PhysicalDeviceComputeShaderDerivativesFeaturesNV>;

constexpr const char* cooperative_matrices = "VK_KHR_cooperative_matrix";

/// A feature that is newer than the headers this is built with: a structure of one bool or two.
struct NewFeature {
  const char* extension;
  VkStructureType type;
};
constexpr NewFeature new_features[] = {
    {"VK_KHR_shader_subgroup_rotate", static_cast<VkStructureType>(1000416000)},
    {"VK_KHR_shader_maximal_reconvergence", static_cast<VkStructureType>(1000434000)},
    {cooperative_matrices, static_cast<VkStructureType>(1000506000)},
};
/// The same structure of features, by two names.
constexpr const char* derivatives = "VK_KHR_compute_shader_derivatives";
constexpr const char* older_derivatives = VK_NV_COMPUTE_SHADER_DERIVATIVES_EXTENSION_NAME;
constexpr const char* uniform_control_flow =
    VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME;

struct NewFeatureBits {
  VkStructureType type;
  void* next;
  VkBool32 first, second;
};

Features features_of(const vk::raii::PhysicalDevice& physical) {
  Features chain;
  physical.getDispatcher()->vkGetPhysicalDeviceFeatures2(
      static_cast<VkPhysicalDevice>(*physical),
      reinterpret_cast<VkPhysicalDeviceFeatures2*>(&chain.get<vk::PhysicalDeviceFeatures2>()));
  return chain;
}

/// A capability that not every Vulkan 1.3 device has.
struct Optional {
  std::uint32_t capability;
  const char* name;
  bool has;
};

std::vector<Optional> optional_capabilities(const vk::raii::PhysicalDevice& physical,
                                            const std::set<std::string>& extensions) {
  Features chain = features_of(physical);
  const auto& core = chain.get<vk::PhysicalDeviceFeatures2>().features;
  const auto& eleven = chain.get<vk::PhysicalDeviceVulkan11Features>();
  const auto& twelve = chain.get<vk::PhysicalDeviceVulkan12Features>();
  const auto& floats = chain.get<vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT>();
  const auto& floats2 = chain.get<vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT>();
  const auto& quads = chain.get<vk::PhysicalDeviceComputeShaderDerivativesFeaturesNV>();
  const bool derives = extensions.contains(derivatives) || extensions.contains(older_derivatives);
  const auto operations =
      physical.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceSubgroupProperties>()
          .get<vk::PhysicalDeviceSubgroupProperties>()
          .supportedOperations;
  const auto group = [&](vk::SubgroupFeatureFlagBits bit) {
    return static_cast<bool>(operations & bit);
  };
  using Bit = vk::SubgroupFeatureFlagBits;
  return {
      {9, "Float16", twelve.shaderFloat16 == VK_TRUE},
      {10, "Float64", core.shaderFloat64 == VK_TRUE},
      {11, "Int64", core.shaderInt64 == VK_TRUE},
      {12, "Int64Atomics", twelve.shaderBufferInt64Atomics == VK_TRUE},
      {22, "Int16", core.shaderInt16 == VK_TRUE},
      {25, "ImageGatherExtended", core.shaderImageGatherExtended == VK_TRUE},
      {28, "UniformBufferArrayDynamicIndexing",
       core.shaderUniformBufferArrayDynamicIndexing == VK_TRUE},
      {29, "SampledImageArrayDynamicIndexing",
       core.shaderSampledImageArrayDynamicIndexing == VK_TRUE},
      {30, "StorageBufferArrayDynamicIndexing",
       core.shaderStorageBufferArrayDynamicIndexing == VK_TRUE},
      {31, "StorageImageArrayDynamicIndexing",
       core.shaderStorageImageArrayDynamicIndexing == VK_TRUE},
      {34, "ImageCubeArray", core.imageCubeArray == VK_TRUE},
      {39, "Int8", twelve.shaderInt8 == VK_TRUE},
      {45, "SampledCubeArray", core.imageCubeArray == VK_TRUE},
      {61, "GroupNonUniform", group(Bit::eBasic)},
      {62, "GroupNonUniformVote", group(Bit::eVote)},
      {63, "GroupNonUniformArithmetic", group(Bit::eArithmetic)},
      {64, "GroupNonUniformBallot", group(Bit::eBallot)},
      {65, "GroupNonUniformShuffle", group(Bit::eShuffle)},
      {66, "GroupNonUniformShuffleRelative", group(Bit::eShuffleRelative)},
      {67, "GroupNonUniformClustered", group(Bit::eClustered)},
      {68, "GroupNonUniformQuad", group(Bit::eQuad)},
      {4433, "StorageBuffer16BitAccess", eleven.storageBuffer16BitAccess == VK_TRUE},
      {4448, "StorageBuffer8BitAccess", twelve.storageBuffer8BitAccess == VK_TRUE},
      {5288, "ComputeDerivativeGroupQuadsKHR",
       derives && quads.computeDerivativeGroupQuads == VK_TRUE},
      {5297, "GroupNonUniformPartitionedNV", group(Bit::ePartitionedNV)},
      {5302, "RuntimeDescriptorArray", twelve.runtimeDescriptorArray == VK_TRUE},
      {5306, "UniformBufferArrayNonUniformIndexing",
       twelve.shaderUniformBufferArrayNonUniformIndexing == VK_TRUE},
      {5307, "SampledImageArrayNonUniformIndexing",
       twelve.shaderSampledImageArrayNonUniformIndexing == VK_TRUE},
      {5308, "StorageBufferArrayNonUniformIndexing",
       twelve.shaderStorageBufferArrayNonUniformIndexing == VK_TRUE},
      {5309, "StorageImageArrayNonUniformIndexing",
       twelve.shaderStorageImageArrayNonUniformIndexing == VK_TRUE},
      {5350, "ComputeDerivativeGroupLinearKHR",
       derives && quads.computeDerivativeGroupLinear == VK_TRUE},
      {5612, "AtomicFloat32MinMaxEXT", floats2.shaderBufferFloat32AtomicMinMax == VK_TRUE},
      {5613, "AtomicFloat64MinMaxEXT", floats2.shaderBufferFloat64AtomicMinMax == VK_TRUE},
      {6022, "CooperativeMatrixKHR", extensions.contains(cooperative_matrices)},
      {6026, "GroupNonUniformRotateKHR", extensions.contains("VK_KHR_shader_subgroup_rotate")},
      {6033, "AtomicFloat32AddEXT", floats.shaderBufferFloat32AtomicAdd == VK_TRUE},
      {6034, "AtomicFloat64AddEXT", floats.shaderBufferFloat64AtomicAdd == VK_TRUE},
  };
}

/// Runs f; a missing loader and drivers that fail become Errors.
template <class F>
auto starting(F f) {
  return doing("starting a device", [&] {
    try {
      return f();
    } catch (const std::runtime_error& error) {
      // The loader itself is missing.
      if (dynamic_cast<const vk::Error*>(&error) || dynamic_cast<const Error*>(&error)) throw;
      throw Error(fmt::format("Vulkan: {} Install the loader, e.g. libvulkan1, or a driver's own",
                              error.what()));
    }
  });
}

}  // namespace

vk::raii::Instance make_instance(const vk::raii::Context& context) {
  const vk::ApplicationInfo application("lockstep", 1, "lockstep", 1, VK_API_VERSION_1_3);
  return {context, vk::InstanceCreateInfo({}, &application)};
}

std::uint32_t compute_family_of(const vk::raii::PhysicalDevice& physical) {
  return *compute_family(physical);
}

Properties properties_of(const vk::raii::PhysicalDevice& device) {
  const auto chain =
      device.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceSubgroupProperties,
                            vk::PhysicalDeviceVulkan12Properties,
                            vk::PhysicalDeviceVulkan13Properties>();
  const auto& thirteen = chain.get<vk::PhysicalDeviceVulkan13Properties>();
  const auto& twelve = chain.get<vk::PhysicalDeviceVulkan12Properties>();
  return {.name = chain.get<vk::PhysicalDeviceProperties2>().properties.deviceName.data(),
          .driver = fmt::format("{} {}", twelve.driverName.data(), twelve.driverInfo.data()),
          .subgroup_size = chain.get<vk::PhysicalDeviceSubgroupProperties>().subgroupSize,
          .min_subgroup_size = thirteen.minSubgroupSize,
          .max_subgroup_size = thirteen.maxSubgroupSize,
          .required_size = static_cast<bool>(thirteen.requiredSubgroupSizeStages &
                                             vk::ShaderStageFlagBits::eCompute)};
}

Opened open_device(const vk::raii::PhysicalDevice& physical, std::uint32_t family) {
  std::set<std::string> has;
  for (const auto& extension : physical.enumerateDeviceExtensionProperties())
    has.insert(extension.extensionName.data());
  Features features;
  std::set<std::string> enabled;
  const auto wants = [&](const char* name) {
    if (has.contains(name)) enabled.insert(name);
    return has.contains(name);
  };
  if (!wants(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME))
    features.unlink<vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT>();
  if (!wants(VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME))
    features.unlink<vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT>();
  if (!wants(uniform_control_flow))
    features.unlink<vk::PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR>();
  wants(VK_NV_SHADER_SUBGROUP_PARTITIONED_EXTENSION_NAME);
  const bool newer = wants(derivatives), older = wants(older_derivatives);
  if (!newer && !older) features.unlink<vk::PhysicalDeviceComputeShaderDerivativesFeaturesNV>();
  auto& root = features.get<vk::PhysicalDeviceFeatures2>();
  auto* last = reinterpret_cast<VkBaseOutStructure*>(&root);
  while (last->pNext != nullptr) last = last->pNext;
  NewFeatureBits bits[std::size(new_features)];
  for (std::size_t k = 0; k < std::size(new_features); ++k) {
    if (!wants(new_features[k].extension)) continue;
    bits[k] = {new_features[k].type, nullptr, VK_FALSE, VK_FALSE};
    last->pNext = reinterpret_cast<VkBaseOutStructure*>(&bits[k]);
    last = last->pNext;
  }
  physical.getDispatcher()->vkGetPhysicalDeviceFeatures2(
      static_cast<VkPhysicalDevice>(*physical),
      reinterpret_cast<VkPhysicalDeviceFeatures2*>(&root));
  root.features.robustBufferAccess = VK_FALSE;  // costs time, and no test relies on it
  std::vector<const char*> extensions;
  for (const std::string& name : enabled) extensions.push_back(name.c_str());
  const float priority = 1;
  const vk::DeviceQueueCreateInfo queue({}, family, 1, &priority);
  vk::raii::Device device(physical,
                          vk::DeviceCreateInfo({}, queue, {}, extensions, nullptr, &root));
  return {std::move(device), std::move(enabled)};
}

std::vector<Properties> devices() {
  try {
    return listed_devices();
  } catch (const Error&) {
    return {};
  }
}

std::vector<Properties> listed_devices() {
  return starting([] {
    std::vector<Properties> found;
    const vk::raii::Context context;
    const vk::raii::Instance instance = make_instance(context);
    for (const auto& device : vk::raii::PhysicalDevices(instance))
      if (is_usable(device)) found.push_back(properties_of(device));
    if (found.empty()) throw Error(no_device);
    return found;
  });
}

Device::Device(std::string_view name)
    : parts_(starting([&] {
        return std::make_unique<Parts>(
            [&](const vk::raii::Instance& instance) { return find_device(instance, name); });
      })) {}
Device::Device(std::size_t index)
    : parts_(starting([&] {
        return std::make_unique<Parts>(
            [&](const vk::raii::Instance& instance) { return device_number(instance, index); });
      })) {}
Device::~Device() = default;
Device::Device(Device&&) noexcept = default;
const Properties& Device::properties() const { return parts_->properties; }

std::string Device::lacks(std::span<const std::uint32_t> words) const {
  const auto optional = optional_capabilities(parts_->physical, parts_->opened.extensions);
  for (const spirv::Encoded i : spirv::EncodedInstructions(words)) {
    // Capabilities are a module's first instructions.
    if (i.opcode() != spv::Op::OpCapability || i.words.size() != 2) break;
    for (const Optional& known : optional)
      if (known.capability == i.words[1] && !known.has) return known.name;
  }
  const auto properties =
      parts_->physical
          .getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceVulkan12Properties>();
  const char* const control =
      lacking_float_control(properties.get<vk::PhysicalDeviceVulkan12Properties>(), words);
  return control == nullptr ? "" : control;
}

std::string Device::lacks(const ImageDescription& image, bool linear) const {
  const vk::Format format = format_of(image);
  const auto can = parts_->physical.getFormatProperties(format).optimalTilingFeatures;
  const auto families = parts_->physical.getQueueFamilyProperties();
  // Depths are copied by queues for graphics only.
  if (image.compared && !(families[parts_->family].queueFlags & vk::QueueFlagBits::eGraphics))
    return "a queue for graphics";
  const auto missing = features_for(image, linear) & ~can;
  return missing ? fmt::format("{} of {}", vk::to_string(missing), vk::to_string(format)) : "";
}

std::string Device::lacks(const Sampler& sampler) const {
  const bool mirrors = std::ranges::any_of(
      std::array{sampler.address_mode_u, sampler.address_mode_v, sampler.address_mode_w},
      [](AddressMode mode) { return mode == AddressMode::mirror_clamp_to_edge; });
  Features chain = features_of(parts_->physical);
  const bool can =
      chain.get<vk::PhysicalDeviceVulkan12Features>().samplerMirrorClampToEdge == VK_TRUE;
  return mirrors && !can ? "samplerMirrorClampToEdge" : "";
}

}  // namespace lockstep::vulkan
