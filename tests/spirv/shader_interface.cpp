#include <lockstep/spirv/shader_interface.hpp>

#include <catch2/catch.hpp>

#include <lockstep/spirv/pipeline.hpp>

using namespace lockstep;

TEST_CASE("an interface lists buffers by set and binding, and arrays once") {
  const Pipeline pipeline(Module::from_glsl(R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 8, local_size_y = 3) in;
layout(set = 2, binding = 0) buffer Any { uint v[]; } any_number[];
layout(set = 0, binding = 7) buffer Three { uint v[]; } three[3];
layout(set = 0, binding = 1) uniform Constants { uint count; };
shared uint numbers[10];
void main() {
  numbers[0] = count;
  three[1].v[0] = subgroupAll(count == 1u) ? numbers[1] : 0u;
  any_number[nonuniformEXT(count)].v[0] = 1u;
})"));
  const ShaderInterface& interface = pipeline.interface();
  CHECK(interface.local_size == Size3{8, 3, 1});
  REQUIRE(interface.buffers.size() == 3);
  CHECK(interface.buffers[0].name == "Constants");
  CHECK(interface.buffers[0].binding == 1);
  CHECK_FALSE(interface.buffers[0].writable);
  CHECK(interface.buffers[1].name == "three");
  CHECK(interface.buffers[1].elements == 3);
  CHECK_FALSE(interface.buffers[1].at_most);
  CHECK(interface.buffers[2].set == 2);
  CHECK(interface.buffers[2].at_most);
  CHECK(interface.shared_memory_bytes == 40);
  CHECK_FALSE(interface.uses_push_constants);
  CHECK(interface.built_ins == std::vector<std::string_view>{"subgroupAll"});
  CHECK(interface.needs.contain(Feature::vote));
  CHECK_FALSE(interface.needs.contain(Feature::ballot));
}
