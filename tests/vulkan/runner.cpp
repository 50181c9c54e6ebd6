#include "capture/vulkan/runner.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "shader/front/compile.hpp"

using namespace lockstep;

namespace {

// out[i] = in[i] * factor + SCALE, and who ran it.
constexpr const char* text = R"(#version 450
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x = 32) in;
layout(constant_id = 3) const uint SCALE = 1;
layout(push_constant) uniform Push { uint factor; };
layout(set = 0, binding = 1) readonly buffer In { uint values[]; };
layout(set = 1, binding = 0) buffer Out { uint results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  results[i] = values[i] * factor + SCALE;
  if (i == 0) results[64] = gl_SubgroupSize;
})";

std::span<const std::byte> as_bytes(const std::vector<std::uint32_t>& v) {
  return std::as_bytes(std::span(v));
}

}  // namespace

TEST_CASE("a device that is not there is named, with those that are") {
  CHECK_THROWS_WITH(vulkan::Device("no such device"),
                    Catch::Contains("no Vulkan device matches 'no such device'") ||
                        Catch::Contains("there is no Vulkan 1.3 device") ||
                        Catch::Contains("Vulkan: "));
}

TEST_CASE("a shader runs on every device with buffers, push and specialization constants") {
  const auto words = spirv::compile_glsl(text, "runner.comp", {}).words;
  for (const vulkan::Properties& properties : vulkan::devices()) {
    INFO(properties.name << ", " << properties.driver);
    const vulkan::Device device(properties.name);
    CHECK(device.properties().subgroup_size >= 1);
    CHECK(device.lacks(words) == "");
    std::vector<std::uint32_t> in(64), out(65, 7);
    std::iota(in.begin(), in.end(), 10u);
    auto in_buffer = vulkan::Resource::buffer(device, 4 * in.size());
    auto out_buffer = vulkan::Resource::buffer(device, 4 * out.size());
    in_buffer.upload(as_bytes(in));
    out_buffer.upload(as_bytes(out));
    vulkan::PipelineOptions options;
    options.push_constant_bytes = 4;
    options.spec = {{3, 1000}};
    vulkan::Pipeline pipeline(device, words, {{0, 1}, {1, 0}}, options);
    const std::array<const vulkan::Resource*, 2> buffers{&in_buffer, &out_buffer};
    const std::uint32_t factor = 3;
    CHECK(pipeline.run({2}, buffers, std::as_bytes(std::span(&factor, 1))) > 0);
    out_buffer.download(std::as_writable_bytes(std::span(out)));
    for (std::size_t i = 0; i < in.size(); ++i) CHECK(out[i] == in[i] * 3 + 1000);
    CHECK(out[64] == properties.subgroup_size);
  }
}

TEST_CASE("what does not fit is refused") {
  if (vulkan::devices().empty()) return;
  const vulkan::Device device;
  auto buffer = vulkan::Resource::buffer(device, 8);
  std::array<std::byte, 9> more{};
  CHECK_THROWS_WITH(buffer.upload(more), "9 bytes do not fit in a resource of 8");
  CHECK_THROWS_WITH(buffer.download(more), "9 bytes exceed a resource of 8");
  const auto words = spirv::compile_glsl(text, "runner.comp", {}).words;
  vulkan::PipelineOptions options;
  options.push_constant_bytes = 4;
  vulkan::Pipeline pipeline(device, words, {{0, 1}, {1, 0}}, options);
  const std::array<const vulkan::Resource*, 1> one{&buffer};
  CHECK_THROWS_WITH(pipeline.run({1}, one),
                    "a shader with 2 resources and 4 bytes of push constants got 1 and 0");
}

TEST_CASE("capabilities that a device lacks are named") {
  if (vulkan::devices().empty()) return;
  const vulkan::Device device;
  // A header, then OpCapability GroupNonUniformRotateKHR.
  const std::array<std::uint32_t, 7> words{0x07230203, 0x00010300, 0, 1, 0, 2u << 16 | 17, 6026};
  CHECK(device.lacks(words) == "GroupNonUniformRotateKHR");
}
