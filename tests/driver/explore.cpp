#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "capture/job/job.hpp"
#include "driver/gpu.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// The sum of 64 numbers, which is right if subgroups have 32 lanes: the first of them adds both halves.
constexpr const char* of_32_lanes = R"(#version 450
  #extension GL_KHR_shader_subgroup_arithmetic : require
  layout(local_size_x = 64) in;
  layout(set = 0, binding = 0) buffer A { uint a[]; };
  layout(set = 0, binding = 1) buffer B { uint b[]; };
  shared uint halves[2];
  void main() {
    uint sum = subgroupAdd(a[gl_LocalInvocationIndex]);
    if (gl_LocalInvocationIndex % 32 == 0) halves[gl_LocalInvocationIndex / 32] = sum;
    barrier();
    if (gl_LocalInvocationIndex == 0) b[0] = halves[0] + halves[1];
  })";
/// The same for any size.
constexpr const char* of_any_lanes = R"(#version 450
  #extension GL_KHR_shader_subgroup_arithmetic : require
  layout(local_size_x = 64) in;
  layout(set = 0, binding = 0) buffer A { uint a[]; };
  layout(set = 0, binding = 1) buffer B { uint b[]; };
  void main() {
    uint sum = subgroupAdd(a[gl_LocalInvocationIndex]);
    if (subgroupElect()) atomicAdd(b[0], sum);
  })";

struct ExploredFolder {
  ExploredFolder()
      : path(std::filesystem::temp_directory_path() /
             ("lockstep_explored." + std::to_string(getpid()))) {}
  ~ExploredFolder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

/// What the program sees, and what it is told.
struct Seen {
  std::uint32_t sum;
  std::vector<Told> told;
};

Seen sum_with(const char* glsl) {
  Gpu gpu;
  const auto pipeline = gpu.pipeline(glsl, {{{{.binding = 0}, {.binding = 1}}}});
  const auto a = gpu.buffer(256), b = gpu.buffer({0});
  for (std::uint32_t k = 0; k < 64; ++k) a.words()[k] = k * k;
  const VkDescriptorSet set = gpu.set(pipeline.sets[0]);
  gpu.write(set, 0, a);
  gpu.write(set, 1, b);
  REQUIRE(gpu.run([&](VkCommandBuffer commands) {
    gpu.bind(commands, pipeline, {set});
    gpu.vk.vkCmdDispatch(commands, 1, 1, 1);
  }) == VK_SUCCESS);
  return {b.words()[0], gpu.told()};
}

constexpr std::uint32_t sum_of_squares = 85344;

}  // namespace

TEST_CASE("exploring tells what a dispatch depends on, and the program sees the first result") {
  const ExploredFolder folder;
  const Environment environment(
      {{"LOCKSTEP_EXPLORE", "sizes"}, {"LOCKSTEP_MODULES", folder.path.string()}});
  const Seen seen = sum_with(of_32_lanes);
  CHECK(seen.sum == sum_of_squares);
  REQUIRE(seen.told.size() == 1);
  CHECK(seen.told[0].id == "explore");
  CHECK_THAT(seen.told[0].text,
             Catch::Contains("the result depends on subgroup-size: with --subgroup-size ") &&
                 Catch::Contains("byte 0 of B differs") &&
                 Catch::Contains("in module 1, pipeline 1, dispatch 1, entry main"));
  // The job replays it.
  const job::Job job = job::read(folder.path / "0001-shader.spv");
  REQUIRE(job.bindings.size() == 2);
  CHECK(job.bindings[1].input == std::vector<std::byte>(4));
  std::uint32_t output = 0;
  std::memcpy(&output, job.bindings[1].output.data(), sizeof output);
  CHECK(output == sum_of_squares);
}

TEST_CASE("exploring finds nothing in a shader for any size and order") {
  const Environment environment({{"LOCKSTEP_EXPLORE", "all"}, {"LOCKSTEP_BUDGET", "4"}});
  const Seen seen = sum_with(of_any_lanes);
  CHECK(seen.sum == sum_of_squares);
  CHECK(to_text(seen.told) == "");
}
