#include <lockstep/dispatch/mapping.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/device.hpp>
#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/shader.hpp>

#include "support/with_native.hpp"

/// \file
/// Shaders honour every member of Device. Which invocation runs in which lane is judged by plain formulas.

namespace {

using namespace lockstep;
using namespace lockstep::test;

using Words = std::vector<std::uint32_t>;

/// Where the shader says each invocation ran, and what it made of the built-in variables.
struct Seen {
  Words place;   ///< by global index: subgroup * 256 + lane
  Words index;   ///< by global index: gl_LocalInvocationIndex
  Words copied;  ///< 3 * input + 1
};

Words numbers(std::size_t count) {
  Words all(count);
  for (std::size_t k = 0; k < count; ++k) all[k] = static_cast<std::uint32_t>(k * 7 + 5);
  return all;
}

Shader make_shader(Size3 local) {
  return Shader::from_glsl(
      "#version 460\n#extension GL_KHR_shader_subgroup_basic : require\n"
      "layout(local_size_x = " +
      std::to_string(local.x) + ", local_size_y = " + std::to_string(local.y) + R"() in;
layout(set = 0, binding = 0) buffer Place { uint place[]; };
layout(set = 0, binding = 1) buffer Index { uint index[]; };
layout(set = 0, binding = 2) readonly buffer In { uint in_[]; };
layout(set = 0, binding = 3) buffer Copied { uint copied[]; };
void main() {
  uint wide = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  uint at = gl_GlobalInvocationID.y * wide + gl_GlobalInvocationID.x;
  place[at] = gl_SubgroupID * 256u + gl_SubgroupInvocationID;
  index[at] = gl_LocalInvocationID.y * gl_WorkGroupSize.x + gl_LocalInvocationID.x ==
                  gl_LocalInvocationIndex ? gl_LocalInvocationIndex : 0xffffffffu;
  if (gl_WorkGroupSize.y == 1u)
    copied[gl_GlobalInvocationID.x] = 3u * in_[gl_GlobalInvocationID.x] + 1u;
  else
    copied[at] = 3u * in_[at] + 1u;
})");
}

Seen run(Size3 local, const Device& device) {
  const std::size_t count = std::size_t{2} * local.x * local.y;
  Seen seen{Words(count), Words(count), Words(count)};
  const Words in = numbers(count);
  Shader shader = make_shader(local);
  shader.bind(0, seen.place).bind(1, seen.index).bind(2, in).bind(3, seen.copied);
  const ShaderRun result = shader.dispatch({2}, device);
  CHECK(result.faults == 0);
  return seen;
}

/// Which position an invocation has when subgroups take positions in order, by a plain formula.
std::uint32_t position(const Mapping& mapping, Size3 local, int size, std::uint32_t x,
                       std::uint32_t y) {
  const std::uint32_t index = y * local.x + x;
  switch (mapping.kind) {
    case Mapping::Kind::linear:
      return index;
    case Mapping::Kind::reversed:
      return local.x * local.y - 1 - index;
    case Mapping::Kind::quads:
      return (y / 2 * (local.x / 2) + x / 2) * 4 + y % 2 * 2 + x % 2;
    case Mapping::Kind::shuffled:
      break;
  }
  const Words all = invocations(mapping, local, size);
  for (std::uint32_t at = 0; at < all.size(); ++at) {
    if (all[at] == index) return at;
  }
  return 0xffffffff;
}

TEST_CASE("shaders run each invocation in the lane that the mapping gives it") {
  for (const spirv::Target target : native_targets()) {
    const WithNative native(target);
    for (const Mapping& mapping :
         {Mapping::linear(), Mapping::reversed(), Mapping::shuffled(3), Mapping::quads()}) {
      for (const Size3 local : {Size3{64}, Size3{8, 6}}) {
        for (const int size : {1, 4, 8, 16, 24, 32, 128}) {
          const bool quads = mapping.kind == Mapping::Kind::quads;
          if (quads && (local.y == 1 || size % 4 != 0)) continue;
          INFO("mapping " << static_cast<int>(mapping.kind) << ", local size " << local.x << " x "
                          << local.y << ", size " << size << ", machine code " << name_of(target));
          const Seen seen = run(local, {.subgroup_size = size, .threads = 1, .mapping = mapping});
          Words place, index;
          for (std::uint32_t y = 0; y < local.y; ++y) {
            for (std::uint32_t x = 0; x < 2 * local.x; ++x) {
              const std::uint32_t in_group = x % local.x;
              const std::uint32_t at = position(mapping, local, size, in_group, y);
              const auto lanes = static_cast<std::uint32_t>(size);
              place.push_back(at / lanes * 256 + at % lanes);
              index.push_back(y * local.x + in_group);
            }
          }
          CHECK(seen.place == place);
          CHECK(seen.index == index);
          Words copied = numbers(seen.copied.size());
          for (std::uint32_t& value : copied) value = 3 * value + 1;
          CHECK(seen.copied == copied);
        }
      }
    }
  }
}

TEST_CASE("a mapping that does not fit is an error") {
  CHECK_THROWS_WITH(run(Size3{64}, {.subgroup_size = 8, .mapping = Mapping::quads()}),
                    Catch::Contains("has no quads of 2x2"));
}

TEST_CASE("shaders obey the iteration limit, order and progress of a Device") {
  auto shader = Shader::from_glsl(R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint next; uint order[]; };
void main() {
  for (uint k = 0u; k < 20u; ++k) order[1000] += 1u;
  order[atomicAdd(next, 1u)] = gl_WorkGroupID.x;
})");
  Words out(1002);
  shader.bind(0, out);
  CHECK_THROWS_AS(shader.dispatch({1000}, Device{.max_trips = 19}), EndlessLoop);
  struct Told : Progress {
    void on(std::size_t done, std::size_t total) override {
      last = done;
      all = total;
    }
    std::size_t last = 0, all = 0;
  } told;
  out.assign(1002, 0);
  const Device device{.threads = 3, .deterministic = true, .max_trips = 20, .progress = &told};
  shader.dispatch({1000}, device);
  bool in_order = true;
  for (std::uint32_t k = 0; k < 1000; ++k) in_order = in_order && out[k + 1] == k;
  CHECK(in_order);
  CHECK(told.last == 1000);
  CHECK(told.all == 1000);
}

}  // namespace
