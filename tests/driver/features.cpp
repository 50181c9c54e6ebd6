#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "driver/gpu.hpp"

/// \file
/// Features that devices are asked for, judged by Vulkan's registry.

using namespace lockstep::test;

namespace {

constexpr auto registry_path = "/usr/share/vulkan/registry/vk.xml";
/// The registry whose structures the driver knows.
constexpr int known_version = 356;

/// A structure that extends VkPhysicalDeviceFeatures2.
struct Structure {
  std::string name;
  VkStructureType type;
  std::vector<std::string> members;
};

std::string attribute(const std::string& tag, const std::string& name) {
  std::smatch found;
  return std::regex_search(tag, found, std::regex("\\b" + name + "=\"([^\"]*)\"")) ? found[1].str()
                                                                                   : "";
}

/// The numbers of VkStructureType. Those of an extension are counted from its number.
std::map<std::string, int> structure_types(const std::vector<std::string>& lines) {
  std::map<std::string, int> values;
  int extension = 0;
  for (const std::string& line : lines) {
    if (line.find("<extension ") != std::string::npos)
      extension = std::stoi(attribute(line, "number"));
    if (line.find("name=\"VK_STRUCTURE_TYPE_") == std::string::npos) continue;
    const std::string name = attribute(line, "name"), value = attribute(line, "value"),
                      offset = attribute(line, "offset"), other = attribute(line, "extnumber");
    if (!value.empty()) values[name] = std::stoi(value);
    if (!offset.empty())
      values[name] = 1'000'000'000 + ((other.empty() ? extension : std::stoi(other)) - 1) * 1000 +
                     std::stoi(offset);
  }
  return values;
}

/// VkPhysicalDeviceFeatures, without a type, and all structures that extend VkPhysicalDeviceFeatures2.
std::vector<Structure> structures_of(const std::vector<std::string>& lines) {
  const std::map<std::string, int> types = structure_types(lines);
  std::vector<Structure> all;
  bool inside = false;
  for (const std::string& line : lines) {
    if (line.find("<type category=\"struct\"") != std::string::npos) {
      const std::string name = attribute(line, "name");
      inside = attribute(line, "alias").empty() &&
               (name == "VkPhysicalDeviceFeatures" ||
                attribute(line, "structextends").find("VkPhysicalDeviceFeatures2") == 0);
      if (inside) all.push_back({name, VK_STRUCTURE_TYPE_MAX_ENUM, {}});
    }
    if (line.find("</type>") == std::string::npos || line.find("<member") != std::string::npos) {
      if (!inside || line.find("<member") == std::string::npos) continue;
      const std::string type = attribute(line, "values");
      std::smatch name;
      if (!type.empty()) all.back().type = VkStructureType(types.at(type));
      if (std::regex_search(line, name, std::regex("<type>VkBool32</type> *<name>(\\w+)</name>")))
        all.back().members.push_back(name[1]);
    } else {
      inside = false;
    }
  }
  return all;
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// Its memory: a type and a chain, its members and one word more, which the driver must not touch.
class Chained {
 public:
  Chained(const Structure& structure, VkBool32 value)
      : words_(4 + structure.members.size() + 1, value) {
    auto& head = *reinterpret_cast<VkBaseOutStructure*>(words_.data());
    head.sType = structure.type;
    head.pNext = nullptr;
  }
  void* get() { return words_.data(); }
  VkBool32& member(std::size_t k) { return words_[4 + k]; }

 private:
  std::vector<VkBool32> words_;
};

VkResult create(const Gpu& gpu, const void* chain, const VkPhysicalDeviceFeatures* core = nullptr) {
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = chain;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.pEnabledFeatures = core;
  VkDevice made = VK_NULL_HANDLE;
  const VkResult result = gpu.vk.vkCreateDevice(gpu.physical, &info, nullptr, &made);
  if (result == VK_SUCCESS) gpu.vk.vkDestroyDevice(made, nullptr);
  return result;
}

/// What the device reports, by 0 and 1.
std::vector<VkBool32> reported(const Gpu& gpu, const Structure& structure) {
  constexpr VkBool32 before = 7;
  Chained asked(structure, before);
  VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, asked.get(), {}};
  gpu.vk.vkGetPhysicalDeviceFeatures2(gpu.physical, &all);
  CHECK(asked.member(structure.members.size()) == before);
  std::vector<VkBool32> has;
  for (std::size_t k = 0; k < structure.members.size(); ++k) {
    CAPTURE(structure.members[k]);
    CHECK(asked.member(k) <= VK_TRUE);
    has.push_back(asked.member(k));
  }
  return has;
}

void check_core(const Gpu& gpu, const Structure& structure) {
  VkPhysicalDeviceFeatures has;
  gpu.vk.vkGetPhysicalDeviceFeatures(gpu.physical, &has);
  REQUIRE(structure.members.size() == sizeof has / sizeof(VkBool32));
  for (std::size_t k = 0; k < structure.members.size(); ++k) {
    CAPTURE(structure.members[k]);
    VkPhysicalDeviceFeatures2 one{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, nullptr, {}};
    (&one.features.robustBufferAccess)[k] = VK_TRUE;
    const VkResult expected =
        (&has.robustBufferAccess)[k] != 0 ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT;
    CHECK(create(gpu, &one) == expected);
    CHECK(create(gpu, nullptr, &one.features) == expected);
  }
}

}  // namespace

TEST_CASE("of all structures of features, each member is reported or refused") {
  if (!std::filesystem::exists(registry_path)) {
    WARN("without Vulkan's registry (Debian: libvulkan-dev)");
    return;
  }
  if (VK_HEADER_VERSION > known_version) {
    WARN("Vulkan's registry is newer than the structures that the driver knows");
    return;
  }
  const bool stub = GENERATE(false, true);
  CAPTURE(stub);
  const Environment environment({stub ? Environment::Variable{"LOCKSTEP_VULKAN_GRAPHICS", "stub"}
                                      : Environment::Variable{"LOCKSTEP_SUBGROUP_SIZE", "32"}});
  const Gpu gpu({.layer = false});
  std::size_t structures = 0, present = 0, absent = 0;
  for (const Structure& structure : structures_of(lines_of(registry_path))) {
    CAPTURE(structure.name);
    if (structure.name == "VkPhysicalDeviceFeatures") {
      check_core(gpu, structure);
      continue;
    }
    REQUIRE(structure.type != VK_STRUCTURE_TYPE_MAX_ENUM);
    REQUIRE_FALSE(structure.members.empty());
    ++structures;
    const std::vector<VkBool32> has = reported(gpu, structure);
    CHECK(create(gpu, Chained(structure, VK_FALSE).get()) == VK_SUCCESS);
    for (std::size_t k = 0; k < has.size(); ++k) {
      CAPTURE(structure.members[k]);
      Chained one(structure, VK_FALSE);
      one.member(k) = VK_TRUE;
      CHECK(create(gpu, one.get()) ==
            (has[k] != VK_FALSE ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT));
      ++(has[k] != VK_FALSE ? present : absent);
    }
  }
  // The registry was read.
  CHECK(structures >= 145);
  CHECK(present > 100);
  CHECK(absent > 200);
}
