#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/module.hpp>

#include "driver/gpu.hpp"

using namespace lockstep::test;

namespace {

constexpr const char* endless = R"(#version 450
  layout(set = 0, binding = 0) buffer A { uint a[]; };
  void main() { a[1] = 5; while (a[0] == 0) a[1] ^= 1; })";

constexpr const char* outside = R"(#version 450
  layout(set = 0, binding = 0) buffer A { uint a[]; };
  void main() { a[0] = 5 + a[7]; })";

/// Runs it on two words.
VkResult run(Gpu& gpu, const GpuPipeline& pipeline, const GpuBuffer& buffer) {
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, buffer);
  return gpu.run([&](VkCommandBuffer commands) {
    VkDebugUtilsLabelEXT label{};
    label.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT;
    label.pLabelName = "first pass";
    gpu.vk.vkCmdBeginDebugUtilsLabelEXT(commands, &label);
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
    gpu.vk.vkCmdEndDebugUtilsLabelEXT(commands);
  });
}

void name(Gpu& gpu, VkObjectType type, std::uint64_t object, const char* text) {
  VkDebugUtilsObjectNameInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT;
  info.objectType = type;
  info.objectHandle = object;
  info.pObjectName = text;
  gpu.vk.vkSetDebugUtilsObjectNameEXT(gpu.device, &info);
}

std::string contents(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A file's name that nothing else has; it is removed at the end.
struct TemporaryName {
  explicit TemporaryName(const char* what)
      : path((std::filesystem::temp_directory_path() /
              (std::string(what) + std::to_string(getpid())))
                 .string()) {}
  ~TemporaryName() { std::filesystem::remove(path); }
  std::string path;
};

}  // namespace

TEST_CASE("a shader that cannot go on loses the device, with the reason") {
  const Environment environment({{"LOCKSTEP_MAX_STEPS", "1000"}});
  Gpu gpu;
  const auto pipeline = gpu.pipeline(endless, {{{{.binding = 0}}}});
  const auto buffer = gpu.buffer({0, 0});
  CHECK(run(gpu, pipeline, buffer) == VK_ERROR_DEVICE_LOST);
  const auto told = gpu.told();
  REQUIRE(told.size() == 1);
  CHECK(told[0].id == "device-lost");
  CHECK(told[0].severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
  CHECK_THAT(told[0].text, Catch::Contains("1000") && Catch::Contains("loop"));
  // It stays lost.
  CHECK(gpu.vk.vkQueueWaitIdle(gpu.queues[0]) == VK_ERROR_DEVICE_LOST);
  CHECK(gpu.submit(gpu.queues[1], gpu.record([](VkCommandBuffer) {})) == VK_ERROR_DEVICE_LOST);
  CHECK(gpu.vk.vkDeviceWaitIdle(gpu.device) == VK_ERROR_DEVICE_LOST);
}

TEST_CASE("with checks a program goes on, and the findings are in files") {
  const TemporaryName sarif("findings.sarif."), json("findings.json.");
  const Environment environment({{"LOCKSTEP_MAX_STEPS", "1000"},
                                 {"LOCKSTEP_CHECK", "all"},
                                 {"LOCKSTEP_SARIF", sarif.path},
                                 {"LOCKSTEP_JSON", json.path}});
  Gpu gpu;
  CHECK_THAT(contents(sarif.path), Catch::Contains("\"results\": []"));
  const auto pipeline = gpu.pipeline(endless, {{{{.binding = 0}}}});
  const auto buffer = gpu.buffer({0, 0}), other = gpu.buffer({1, 0});
  CHECK(run(gpu, pipeline, buffer) == VK_SUCCESS);
  const auto told = gpu.told();
  REQUIRE(told.size() == 1);
  CHECK(told[0].id == "no-progress");
  CHECK_THAT(told[0].text, Catch::Contains("'first pass'"));
  CHECK_THAT(contents(sarif.path), Catch::Contains("\"ruleId\": \"no-progress\""));
  CHECK_THAT(contents(json.path), Catch::Contains("\"rule\": \"no-progress\""));
  CHECK(run(gpu, pipeline, other) == VK_SUCCESS);
  CHECK(other.words()[1] == 5);
  CHECK(gpu.told().empty());
}

TEST_CASE("accesses outside of buffers are told once for each place, by the program's names") {
  const Environment environment;
  Gpu gpu;
  const auto pipeline = gpu.pipeline(outside, {{{{.binding = 0}}}});
  name(gpu, VK_OBJECT_TYPE_PIPELINE, reinterpret_cast<std::uint64_t>(pipeline.pipeline), "blur");
  const auto buffer = gpu.buffer({1, 9});
  CHECK(run(gpu, pipeline, buffer) == VK_SUCCESS);
  CHECK(buffer.words()[0] == 5);
  const auto told = gpu.told();
  REQUIRE(told.size() == 1);
  CHECK(told[0].id == "out-of-bounds");
  CHECK_THAT(told[0].text, Catch::Contains("read of byte 28 of A, which has 8") &&
                               Catch::Contains("in module 1, pipeline 1 \"blur\", dispatch 1, "
                                               "entry main, 'first pass'"));
  CHECK(run(gpu, pipeline, buffer) == VK_SUCCESS);
  CHECK(gpu.told().empty());
}

TEST_CASE("names may be given late, and each pipeline shows the names of its own module") {
  const Environment environment;
  Gpu gpu;
  // Both are made of the same words, so they are compiled once.
  const auto first = gpu.pipeline(outside, {{{{.binding = 0}}}}),
             second = gpu.pipeline(outside, {{{{.binding = 0}}}});
  const auto buffer = gpu.buffer({1, 9});
  const VkDescriptorSet set = gpu.set(second.sets[0]);
  gpu.write(set, 0, buffer);
  const VkCommandBuffer commands = gpu.record([&](VkCommandBuffer recorded) {
    gpu.bind(recorded, second, {set});
    gpu.vk.vkCmdDispatch(recorded, 1, 1, 1);
  });
  name(gpu, VK_OBJECT_TYPE_SHADER_MODULE, reinterpret_cast<std::uint64_t>(first.module), "one");
  name(gpu, VK_OBJECT_TYPE_SHADER_MODULE, reinterpret_cast<std::uint64_t>(second.module), "two");
  name(gpu, VK_OBJECT_TYPE_PIPELINE, reinterpret_cast<std::uint64_t>(second.pipeline), "late");
  CHECK(gpu.submit(gpu.queues[0], commands) == VK_SUCCESS);
  CHECK(gpu.vk.vkQueueWaitIdle(gpu.queues[0]) == VK_SUCCESS);
  CHECK_THAT(to_text(gpu.told()),
             Catch::Contains("in module 2 \"two\", pipeline 2 \"late\", dispatch 1, entry main"));
}

TEST_CASE("debugPrintf prints through messages") {
  const Environment environment;
  Gpu gpu({.info = true});
  const auto pipeline = gpu.pipeline(R"(#version 450
    #extension GL_EXT_debug_printf : require
    layout(local_size_x = 3) in;
    layout(set = 0, binding = 0) buffer A { uint a[]; };
    void main() {
      uint i = gl_LocalInvocationIndex;
      debugPrintfEXT("element %u is %u, %1.1v2f", i, a[i], vec2(i, 0.5));
    })",
                                     {{{{.binding = 0}}}});
  const auto buffer = gpu.buffer({10, 20, 30});
  CHECK(run(gpu, pipeline, buffer) == VK_SUCCESS);
  std::vector<std::string> printed;
  for (const Told& one : gpu.told())
    if (one.id == "debugPrintf") {
      printed.push_back(one.text);
      CHECK(one.severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT);
    }
  CHECK(printed == std::vector<std::string>{"element 0 is 10, 0.0, 0.5",
                                            "element 1 is 20, 1.0, 0.5",
                                            "element 2 is 30, 2.0, 0.5"});
}

TEST_CASE("a pipeline that the profile lacks features for is refused, and named") {
  const Environment environment({{"LOCKSTEP_DEVICE", "swiftshader_4"}});
  Gpu gpu;
  CHECK_THROWS_WITH(gpu.pipeline(R"(#version 450
    #extension GL_EXT_shader_explicit_arithmetic_types_float64 : require
    layout(set = 0, binding = 0) buffer A { float64_t a; };
    void main() { a = a * 2.0lf; })",
                                 {{{{.binding = 0}}}}),
                    Catch::Contains("vkCreateComputePipelines"));
  const std::string told = to_text(gpu.told());
  CHECK_THAT(told, Catch::Contains("shaderFloat64, which profile swiftshader_4 lacks"));
}

TEST_CASE("wrong variables are errors of vkCreateInstance") {
  for (const Environment::Variable& wrong : {Environment::Variable{"LOCKSTEP_SUBGROUP_SIZE", "300"},
                                             {"LOCKSTEP_SUBGROUP_SIZE", "4x"},
                                             {"LOCKSTEP_SUBGROUP_SIZE", "24"},
                                             {"LOCKSTEP_BEYOND_VULKAN", "far"},
                                             {"LOCKSTEP_MAX_SECONDS", "0"},
                                             {"LOCKSTEP_DEVICE", "voodoo"},
                                             {"LOCKSTEP_CONVERGENCE", "sometimes"},
                                             {"LOCKSTEP_CHOOSE", "heads"},
                                             {"LOCKSTEP_CHECK", "data-rice"},
                                             {"LOCKSTEP_VULKAN_GRAPHICS", "real"},
                                             {"LOCKSTEP_SARIF", "/nowhere/at/all.sarif"}}) {
    const Environment environment({wrong});
    INFO(wrong.first << "=" << wrong.second);
    CHECK_THROWS_WITH(Gpu(), Catch::Contains("vkCreateInstance"));
  }
}

TEST_CASE("an adversary makes lanes stay apart where nothing promises that they rejoin") {
  // After the inner branch, lanes count those that are still together.
  constexpr const char* counting = R"(#version 450
    #extension GL_KHR_shader_subgroup_ballot : require
    layout(set = 0, binding = 0) buffer A { uint a[]; };
    layout(local_size_x = 32) in;
    void main() {
      uint i = gl_LocalInvocationIndex;
      if (i % 2 == 0) {
        if (i % 4 == 0) a[i] = 1;
        a[i] = subgroupBallotBitCount(subgroupBallot(true));
      }
    })";
  const auto count = [&](const char* rule, const char* chooser) {
    const Environment environment({{"LOCKSTEP_CONVERGENCE", rule}, {"LOCKSTEP_CHOOSE", chooser}});
    Gpu gpu;
    const auto pipeline = gpu.pipeline(counting, {{{{.binding = 0}}}});
    const auto buffer = gpu.buffer(128);
    REQUIRE(run(gpu, pipeline, buffer) == VK_SUCCESS);
    return buffer.words()[0];
  };
  CHECK(count("maximal", "rejoin-none") == 16);
  CHECK(count("core", "rejoin-all") == 16);
  CHECK(count("core", "rejoin-none") == 8);
}

TEST_CASE("sizes that are no power of two are beyond Vulkan, and can be had") {
  const Environment environment(
      {{"LOCKSTEP_SUBGROUP_SIZE", "24"}, {"LOCKSTEP_BEYOND_VULKAN", "1"}});
  Gpu gpu;
  const auto pipeline = gpu.pipeline(R"(#version 450
    #extension GL_KHR_shader_subgroup_basic : require
    layout(set = 0, binding = 0) buffer A { uint a[]; };
    void main() { a[0] = gl_SubgroupSize; })",
                                     {{{{.binding = 0}}}});
  const auto buffer = gpu.buffer({0, 0});
  REQUIRE(run(gpu, pipeline, buffer) == VK_SUCCESS);
  CHECK(buffer.words()[0] == 24);
}

TEST_CASE("a loop ends the dispatch by time without progress, not by its iterations") {
  constexpr const char* counting = R"(#version 450
    layout(set = 0, binding = 0) buffer A { uint a[]; };
    void main() { for (uint k = 0; k < a[0]; ++k) atomicAdd(a[1], 1); })";
  {
    const Environment environment;
    Gpu gpu;
    const auto pipeline = gpu.pipeline(counting, {{{{.binding = 0}}}});
    const auto buffer = gpu.buffer({100000, 0});
    CHECK(run(gpu, pipeline, buffer) == VK_SUCCESS);
    CHECK(buffer.words()[1] == 100000);
  }
  for (const char* rule : {"maximal", "core"}) {
    const Environment environment({{"LOCKSTEP_MAX_SECONDS", "1"}, {"LOCKSTEP_CONVERGENCE", rule}});
    INFO(rule);
    Gpu gpu;
    const auto pipeline = gpu.pipeline(endless, {{{{.binding = 0}}}});
    const auto buffer = gpu.buffer({0, 0});
    CHECK(run(gpu, pipeline, buffer) == VK_ERROR_DEVICE_LOST);
    CHECK_THAT(to_text(gpu.told()), Catch::Contains("after 1 second without progress") &&
                                        Catch::Contains("raise --max-seconds of lockstep vulkan") &&
                                        Catch::Contains("in module 1, pipeline 1, dispatch 1"));
  }
}

TEST_CASE("workgroups that end are progress") {
  // Each takes a part of the limit, all of them more than it.
  const Environment environment({{"LOCKSTEP_MAX_SECONDS", "1"}, {"LOCKSTEP_THREADS", "1"}});
  Gpu gpu;
  const auto pipeline = gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0) buffer A { uint a[]; };
    void main() { for (uint k = 0; k < 10000; ++k) atomicAdd(a[1], k); })",
                                     {{{{.binding = 0}}}});
  const auto buffer = gpu.buffer({0, 0});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, buffer);
  const auto dispatch = [&](std::uint32_t groups) {
    const auto start = std::chrono::steady_clock::now();
    CHECK(gpu.run([&](VkCommandBuffer commands) {
      gpu.bind(commands, pipeline, {set});
      gpu.vk.vkCmdDispatch(commands, groups, 1, 1);
    }) == VK_SUCCESS);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  // As many as take longer than the limit. How long a part of them takes says little on a busy machine.
  for (std::uint32_t groups = 200; dispatch(groups) <= 1;) groups *= 2;
}

TEST_CASE(
    "a finding in a module without lines names its instruction, in a file for other commands") {
  const TemporaryName folder("modules.");
  const Environment environment({{"LOCKSTEP_MODULES", folder.path}});
  Gpu gpu({.lines = false});
  const auto pipeline = gpu.pipeline(outside, {{{{.binding = 0}}}});
  name(gpu, VK_OBJECT_TYPE_SHADER_MODULE, reinterpret_cast<std::uint64_t>(pipeline.module), "x");
  const auto buffer = gpu.buffer({1, 9});
  CHECK(run(gpu, pipeline, buffer) == VK_SUCCESS);
  const auto told = gpu.told();
  REQUIRE(told.size() == 1);
  const std::string& text = told[0].text;
  REQUIRE(std::filesystem::exists(folder.path));
  const std::string path = std::filesystem::directory_iterator(folder.path)->path();
  CHECK(path.ends_with(".spvasm"));
  CHECK_THAT(text, Catch::StartsWith(path + ":"));
  // The line of the file is the instruction that the message repeats.
  const int line = std::stoi(text.substr(path.size() + 1));
  std::istringstream lines(contents(path));
  std::string instruction;
  for (int k = 0; k < line; ++k) std::getline(lines, instruction);
  CHECK_THAT(instruction, Catch::Contains("OpLoad"));
  CHECK_THAT(text, Catch::Contains("instruction " + std::to_string(line) + ": ") &&
                       Catch::EndsWith(instruction.substr(instruction.find_first_not_of(' '))));
  const auto module = lockstep::Module::load(path);
  CHECK(module.entry_points() == std::vector<std::string>{"main"});
  std::filesystem::remove_all(folder.path);
}
