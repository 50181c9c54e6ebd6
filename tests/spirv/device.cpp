#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/shader.hpp>

using namespace lockstep;

namespace {

struct Need {
  const char* extensions;
  const char* statement;  ///< with u, a uint, and data, a buffer of uint
  Feature feature;
};

std::string text_of(const Need& need) {
  return std::string("#version 460\n") + need.extensions +
         "\nlayout(local_size_x = 32) in;\n"
         "layout(set = 0, binding = 0) buffer Data { uint data[]; };\n"
         "void main() {\n  uint u = gl_LocalInvocationIndex;\n  " +
         need.statement + "\n  data[gl_LocalInvocationIndex] = u;\n}\n";
}

constexpr const char* types = "#extension GL_EXT_shader_explicit_arithmetic_types : require\n";

}  // namespace

TEST_CASE("a shader lists the features it needs, and a device that lacks one rejects it") {
  const Need needs[] = {
      {"#extension GL_KHR_shader_subgroup_basic : require", "if (subgroupElect()) u = 1u;",
       Feature::basic},
      {"#extension GL_KHR_shader_subgroup_vote : require", "if (subgroupAll(u < 9u)) u = 1u;",
       Feature::vote},
      {"#extension GL_KHR_shader_subgroup_arithmetic : require", "u = subgroupAdd(u);",
       Feature::arithmetic},
      {"#extension GL_KHR_shader_subgroup_ballot : require", "u = subgroupBallot(u < 9u).x;",
       Feature::ballot},
      {"#extension GL_KHR_shader_subgroup_ballot : require", "u = subgroupBroadcast(u, u & 1u);",
       Feature::subgroup_broadcast_dynamic_id},
      {"#extension GL_KHR_shader_subgroup_shuffle : require", "u = subgroupShuffle(u, 3u);",
       Feature::shuffle},
      {"#extension GL_KHR_shader_subgroup_shuffle_relative : require",
       "u = subgroupShuffleUp(u, 3u);", Feature::shuffle_relative},
      {"#extension GL_KHR_shader_subgroup_clustered : require", "u = subgroupClusteredAdd(u, 4u);",
       Feature::clustered},
      {"#extension GL_KHR_shader_subgroup_quad : require", "u = subgroupQuadSwapDiagonal(u);",
       Feature::quad},
      {"#extension GL_NV_shader_subgroup_partitioned : require",
       "u = subgroupPartitionedAddNV(u, subgroupPartitionNV(u & 1u));", Feature::partitioned},
      {"#extension GL_KHR_shader_subgroup_rotate : require", "u = subgroupRotate(u, 1u);",
       Feature::shader_subgroup_rotate},
      {"#extension GL_KHR_shader_subgroup_rotate : require",
       "u = subgroupClusteredRotate(u, 1u, 4u);", Feature::shader_subgroup_rotate_clustered},
      {types, "u = uint(float16_t(u) * float16_t(2));", Feature::shader_float16},
      {types, "u = uint(double(u) * 2.0lf);", Feature::shader_float64},
      {types, "u = uint(uint8_t(u) + uint8_t(2));", Feature::shader_int8},
      {types, "u = uint(uint16_t(u) + uint16_t(2));", Feature::shader_int16},
      {types, "u = uint(uint64_t(u) * 77ul);", Feature::shader_int64},
      {"#extension GL_KHR_shader_subgroup_arithmetic : require\n"
       "#extension GL_EXT_shader_subgroup_extended_types_int64 : require\n"
       "#extension GL_EXT_shader_explicit_arithmetic_types : require",
       "u = uint(subgroupAdd(uint64_t(u)));", Feature::shader_subgroup_extended_types},
  };
  for (const Need& need : needs) {
    const std::string text = text_of(need);
    INFO(text);
    auto shader = Shader::from_glsl(text);
    CHECK(shader.interface().needs.contain(need.feature));
    std::vector<std::uint32_t> data(32);
    shader.bind(0, data);
    Device device{.subgroup_size = 32};
    CHECK(shader.dispatch({1}, device).faults == 0);
    device.profile.features = Features::all().without(need.feature);
    CHECK_THROWS_WITH(shader.dispatch({1}, device),
                      Catch::Contains(std::string(to_string(need.feature))) &&
                          Catch::Contains("which profile teaching lacks"));
  }
}

TEST_CASE("atomics need the features that Vulkan names") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer A { float real; uint64_t wide; };
shared float sum;
void main() {
  atomicAdd(real, 1.0);
  atomicMax(wide, 3ul);
  atomicExchange(sum, 1.0);
})");
  const Features needs = shader.interface().needs;
  CHECK(needs.contain({Feature::shader_buffer_float32_atomic_add,
                       Feature::shader_buffer_int64_atomics,
                       Feature::shader_shared_float32_atomics}));
  CHECK_FALSE(needs.contain(Feature::shader_shared_float32_atomic_add));
  CHECK_FALSE(needs.contain(Feature::shader_buffer_float32_atomic_min_max));
  CHECK_FALSE(needs.contain(Feature::shader_shared_int64_atomics));
}

TEST_CASE("atomics of 16-bit floats and on 64-bit images need the features that Vulkan names") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_EXT_shader_image_int64 : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer A { float16_t half_sum; };
layout(set = 0, binding = 1, r64ui) uniform u64image2D wide;
shared float16_t most, last;
void main() {
  atomicAdd(half_sum, float16_t(1.0));
  atomicMax(most, float16_t(2.0));
  imageAtomicMax(wide, ivec2(0), 3ul);
})");
  const Features needs = shader.interface().needs;
  CHECK(needs.contain({Feature::shader_buffer_float16_atomic_add,
                       Feature::shader_shared_float16_atomic_min_max,
                       Feature::shader_image_int64_atomics}));
  CHECK_FALSE(needs.contain(Feature::shader_shared_float16_atomics));
  CHECK_FALSE(needs.contain(Feature::shader_buffer_int64_atomics));
}

TEST_CASE("a shader without subgroup operations needs none") {
  const auto shader = Shader::from_glsl(text_of({"", "u *= 2u;", Feature::basic}));
  CHECK(shader.interface().needs == Features());
}

TEST_CASE("shaders obey the limits of the device") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
shared uint parts[64];
void main() { parts[gl_LocalInvocationIndex] = 1u; data[0] = parts[0]; })");
  std::vector<std::uint32_t> data(1);
  shader.bind(0, data);
  CHECK(shader.interface().shared_memory_bytes == 256);
  Device device{.subgroup_size = 32};
  device.profile.max_compute_shared_memory_size = 255;
  CHECK_THROWS_WITH(shader.dispatch({1}, device), Catch::Contains("maxComputeSharedMemorySize"));
  device.profile.max_compute_shared_memory_size = 256;
  device.profile.max_compute_work_group_invocations = 63;
  CHECK_THROWS_WITH(shader.dispatch({1}, device),
                    Catch::Contains("maxComputeWorkGroupInvocations"));
  device.profile.max_compute_work_group_invocations = 64;
  CHECK(shader.dispatch({1}, device).faults == 0);
  CHECK_THROWS_WITH(shader.dispatch({1}, Device{profile::nvidia, 16}),
                    Catch::Contains("subgroup size 16"));
}

TEST_CASE("maximal reconvergence is a feature of the device") {
  auto shader = Shader::from_glsl(R"(#version 460
#extension GL_EXT_maximal_reconvergence : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() [[maximally_reconverges]] { data[0] = 1u; })");
  CHECK(shader.interface().maximally_reconverges);
  CHECK(shader.interface().needs == Features(Feature::shader_maximal_reconvergence));
}
