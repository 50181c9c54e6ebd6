#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "capture/job/job.hpp"
#include "driver/gpu.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

namespace fs = std::filesystem;

/// A folder that is removed at the end.
struct TemporaryFolder {
  TemporaryFolder()
      : path(fs::temp_directory_path() / ("lockstep_jobs." + std::to_string(getpid()))) {}
  ~TemporaryFolder() { fs::remove_all(path); }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(path)) found.insert(entry.path().filename());
    return found;
  }
  fs::path path;
};

std::vector<std::byte> bytes_of(std::initializer_list<std::uint32_t> words) {
  std::vector<std::byte> bytes(words.size() * 4);
  std::memcpy(bytes.data(), std::data(words), bytes.size());
  return bytes;
}

}  // namespace

TEST_CASE("each dispatch is captured with what it read and wrote") {
  const TemporaryFolder folder;
  const Environment environment(
      {{"LOCKSTEP_CAPTURE", folder.path.string()}, {"LOCKSTEP_SUBGROUP_SIZE", "16"}});
  Gpu gpu;
  const auto pipeline = gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 2) readonly buffer A { uint a[]; } in_;
    layout(set = 1, binding = 0) buffer B { uint b[]; } out_;
    layout(push_constant) uniform P { uint add; };
    void main() { out_.b[gl_WorkGroupID.x] += in_.a[gl_WorkGroupID.x] + add; })",
                                     {{{{.binding = 2}}}, {{{.binding = 0}}}}, 4);
  const auto in = gpu.buffer({7, 7, 7, 7, 1, 2, 7, 7}), out = gpu.buffer({10, 20});
  const VkDescriptorSet first = gpu.set(pipeline.sets[0]), second = gpu.set(pipeline.sets[1]);
  const VkDescriptorBufferInfo part{in.buffer, 16, 8};
  gpu.write(first, 2, 0, {&part, 1});
  gpu.write(second, 0, out);
  const std::uint32_t add = 100;
  REQUIRE(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {first, second});
    gpu.vk.vkCmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &add);
    gpu.vk.vkCmdDispatch(commands, 2, 1, 1);
    gpu.barrier(commands);
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  CHECK(out.words()[0] == 212);
  CHECK(out.words()[1] == 122);
  REQUIRE(folder.names() == std::set<std::string>{"0001-shader.spv", "0002-shader.spv"});

  const job::Job job = job::read(folder.path / "0001-shader.spv");
  CHECK(job.groups.x == 2);
  CHECK(job.subgroup_size == 16);
  CHECK_FALSE(job.required_size);
  CHECK(job.push_constants == bytes_of({100}));
  REQUIRE(job.bindings.size() == 2);
  CHECK(job.bindings[0].binding == 2);
  CHECK(job.bindings[0].type == npy::Dtype::uint32);
  CHECK(job.bindings[0].input == bytes_of({1, 2}));
  CHECK_FALSE(job.bindings[0].writable);
  CHECK(job.bindings[1].set == 1);
  CHECK(job.bindings[1].input == bytes_of({10, 20}));
  CHECK(job.bindings[1].output == bytes_of({111, 122}));
  const job::Job again = job::read(folder.path / "0002-shader.spv");
  CHECK(again.bindings[1].input == bytes_of({111, 122}));
  CHECK(again.bindings[1].output == bytes_of({212, 122}));
}

TEST_CASE("a dispatch that loses the device leaves its inputs") {
  const TemporaryFolder folder;
  const Environment environment(
      {{"LOCKSTEP_CAPTURE", folder.path.string()}, {"LOCKSTEP_MAX_STEPS", "100"}});
  Gpu gpu;
  const auto pipeline = gpu.pipeline(R"(#version 450
    layout(set = 0, binding = 0) buffer A { uint a[]; };
    void main() { while (a[0] == 0) a[1] ^= 1; })",
                                     {{{{.binding = 0}}}});
  const auto buffer = gpu.buffer({0, 5});
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, buffer);
  CHECK(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_ERROR_DEVICE_LOST);
  const job::Job job = job::read(folder.path / "0001-shader.spv");
  REQUIRE(job.bindings.size() == 1);
  CHECK(job.bindings[0].input == bytes_of({0, 5}));
  CHECK(job.bindings[0].output.empty());
}

TEST_CASE("what a job cannot say is not captured") {
  const TemporaryFolder folder;
  const Environment environment({{"LOCKSTEP_CAPTURE", folder.path.string()}});
  Gpu gpu;
  const auto pipeline = gpu.pipeline("#version 450\nvoid main() {}", {});
  REQUIRE(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {});
    gpu.vk.vkCmdDispatchBase(commands, 1, 0, 0, 1, 1, 1);
  }) == VK_SUCCESS);
  CHECK(folder.names().empty());
}
