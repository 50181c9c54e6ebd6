#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/error.hpp>
#include <lockstep/spirv/pipeline.hpp>

/// \file
/// A pipeline runs invocations in the lanes where a device was seen to run them.

namespace {

using namespace lockstep;
using Words = std::vector<std::uint32_t>;

/// Where each invocation of two workgroups runs: subgroup * 256 + lane, and the least index of its subgroup.
struct Seen {
  Words place = Words(48), least = Words(48);
};

Module module_of_6_by_4() {
  return Module::from_glsl(R"(#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 6, local_size_y = 4) in;
layout(binding = 0) buffer Place { uint place[]; };
layout(binding = 1) buffer Least { uint least[]; };
void main() {
  uint at = gl_WorkGroupID.x * 24u + gl_LocalInvocationIndex;
  place[at] = gl_SubgroupID * 256u + gl_SubgroupInvocationID;
  least[at] = subgroupMin(gl_LocalInvocationIndex);
})");
}

Seen run(const Words& lanes) {
  const Pipeline pipeline(module_of_6_by_4(), {.subgroup_size = 8});
  Seen seen;
  DescriptorTable table;
  table.bind(0, seen.place).bind(1, seen.least);
  Dispatch dispatch;
  dispatch.workgroups = {2, 1, 1};
  dispatch.lanes = lanes;
  pipeline.dispatch(table, dispatch);
  return seen;
}

std::string refusal(const Words& lanes) {
  try {
    run(lanes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a subgroup for each row, as a device was seen to make them") {
  Words lanes(32, no_invocation);
  for (std::uint32_t n = 0; n < 24; ++n) lanes[n / 6 * 8 + n % 6] = n;
  const Seen seen = run(lanes);
  for (std::uint32_t n = 0; n < 48; ++n) {
    CAPTURE(n);
    CHECK(seen.place[n] == n % 24 / 6 * 256 + n % 6);
    CHECK(seen.least[n] == n % 24 / 6 * 6);
  }
}

TEST_CASE("the table of the linear mapping is that mapping") {
  Words lanes(24);
  std::iota(lanes.begin(), lanes.end(), 0u);
  const Seen seen = run(lanes), plain = run({});
  CHECK(seen.place == plain.place);
  CHECK(seen.least == plain.least);
}

TEST_CASE("tables that are no mapping are refused") {
  Words lanes(24);
  std::iota(lanes.begin(), lanes.end(), 0u);
  lanes[3] = 4;
  CHECK(refusal(lanes) ==
        "a mapping of workgroups of 24 invocations has 4 in lane 4: each may occur only once");
  lanes[3] = no_invocation;
  CHECK(refusal(lanes) == "a mapping lacks some of the workgroup's 24 invocations");
  lanes.pop_back();
  CHECK(refusal(lanes) == "a mapping of 23 lanes has no whole subgroups of 8: give each lane");
}
