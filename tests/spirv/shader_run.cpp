#include <lockstep/spirv/shader_run.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/spirv/pipeline.hpp>

using namespace lockstep;

TEST_CASE("a run counts all faults, prints and loop iterations") {
  const Pipeline pipeline(Module::from_glsl(R"(#version 460
#extension GL_EXT_debug_printf : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint results[]; };
layout(push_constant) uniform Push { uint count; };
void main() {
  for (uint k = 0u; k < count; ++k) results[gl_GlobalInvocationID.x + k] = k;
  if (gl_LocalInvocationIndex == 3u) debugPrintfEXT("group %u", gl_WorkGroupID.x);
})",
                                            {}, "counts.comp"),
                          {.subgroup_size = 8});
  std::vector<std::uint32_t> out(16);
  DescriptorTable table;
  table.bind(0, out);
  const std::uint32_t count = 5;
  ShaderRun run = pipeline.dispatch(
      table, {.workgroups = {4}, .push_constants = std::as_bytes(std::span(&count, 1))});
  // Writes of 4 groups of 8 lanes at 5 places, of which 16 - k lie inside.
  CHECK(run.faults == 5 * 32 - (16 + 15 + 14 + 13 + 12));
  REQUIRE(run.findings.findings().size() == 1);
  const Finding& fault = run.findings.first();
  CHECK(fault.count == run.faults);
  CHECK(fault.lanes == LaneSet::first_n(8));
  CHECK(fault.workgroup == Size3{1, 0, 0});
  CHECK(fault.access.kind == AccessKind::write);
  CHECK(std::string(fault.access.object.name) == "Out");
  CHECK(fault.access.size == 64);
  CHECK(fault.access.index >= 64);
  CHECK(fault.where.line == 7);
  std::sort(run.printed.begin(), run.printed.end());
  CHECK(run.printed == std::vector<std::string>{"group 0", "group 1", "group 2", "group 3"});
  CHECK(run.steps == 4 * 5);
}
