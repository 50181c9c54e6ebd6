#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "driver/gpu.hpp"

using namespace lockstep::test;

namespace {

/// A structure whose members are garbage before the driver fills them in.
template <class T>
T garbage(VkStructureType type) {
  T made;
  std::memset(&made, 0xcc, sizeof made);
  made.sType = type;
  made.pNext = nullptr;
  return made;
}

template <class T>
T features(Gpu& gpu, VkStructureType type) {
  auto made = garbage<T>(type);
  VkPhysicalDeviceFeatures2 root{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &made, {}};
  gpu.vk.vkGetPhysicalDeviceFeatures2(gpu.physical, &root);
  return made;
}

template <class T>
T properties(Gpu& gpu, VkStructureType type) {
  auto made = garbage<T>(type);
  VkPhysicalDeviceProperties2 root{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &made, {}};
  gpu.vk.vkGetPhysicalDeviceProperties2(gpu.physical, &root);
  return made;
}

/// Whether every member was written.
template <class T>
bool all_bools(const T& structure) {
  constexpr std::size_t header = sizeof(VkBaseOutStructure);
  const auto* const first = reinterpret_cast<const std::byte*>(&structure) + header;
  for (std::size_t at = 0; at + sizeof(VkBool32) <= sizeof(T) - header; at += sizeof(VkBool32)) {
    VkBool32 value;
    std::memcpy(&value, first + at, sizeof value);
    const bool is_padding = at + 2 * sizeof(VkBool32) > sizeof(T) - header && value == 0xcccccccc &&
                            (sizeof(T) - header) % 8 == 0;
    if (value != VK_TRUE && value != VK_FALSE && !is_padding) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("features of versions and of the structures they came from agree, and all are written") {
  const Environment environment;
  Gpu gpu;
  const auto f11 = features<VkPhysicalDeviceVulkan11Features>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  const auto f12 = features<VkPhysicalDeviceVulkan12Features>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  const auto f13 = features<VkPhysicalDeviceVulkan13Features>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
  CHECK(all_bools(f11));
  CHECK(all_bools(f12));
  CHECK(all_bools(f13));
  const auto storage16 = features<VkPhysicalDevice16BitStorageFeatures>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES);
  CHECK(storage16.storageBuffer16BitAccess == f11.storageBuffer16BitAccess);
  CHECK(storage16.storageInputOutput16 == f11.storageInputOutput16);
  CHECK(f11.storageBuffer16BitAccess == VK_TRUE);
  CHECK(f11.multiview == VK_FALSE);
  const auto indexing = features<VkPhysicalDeviceDescriptorIndexingFeatures>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES);
  CHECK(all_bools(indexing));
  CHECK(indexing.runtimeDescriptorArray == f12.runtimeDescriptorArray);
  CHECK(indexing.shaderInputAttachmentArrayDynamicIndexing == VK_FALSE);
  const auto sizes = features<VkPhysicalDeviceSubgroupSizeControlFeatures>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
  CHECK(sizes.subgroupSizeControl == f13.subgroupSizeControl);
  CHECK(sizes.computeFullSubgroups == VK_TRUE);
}

TEST_CASE("properties of versions and of the structures they came from agree") {
  const Environment environment(64);
  Gpu gpu;
  const auto p11 = properties<VkPhysicalDeviceVulkan11Properties>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
  const auto subgroup = properties<VkPhysicalDeviceSubgroupProperties>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  CHECK(p11.subgroupSize == 64);
  CHECK(subgroup.subgroupSize == 64);
  CHECK(subgroup.supportedStages == VK_SHADER_STAGE_COMPUTE_BIT);
  CHECK(subgroup.supportedOperations == 0x7ff);
  CHECK(p11.subgroupSupportedOperations == 0x7ff);
  CHECK(subgroup.quadOperationsInAllStages == VK_FALSE);
  const auto p12 = properties<VkPhysicalDeviceVulkan12Properties>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES);
  const auto driver = properties<VkPhysicalDeviceDriverProperties>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
  CHECK(std::string(driver.driverName) == "Lockstep");
  CHECK(std::string(p12.driverInfo) == driver.driverInfo);
  const auto floats = properties<VkPhysicalDeviceFloatControlsProperties>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES);
  CHECK(floats.shaderDenormPreserveFloat64 == VK_TRUE);
  CHECK(floats.shaderDenormFlushToZeroFloat32 == VK_TRUE);
  CHECK(floats.shaderRoundingModeRTZFloat64 == VK_TRUE);
  const auto sizes = properties<VkPhysicalDeviceSubgroupSizeControlProperties>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
  CHECK(sizes.minSubgroupSize == 4);
  CHECK(sizes.maxSubgroupSize == 128);
  CHECK(sizes.requiredSubgroupSizeStages == VK_SHADER_STAGE_COMPUTE_BIT);
  const auto dots = properties<VkPhysicalDeviceShaderIntegerDotProductProperties>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES);
  CHECK(all_bools(dots));
}

TEST_CASE("without size control there is one subgroup size") {
  const Environment environment(
      {{"LOCKSTEP_SUBGROUP_SIZE", "16"}, {"LOCKSTEP_SUBGROUP_SIZE_CONTROL", "off"}});
  Gpu gpu;
  const auto sizes = properties<VkPhysicalDeviceSubgroupSizeControlProperties>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
  CHECK(sizes.minSubgroupSize == 16);
  CHECK(sizes.maxSubgroupSize == 16);
  CHECK(sizes.requiredSubgroupSizeStages == 0);
}

TEST_CASE("conformance is claimed only on demand") {
  const auto version = [](std::initializer_list<Environment::Variable> variables) {
    const Environment environment(variables);
    Gpu gpu;
    const auto v = properties<VkPhysicalDeviceDriverProperties>(
                       gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES)
                       .conformanceVersion;
    return std::array<int, 4>{v.major, v.minor, v.subminor, v.patch};
  };
  CHECK(version({}) == std::array{0, 0, 0, 0});
  CHECK(version({{"LOCKSTEP_VULKAN_CONFORMANCE", "claimed"}}) == std::array{1, 3, 0, 0});
}

TEST_CASE("a profile is what the driver reports") {
  const Environment environment({{"LOCKSTEP_DEVICE", "swiftshader_4"}});
  Gpu gpu;
  VkPhysicalDeviceProperties core;
  gpu.vk.vkGetPhysicalDeviceProperties(gpu.physical, &core);
  CHECK(std::string(core.deviceName) == "Lockstep (swiftshader_4, subgroups of 4)");
  CHECK(core.limits.maxComputeWorkGroupInvocations == 256);
  CHECK(core.limits.maxComputeSharedMemorySize == 32768);
  const auto subgroup = properties<VkPhysicalDeviceSubgroupProperties>(
      gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  CHECK((subgroup.supportedOperations & VK_SUBGROUP_FEATURE_CLUSTERED_BIT) == 0);
  VkPhysicalDeviceFeatures first;
  gpu.vk.vkGetPhysicalDeviceFeatures(gpu.physical, &first);
  CHECK(first.shaderInt64 == VK_FALSE);
  std::uint32_t count = 0;
  gpu.vk.vkEnumerateDeviceExtensionProperties(gpu.physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  gpu.vk.vkEnumerateDeviceExtensionProperties(gpu.physical, nullptr, &count, extensions.data());
  CHECK(std::ranges::none_of(extensions, [](const auto& extension) {
    return std::string(extension.extensionName) == "VK_KHR_shader_maximal_reconvergence";
  }));
}

TEST_CASE(
    "explicit layouts, long vectors and replicated composites are reported as the profile has "
    "them") {
  struct LongVector {
    VkStructureType sType;
    void* pNext;
    VkBool32 longVector;
  };
  constexpr auto long_vector_type = VkStructureType(1000635000);
  constexpr auto composites_type = VkStructureType(1000564000);
  const auto reports = [&](const char* profile) {
    const Environment environment({{"LOCKSTEP_DEVICE", profile}});
    Gpu gpu;
    const auto layout = features<VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR>(
        gpu, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR);
    CHECK(all_bools(layout));
    CHECK(layout.workgroupMemoryExplicitLayoutScalarBlockLayout ==
          layout.workgroupMemoryExplicitLayout);
    CHECK(layout.workgroupMemoryExplicitLayout16BitAccess ==
          layout.workgroupMemoryExplicitLayout8BitAccess);
    std::uint32_t count = 0;
    gpu.vk.vkEnumerateDeviceExtensionProperties(gpu.physical, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> extensions(count);
    gpu.vk.vkEnumerateDeviceExtensionProperties(gpu.physical, nullptr, &count, extensions.data());
    const auto agrees = [&](const char* name, VkBool32 feature) {
      INFO(profile << ' ' << name);
      const bool listed = std::ranges::any_of(
          extensions, [&](const auto& one) { return std::string(one.extensionName) == name; });
      CHECK(listed == (feature == VK_TRUE));
      return feature == VK_TRUE;
    };
    const bool explicit_layout =
        agrees("VK_KHR_workgroup_memory_explicit_layout", layout.workgroupMemoryExplicitLayout);
    const bool long_vector =
        agrees("VK_EXT_shader_long_vector", features<LongVector>(gpu, long_vector_type).longVector);
    const bool composites = agrees("VK_EXT_shader_replicated_composites",
                                   features<LongVector>(gpu, composites_type).longVector);
    return std::array{explicit_layout, long_vector, composites};
  };
  CHECK(reports("teaching") == std::array{true, true, true});
  CHECK(reports("nvidia") == std::array{true, true, true});
  CHECK(reports("amd_wave64") == std::array{true, false, true});
  CHECK(reports("arm_16") == std::array{false, false, false});
}

TEST_CASE("cooperative matrices are reported as the profile has them") {
  struct Features {
    VkStructureType sType;
    void* pNext;
    VkBool32 cooperativeMatrix, cooperativeMatrixRobustBufferAccess;
  };
  struct Shape {
    VkStructureType sType;
    void* pNext;
    std::uint32_t m, n, k, a, b, c, result, saturating, scope;
  };
  using Function = VkResult (*)(VkPhysicalDevice, std::uint32_t*, Shape*);
  for (const auto& [profile, has] :
       {std::pair{"teaching", true}, {"nvidia", true}, {"amd_wave64", true}, {"arm_16", false}}) {
    CAPTURE(profile);
    const Environment environment({{"LOCKSTEP_DEVICE", profile}});
    Gpu gpu;
    const auto reported = features<Features>(gpu, VkStructureType(1000506000));
    CHECK((reported.cooperativeMatrix == VK_TRUE) == has);
    CHECK(reported.cooperativeMatrixRobustBufferAccess == reported.cooperativeMatrix);
  }
  const Environment environment;
  Gpu gpu;
  const auto get = reinterpret_cast<Function>(gpu.vk.vkGetInstanceProcAddr(
      gpu.instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"));
  REQUIRE(get != nullptr);
  std::uint32_t count = 0;
  REQUIRE(get(gpu.physical, &count, nullptr) == VK_SUCCESS);
  std::vector<Shape> shapes(count, garbage<Shape>(VkStructureType(1000506001)));
  REQUIRE(get(gpu.physical, &count, shapes.data()) == VK_SUCCESS);
  for (const Shape& shape : shapes) {
    // Every lane of the largest subgroup has an element.
    CHECK(std::min({shape.m * shape.n, shape.m * shape.k, shape.k * shape.n}) >= 128);
    CHECK(shape.a == shape.b);
    CHECK(shape.c == shape.result);
    CHECK(shape.scope == 3);
    constexpr std::uint32_t float64 = 2;  // the last type of floats
    CHECK((shape.saturating == VK_FALSE || shape.result > float64));
  }
  CHECK(std::ranges::any_of(shapes, [](const Shape& s) { return s.saturating == VK_TRUE; }));
  count = 2;
  CHECK(get(gpu.physical, &count, shapes.data()) == VK_INCOMPLETE);
  CHECK(count == 2);
}

TEST_CASE("lists that do not fit are incomplete") {
  const Environment environment;
  Gpu gpu;
  std::uint32_t all = 0;
  REQUIRE(gpu.vk.vkEnumerateDeviceExtensionProperties(gpu.physical, nullptr, &all, nullptr) ==
          VK_SUCCESS);
  REQUIRE(all > 40);
  std::vector<VkExtensionProperties> list(all + 5);
  std::uint32_t count = 3;
  CHECK(gpu.vk.vkEnumerateDeviceExtensionProperties(gpu.physical, nullptr, &count, list.data()) ==
        VK_INCOMPLETE);
  CHECK(count == 3);
  count = all + 5;
  CHECK(gpu.vk.vkEnumerateDeviceExtensionProperties(gpu.physical, nullptr, &count, list.data()) ==
        VK_SUCCESS);
  CHECK(count == all);
}

TEST_CASE("every command of the core is there, also by its name of an enabled extension") {
  const Environment environment;
  Gpu gpu;
  for (const char* name : {"vkCmdDraw", "vkCreateGraphicsPipelines", "vkCmdBeginRendering",
                           "vkCreateRenderPass2", "vkCmdSetCullMode", "vkCmdDispatch",
                           "vkGetBufferDeviceAddressKHR", "vkCreateSamplerYcbcrConversion"}) {
    INFO(name);
    CHECK(gpu.vk.vkGetDeviceProcAddr(gpu.device, name) != nullptr);
  }
  for (const char* name : {"vkCreateSwapchainKHR", "vkCmdDispatchKHR", "vkNothing"}) {
    INFO(name);
    CHECK(gpu.vk.vkGetDeviceProcAddr(gpu.device, name) == nullptr);
  }
}

TEST_CASE("a device cannot be made with features that are not there") {
  const Environment environment;
  Gpu gpu;
  VkPhysicalDeviceVulkan11Features more{};
  more.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  more.multiview = VK_TRUE;
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &more;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  VkDevice made = VK_NULL_HANDLE;
  CHECK(gpu.vk.vkCreateDevice(gpu.physical, &info, nullptr, &made) == VK_ERROR_FEATURE_NOT_PRESENT);
}

TEST_CASE("timestamps rise, and results are there or not") {
  const Environment environment;
  Gpu gpu;
  VkQueryPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = 3;
  VkQueryPool pool = VK_NULL_HANDLE;
  REQUIRE(gpu.vk.vkCreateQueryPool(gpu.device, &info, nullptr, &pool) == VK_SUCCESS);
  const auto copied = gpu.buffer(32);
  REQUIRE(gpu.run([&](VkCommandBuffer commands) {
    gpu.vk.vkCmdResetQueryPool(commands, pool, 0, 3);
    gpu.vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
    gpu.vk.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 1);
    gpu.vk.vkCmdCopyQueryPoolResults(
        commands, pool, 0, 2, copied.buffer, 0, 16,
        VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  }) == VK_SUCCESS);
  std::array<std::uint64_t, 6> values{};
  values.fill(7);
  CHECK(gpu.vk.vkGetQueryPoolResults(
            gpu.device, pool, 0, 3, sizeof values, values.data(), 16,
            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) == VK_NOT_READY);
  CHECK(values[0] > 0);
  CHECK(values[1] == 1);
  CHECK(values[2] >= values[0]);
  CHECK(values[3] == 1);
  CHECK(values[4] == 7);  // not available: not written
  CHECK(values[5] == 0);
  std::array<std::uint64_t, 4> in_buffer{};
  std::memcpy(in_buffer.data(), copied.bytes.data(), sizeof in_buffer);
  CHECK(in_buffer == std::array<std::uint64_t, 4>{values[0], 1, values[2], 1});
  std::array<std::uint32_t, 2> narrow{};
  CHECK(gpu.vk.vkGetQueryPoolResults(gpu.device, pool, 0, 2, sizeof narrow, narrow.data(), 4, 0) ==
        VK_SUCCESS);
  CHECK(narrow[1] == static_cast<std::uint32_t>(values[2]));
  gpu.vk.vkResetQueryPool(gpu.device, pool, 0, 2);
  CHECK(gpu.vk.vkGetQueryPoolResults(gpu.device, pool, 0, 1, sizeof narrow, narrow.data(), 4, 0) ==
        VK_NOT_READY);
  gpu.vk.vkDestroyQueryPool(gpu.device, pool, nullptr);
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("pipeline caches have a header and tell whether a pipeline must be compiled") {
  const Environment environment;
  Gpu gpu;
  const auto pipeline = gpu.pipeline("#version 450\nvoid main() {}", {});
  VkPipelineCacheCreateInfo cache_info{};
  cache_info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  VkPipelineCache cache = VK_NULL_HANDLE;
  REQUIRE(gpu.vk.vkCreatePipelineCache(gpu.device, &cache_info, nullptr, &cache) == VK_SUCCESS);
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = pipeline.module;
  info.stage.pName = "main";
  info.layout = pipeline.layout;
  const auto make = [&](VkPipelineCreateFlags flags) {
    info.flags = flags;
    VkPipeline made = VK_NULL_HANDLE;
    const VkResult result =
        gpu.vk.vkCreateComputePipelines(gpu.device, cache, 1, &info, nullptr, &made);
    CHECK((made != VK_NULL_HANDLE) == (result == VK_SUCCESS));
    gpu.vk.vkDestroyPipeline(gpu.device, made, nullptr);
    return result;
  };
  constexpr VkPipelineCreateFlags no_compiling =
      VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  CHECK(make(no_compiling) == VK_PIPELINE_COMPILE_REQUIRED);
  CHECK(make(0) == VK_SUCCESS);
  CHECK(make(no_compiling) == VK_SUCCESS);
  std::size_t size = 0;
  REQUIRE(gpu.vk.vkGetPipelineCacheData(gpu.device, cache, &size, nullptr) == VK_SUCCESS);
  REQUIRE(size >= 32);
  std::vector<std::uint32_t> data(size / 4);
  REQUIRE(gpu.vk.vkGetPipelineCacheData(gpu.device, cache, &size, data.data()) == VK_SUCCESS);
  CHECK(data[0] == 32);
  CHECK(data[1] == VK_PIPELINE_CACHE_HEADER_VERSION_ONE);
  size = 31;
  CHECK(gpu.vk.vkGetPipelineCacheData(gpu.device, cache, &size, data.data()) == VK_INCOMPLETE);
  CHECK(size == 0);
  gpu.vk.vkDestroyPipelineCache(gpu.device, cache, nullptr);
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE(
    "there is memory that is device-local, and memory that is not, of which each keeps its "
    "budget") {
  const Environment environment;
  Gpu gpu;
  VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{};
  budget.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT;
  VkPhysicalDeviceMemoryProperties2 properties{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, &budget, {}};
  gpu.vk.vkGetPhysicalDeviceMemoryProperties2(gpu.physical, &properties);
  const VkPhysicalDeviceMemoryProperties& memory = properties.memoryProperties;
  REQUIRE(memory.memoryTypeCount == 2);
  REQUIRE(memory.memoryHeapCount == 2);
  constexpr VkMemoryPropertyFlags of_host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                            VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                            VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  for (std::uint32_t type = 0; type < 2; ++type) {
    const VkMemoryType& reported = memory.memoryTypes[type];
    const bool local = (reported.propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
    CHECK(local == (type == 1));  // a subset of another type's properties comes before it
    CHECK((reported.propertyFlags & of_host) == of_host);
    const VkMemoryHeap& heap = memory.memoryHeaps[reported.heapIndex];
    CHECK(((heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) == local);
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.allocationSize = 12288;
    info.memoryTypeIndex = type;
    VkDeviceMemory allocated = VK_NULL_HANDLE;
    REQUIRE(gpu.vk.vkAllocateMemory(gpu.device, &info, nullptr, &allocated) == VK_SUCCESS);
    gpu.vk.vkGetPhysicalDeviceMemoryProperties2(gpu.physical, &properties);
    CHECK(budget.heapUsage[reported.heapIndex] == 12288);
    CHECK(budget.heapUsage[1 - reported.heapIndex] == 0);
    info.allocationSize = heap.size;
    VkDeviceMemory too_much = VK_NULL_HANDLE;
    CHECK(gpu.vk.vkAllocateMemory(gpu.device, &info, nullptr, &too_much) ==
          VK_ERROR_OUT_OF_DEVICE_MEMORY);
    gpu.vk.vkFreeMemory(gpu.device, allocated, nullptr);
  }
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("requirements are the same before and after a buffer or an image is made") {
  const Environment environment;
  Gpu gpu;
  VkBufferCreateInfo buffer_info{};
  buffer_info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  buffer_info.size = 1001;
  buffer_info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  REQUIRE(gpu.vk.vkCreateBuffer(gpu.device, &buffer_info, nullptr, &buffer) == VK_SUCCESS);
  VkMemoryRequirements first{};
  gpu.vk.vkGetBufferMemoryRequirements(gpu.device, buffer, &first);
  VkMemoryRequirements2 second{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2, nullptr, {}},
      early = second;
  const VkBufferMemoryRequirementsInfo2 of{VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2,
                                           nullptr, buffer};
  gpu.vk.vkGetBufferMemoryRequirements2(gpu.device, &of, &second);
  const VkDeviceBufferMemoryRequirements before{VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS,
                                                nullptr, &buffer_info};
  gpu.vk.vkGetDeviceBufferMemoryRequirements(gpu.device, &before, &early);
  const auto as_list = [](const VkMemoryRequirements& r) {
    return std::array<VkDeviceSize, 3>{r.size, r.alignment, r.memoryTypeBits};
  };
  CHECK(first.size >= 1001);
  CHECK(first.memoryTypeBits == 3);
  CHECK(as_list(first) == as_list(second.memoryRequirements));
  CHECK(as_list(first) == as_list(early.memoryRequirements));
  gpu.vk.vkDestroyBuffer(gpu.device, buffer, nullptr);
  CHECK(to_text(gpu.told()) == "");
}

TEST_CASE("formats have the uses that they report") {
  const Environment environment;
  Gpu gpu;
  for (const VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32_UINT,
                                VK_FORMAT_D32_SFLOAT, VK_FORMAT_BC1_RGB_UNORM_BLOCK}) {
    INFO(format);
    VkFormatProperties properties{};
    gpu.vk.vkGetPhysicalDeviceFormatProperties(gpu.physical, format, &properties);
    const bool there = format == VK_FORMAT_R8G8B8A8_UNORM || format == VK_FORMAT_R32_SFLOAT ||
                       format == VK_FORMAT_R32_UINT;
    CHECK((properties.optimalTilingFeatures != 0) == there);
    CHECK((properties.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) == 0);
    VkImageFormatProperties limits{};
    const auto supports = [&](VkImageUsageFlags usage) {
      return gpu.vk.vkGetPhysicalDeviceImageFormatProperties(
          gpu.physical, format, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, usage, 0, &limits);
    };
    CHECK(supports(VK_IMAGE_USAGE_STORAGE_BIT) ==
          (there ? VK_SUCCESS : VK_ERROR_FORMAT_NOT_SUPPORTED));
    CHECK(supports(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT) == VK_ERROR_FORMAT_NOT_SUPPORTED);
  }
}

TEST_CASE("a format to draw to is reported with the stub for graphics only") {
  for (const bool stub : {false, true}) {
    std::optional<Environment> environment;
    if (stub)
      environment.emplace(
          std::initializer_list<Environment::Variable>{{"LOCKSTEP_VULKAN_GRAPHICS", "stub"}});
    else
      environment.emplace();
    Gpu gpu;
    VkFormatProperties properties{};
    gpu.vk.vkGetPhysicalDeviceFormatProperties(gpu.physical, VK_FORMAT_B8G8R8A8_UNORM, &properties);
    CHECK((properties.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) ==
          (stub ? VkFormatFeatureFlags{VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT} : 0));
  }
}

TEST_CASE("depths that can be sampled can be compared") {
  const Environment environment({{"LOCKSTEP_VULKAN_GRAPHICS", "stub"}});
  Gpu gpu;
  for (const VkFormat format : {VK_FORMAT_D16_UNORM, VK_FORMAT_D32_SFLOAT,
                                VK_FORMAT_D32_SFLOAT_S8_UINT, VK_FORMAT_S8_UINT}) {
    INFO(format);
    VkFormatProperties3 more{VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3, nullptr, 0, 0, 0};
    VkFormatProperties2 properties{VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, &more, {}};
    gpu.vk.vkGetPhysicalDeviceFormatProperties2(gpu.physical, format, &properties);
    CHECK((more.optimalTilingFeatures & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT) != 0);
    CHECK(((more.optimalTilingFeatures & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT) !=
           0) == (format != VK_FORMAT_S8_UINT));
    CHECK(more.linearTilingFeatures == more.optimalTilingFeatures);
  }
}

// Structures of NV and KHR have one number.
TEST_CASE("derivatives in compute shaders are reported, and can be had") {
  const Environment environment;
  Gpu gpu({.layer = false});
  VkPhysicalDeviceComputeShaderDerivativesFeaturesNV derivatives{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_NV, nullptr, 0, 0};
  VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &derivatives, {}};
  gpu.vk.vkGetPhysicalDeviceFeatures2(gpu.physical, &all);
  CHECK(derivatives.computeDerivativeGroupLinear == VK_TRUE);
  CHECK(derivatives.computeDerivativeGroupQuads == VK_TRUE);
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue{
      VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority};
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &derivatives;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  VkDevice made = VK_NULL_HANDLE;
  REQUIRE(gpu.vk.vkCreateDevice(gpu.physical, &info, nullptr, &made) == VK_SUCCESS);
  gpu.vk.vkDestroyDevice(made, nullptr);
}

TEST_CASE("clocks of the host and the device are read together") {
  const Environment environment;
  Gpu gpu;
  std::uint32_t count = 0;
  gpu.vk.vkGetPhysicalDeviceCalibrateableTimeDomainsEXT(gpu.physical, &count, nullptr);
  REQUIRE(count == 2);
  const VkCalibratedTimestampInfoEXT infos[]{
      {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, nullptr, VK_TIME_DOMAIN_DEVICE_EXT},
      {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, nullptr,
       VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT}};
  std::array<std::uint64_t, 2> first{}, second{};
  std::uint64_t deviation = 0;
  REQUIRE(gpu.vk.vkGetCalibratedTimestampsEXT(gpu.device, 2, infos, first.data(), &deviation) ==
          VK_SUCCESS);
  REQUIRE(gpu.vk.vkGetCalibratedTimestampsEXT(gpu.device, 2, infos, second.data(), &deviation) ==
          VK_SUCCESS);
  CHECK(first[0] > 0);
  CHECK(second[0] >= first[0]);
  CHECK(second[1] >= first[1]);
}

TEST_CASE("private data belongs to an object and a slot") {
  const Environment environment;
  Gpu gpu;
  VkPrivateDataSlotCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO;
  VkPrivateDataSlot slot = VK_NULL_HANDLE, other = VK_NULL_HANDLE;
  REQUIRE(gpu.vk.vkCreatePrivateDataSlot(gpu.device, &info, nullptr, &slot) == VK_SUCCESS);
  REQUIRE(gpu.vk.vkCreatePrivateDataSlot(gpu.device, &info, nullptr, &other) == VK_SUCCESS);
  const auto a = gpu.buffer({1}), b = gpu.buffer({1});
  const auto of = [&](const GpuBuffer& buffer, VkPrivateDataSlot in) {
    std::uint64_t data = 1;
    gpu.vk.vkGetPrivateData(gpu.device, VK_OBJECT_TYPE_BUFFER,
                            reinterpret_cast<std::uint64_t>(buffer.buffer), in, &data);
    return data;
  };
  CHECK(of(a, slot) == 0);
  CHECK(gpu.vk.vkSetPrivateData(gpu.device, VK_OBJECT_TYPE_BUFFER,
                                reinterpret_cast<std::uint64_t>(a.buffer), slot, 77) == VK_SUCCESS);
  CHECK(of(a, slot) == 77);
  CHECK(of(b, slot) == 0);
  CHECK(of(a, other) == 0);
  gpu.vk.vkDestroyPrivateDataSlot(gpu.device, slot, nullptr);
  gpu.vk.vkDestroyPrivateDataSlot(gpu.device, other, nullptr);
}

TEST_CASE("the extensions that ballots and votes come from are there, too") {
  for (const int size : driver_sizes) {
    INFO("subgroups of " << size);
    const Environment environment(size);
    Gpu gpu;
    const auto pipeline = gpu.pipeline(R"(#version 450
      #extension GL_ARB_gpu_shader_int64 : require
      #extension GL_ARB_shader_ballot : require
      #extension GL_ARB_shader_group_vote : require
      layout(local_size_x = 128) in;
      layout(set = 0, binding = 0) buffer A { uvec4 a[]; };
      void main() {
        uint i = gl_LocalInvocationIndex;
        uint64_t set = ballotARB(i % 3 == 0);
        a[i] = uvec4(unpackUint2x32(set), readFirstInvocationARB(i), anyInvocationARB(i == 5) ? 1 : 0);
      })",
                                       {{{{.binding = 0}}}});
    const auto buffer = gpu.buffer(128 * 16);
    const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
    gpu.write(set, 0, buffer);
    REQUIRE(gpu.run([&](VkCommandBuffer commands) {
      gpu.bind(commands, pipeline, {set});
      gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
    }) == VK_SUCCESS);
    for (std::uint32_t i = 0; i < 128; ++i) {
      const std::uint32_t lanes = static_cast<std::uint32_t>(size), first = i / lanes * lanes;
      std::uint64_t expected = 0;
      for (std::uint32_t lane = 0; lane < lanes && lane < 64; ++lane)
        if ((first + lane) % 3 == 0) expected |= std::uint64_t{1} << lane;
      const std::uint32_t* const seen = &buffer.words()[i * 4];
      INFO("invocation " << i);
      CHECK(seen[0] == static_cast<std::uint32_t>(expected));
      CHECK(seen[1] == static_cast<std::uint32_t>(expected >> 32));
      CHECK(seen[2] == first);
      CHECK(seen[3] == (first <= 5 && 5 < first + lanes ? 1 : 0));
    }
    CHECK(to_text(gpu.told()) == "");
  }
}
