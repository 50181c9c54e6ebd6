#include "explore/shader_subject.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

namespace ex = lockstep::explore;
using namespace lockstep;

namespace {

constexpr const char* sizes = R"(#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint size[]; };
void main() { size[gl_GlobalInvocationID.x] = gl_SubgroupSize; }
)";

std::uint32_t first_word(const ex::Result& result) {
  std::uint32_t word = 0;
  std::memcpy(&word, result.buffers.at(0).data(), sizeof word);
  return word;
}

Module module_for(const char* target) {
  ModuleOptions options;
  options.target = target;
  return Module::from_glsl(sizes, options);
}

ex::Setting with_size(int size) {
  ex::Setting setting;
  setting.subgroup_size = size;
  return setting;
}

}  // namespace

TEST_CASE("a shader runs under settings of the sizes that were added") {
  const Module module = Module::from_glsl(sizes);
  int runs = 0;
  ex::ShaderSubject subject(Pipeline(module, {.subgroup_size = 32}), {.workgroups = {1, 1, 1}},
                            [&](const Pipeline& pipeline, const Dispatch& how,
                                std::vector<std::vector<std::byte>>& written) {
                              ++runs;
                              std::vector<std::byte> bytes(64 * 4);
                              DescriptorTable table;
                              table.set(0).bind_bytes(0, std::span<std::byte>(bytes));
                              ShaderRun run = pipeline.dispatch(table, how);
                              written.push_back(bytes);
                              return run;
                            });
  subject.add_size(8);
  Chooser chooser = Chooser::rejoin_all();
  CHECK(first_word(subject(with_size(32), chooser, nullptr)) == 32);
  CHECK(first_word(subject(with_size(8), chooser, nullptr)) == 8);
  CHECK(runs == 2);
}

TEST_CASE("what a shader declares is the rule that is promised") {
  ShaderInterface declared;
  CHECK(ex::declared_rule(declared) == Rule::core);
  declared.subgroup_uniform_control_flow = true;
  CHECK(ex::declared_rule(declared) == Rule::subgroup_uniform);
  declared.maximally_reconverges = true;
  CHECK(ex::declared_rule(declared) == Rule::maximal);
}

TEST_CASE("SPIR-V 1.6 promises full subgroups where their size divides the workgroup") {
  const Module newer = module_for("vulkan1.3");
  const Module older = module_for("vulkan1.1");
  const Size3 local{48, 1, 1};
  CHECK_FALSE(ex::FullSubgroups(newer, local, false)(16));
  CHECK(ex::FullSubgroups(newer, local, false)(32));
  CHECK(ex::FullSubgroups(older, local, false)(16));
  CHECK_FALSE(ex::FullSubgroups(older, local, true)(32));
}
