#include "cli/devices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lockstep/dispatch/profile.hpp>

#include "cli/words.hpp"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DevicesOptions {
  std::string name;
  bool json = false;
};

// ---- A profile as Vulkan's structures, in JSON, from which the text is generated ----

// vulkaninfo omits the prefix of enumerants.
std::string without_prefix(std::string_view name) {
  constexpr std::string_view prefix = "VK_";
  return std::string(name.starts_with(prefix) ? name.substr(prefix.size()) : name);
}

Json stage_names(Stages set) {
  constexpr std::pair<Stages, const char*> names[] = {
      {stages::vertex, "SHADER_STAGE_VERTEX_BIT"},
      {stages::tessellation_control, "SHADER_STAGE_TESSELLATION_CONTROL_BIT"},
      {stages::tessellation_evaluation, "SHADER_STAGE_TESSELLATION_EVALUATION_BIT"},
      {stages::geometry, "SHADER_STAGE_GEOMETRY_BIT"},
      {stages::fragment, "SHADER_STAGE_FRAGMENT_BIT"},
      {stages::compute, "SHADER_STAGE_COMPUTE_BIT"},
      {stages::task, "SHADER_STAGE_TASK_BIT_EXT"},
      {stages::mesh, "SHADER_STAGE_MESH_BIT_EXT"},
      {0x100, "SHADER_STAGE_RAYGEN_BIT_KHR"},
      {0x200, "SHADER_STAGE_ANY_HIT_BIT_KHR"},
      {0x400, "SHADER_STAGE_CLOSEST_HIT_BIT_KHR"},
      {0x800, "SHADER_STAGE_MISS_BIT_KHR"},
      {0x1000, "SHADER_STAGE_INTERSECTION_BIT_KHR"},
      {0x2000, "SHADER_STAGE_CALLABLE_BIT_KHR"},
  };
  Json list = Json::array();
  for (const auto& [bit, name] : names) {
    if ((set & bit) != 0) list.push_back(name);
  }
  return list;
}

Json operation_names(Features features) {
  Json list = Json::array();
  for (int k = 0; k <= static_cast<int>(Feature::rotate_clustered); ++k) {
    const auto feature = static_cast<Feature>(k);
    if (features.contain(feature)) list.push_back(without_prefix(to_string(feature)));
  }
  return list;
}

// The features of each structure, in the order of Feature.
struct FeatureStructure {
  const char* name;
  Feature first, last;
};
constexpr FeatureStructure feature_structures[] = {
    {"VkPhysicalDeviceSubgroupSizeControlFeatures", Feature::subgroup_size_control,
     Feature::compute_full_subgroups},
    {"VkPhysicalDeviceVulkan12Features", Feature::shader_subgroup_extended_types,
     Feature::subgroup_broadcast_dynamic_id},
    {"VkPhysicalDeviceShaderSubgroupRotateFeatures", Feature::shader_subgroup_rotate,
     Feature::shader_subgroup_rotate_clustered},
    {"VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR",
     Feature::shader_subgroup_uniform_control_flow, Feature::shader_subgroup_uniform_control_flow},
    {"VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR", Feature::shader_maximal_reconvergence,
     Feature::shader_maximal_reconvergence},
    {"VkPhysicalDeviceShaderQuadControlFeaturesKHR", Feature::shader_quad_control,
     Feature::shader_quad_control},
    {"VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR", Feature::compute_derivative_group_quads,
     Feature::compute_derivative_group_linear},
    {"VkPhysicalDeviceVulkan12Features", Feature::shader_float16, Feature::shader_float16},
    {"VkPhysicalDeviceFeatures", Feature::shader_float64, Feature::shader_float64},
    {"VkPhysicalDeviceVulkan12Features", Feature::shader_int8, Feature::shader_int8},
    {"VkPhysicalDeviceFeatures", Feature::shader_int16, Feature::shader_int64},
    {"VkPhysicalDeviceVulkan12Features", Feature::shader_buffer_int64_atomics,
     Feature::shader_shared_int64_atomics},
    {"VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT", Feature::shader_image_int64_atomics,
     Feature::shader_image_int64_atomics},
    {"VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT", Feature::shader_buffer_float16_atomics,
     Feature::shader_buffer_float16_atomic_min_max},
    {"VkPhysicalDeviceShaderAtomicFloatFeaturesEXT", Feature::shader_buffer_float32_atomics,
     Feature::shader_buffer_float32_atomic_add},
    {"VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT", Feature::shader_buffer_float32_atomic_min_max,
     Feature::shader_buffer_float32_atomic_min_max},
    {"VkPhysicalDeviceShaderAtomicFloatFeaturesEXT", Feature::shader_buffer_float64_atomics,
     Feature::shader_buffer_float64_atomic_add},
    {"VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT", Feature::shader_buffer_float64_atomic_min_max,
     Feature::shader_buffer_float64_atomic_min_max},
    {"VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT", Feature::shader_shared_float16_atomics,
     Feature::shader_shared_float16_atomic_min_max},
    {"VkPhysicalDeviceShaderAtomicFloatFeaturesEXT", Feature::shader_shared_float32_atomics,
     Feature::shader_shared_float32_atomic_add},
    {"VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT", Feature::shader_shared_float32_atomic_min_max,
     Feature::shader_shared_float32_atomic_min_max},
    {"VkPhysicalDeviceShaderAtomicFloatFeaturesEXT", Feature::shader_shared_float64_atomics,
     Feature::shader_shared_float64_atomic_add},
    {"VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT", Feature::shader_shared_float64_atomic_min_max,
     Feature::shader_shared_float64_atomic_min_max},
    {"VkPhysicalDeviceShaderAtomicFloatFeaturesEXT", Feature::shader_image_float32_atomics,
     Feature::shader_image_float32_atomic_add},
    {"VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT", Feature::shader_image_float32_atomic_min_max,
     Feature::shader_image_float32_atomic_min_max},
    {"VkPhysicalDeviceVulkan12Features", Feature::vulkan_memory_model,
     Feature::vulkan_memory_model_device_scope},
    {"VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR",
     Feature::workgroup_memory_explicit_layout,
     Feature::workgroup_memory_explicit_layout_16_bit_access},
    {"VkPhysicalDeviceShaderLongVectorFeaturesEXT", Feature::long_vector, Feature::long_vector},
    {"VkPhysicalDeviceShaderReplicatedCompositesFeaturesEXT", Feature::shader_replicated_composites,
     Feature::shader_replicated_composites},
    {"VkPhysicalDeviceCooperativeMatrixFeaturesKHR", Feature::cooperative_matrix,
     Feature::cooperative_matrix},
};
static_assert(std::ranges::end(feature_structures)[-1].last == Feature{feature_count - 1});

Json numbers(Size3 size) { return {size.x, size.y, size.z}; }

Json structures(const Profile& profile) {
  Json all;
  all["VkPhysicalDeviceSubgroupProperties"] = {
      {"subgroupSize", profile.subgroup_size},
      {"supportedStages", stage_names(profile.supported_stages)},
      {"supportedOperations", operation_names(profile.features)},
      {"quadOperationsInAllStages", profile.quad_operations_in_all_stages},
  };
  all["VkPhysicalDeviceSubgroupSizeControlProperties"] = {
      {"minSubgroupSize", profile.min_subgroup_size},
      {"maxSubgroupSize", profile.max_subgroup_size},
      {"maxComputeWorkgroupSubgroups", profile.max_compute_workgroup_subgroups},
      {"requiredSubgroupSizeStages", stage_names(profile.required_subgroup_size_stages)},
  };
  all["VkPhysicalDeviceLimits"] = {
      {"maxComputeSharedMemorySize", profile.max_compute_shared_memory_size},
      {"maxComputeWorkGroupCount", numbers(profile.max_compute_work_group_count)},
      {"maxComputeWorkGroupInvocations", profile.max_compute_work_group_invocations},
      {"maxComputeWorkGroupSize", numbers(profile.max_compute_work_group_size)},
  };
  for (const FeatureStructure& structure : feature_structures) {
    for (int k = static_cast<int>(structure.first); k <= static_cast<int>(structure.last); ++k) {
      const auto feature = static_cast<Feature>(k);
      all[structure.name][std::string(to_string(feature))] = profile.features.contain(feature);
    }
  }
  return all;
}

// ---- Text ----

void print_structure(const std::string& name, const Json& members) {
  fmt::print("{}:\n{}\n", name, std::string(name.size() + 1, '-'));
  std::size_t width = 0;
  for (const auto& member : members.items()) {
    if (!member.value().is_array()) width = std::max(width, member.key().size());
  }
  for (const auto& member : members.items()) {
    const Json& value = member.value();
    if (!value.is_array()) {
      fmt::print("\t{:{}} = {}\n", member.key(), width, value.dump());
      continue;
    }
    if (value.empty()) {
      fmt::print("\t{}:\n\t\tNone\n", member.key());
      continue;
    }
    fmt::print("\t{}: count = {}\n", member.key(), value.size());
    for (const Json& one : value)
      fmt::print("\t\t{}\n", one.is_string() ? one.get<std::string>() : one.dump());
  }
  fmt::print("\n");
}

void print_profile(const Profile& profile) {
  fmt::print("{}: {}\n\n", profile.name, profile.description);
  const Json all = structures(profile);
  for (const auto& structure : all.items()) print_structure(structure.key(), structure.value());
}

std::string sizes(const Profile& profile) {
  if (profile.min_subgroup_size == profile.max_subgroup_size)
    return std::to_string(profile.subgroup_size);
  return fmt::format("{} ({}-{})", profile.subgroup_size, profile.min_subgroup_size,
                     profile.max_subgroup_size);
}

void print_list() {
  fmt::print("{:<14}  {:<11}  {}\n", "profile", "subgroups", "device");
  for (const Profile* profile : profile::all())
    fmt::print("{:<14}  {:<11}  {}\n", profile->name, sizes(*profile), profile->description);
}

Json to_json(const Profile& profile) {
  Json json{{"name", std::string(profile.name)}, {"description", std::string(profile.description)}};
  json.update(structures(profile));
  return json;
}

// ---- The job ----

const Profile& named(const std::string& name) {
  if (const Profile* profile = profile::find(name)) return *profile;
  std::vector<std::string_view> names;
  for (const Profile* profile : profile::all()) names.push_back(profile->name);
  throw UsageError(
      fmt::format("there is no profile '{}'; use one of: {}", name, fmt::join(names, ", ")));
}

ExitCode run(const DevicesOptions& options) {
  if (!options.name.empty()) {
    const Profile& profile = named(options.name);
    if (options.json)
      fmt::print("{}\n", to_json(profile).dump(2));
    else
      print_profile(profile);
    return exit_fine;
  }
  if (!options.json) {
    print_list();
    return exit_fine;
  }
  Json list = Json::array();
  for (const Profile* profile : profile::all()) list.push_back(to_json(*profile));
  fmt::print("{}\n", list.dump(2));
  return exit_fine;
}

}  // namespace

Command devices_command(CLI::App& program) {
  auto options = std::make_shared<DevicesOptions>();
  CLI::App* app =
      program.add_subcommand("devices", "List device profiles, or print one as vulkaninfo does");
  app->add_option("NAME", options->name, "The profile to print (default: list all)")
      ->check(offering(device_names()))
      ->option_text(" ");
  app->add_flag("--json", options->json, "Print JSON");
  app->footer(
      "Values are typical of what drivers report, and not tied to one driver version.\n\n"
      "Examples:\n"
      "  lockstep devices\n"
      "  lockstep devices amd_wave64\n"
      "  lockstep devices --json");
  return {app, [options] { return run(*options); }};
}

}  // namespace lockstep::cli
