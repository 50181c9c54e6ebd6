#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/shader.hpp>

/// \file
/// What a finding of a race advises depends on what is between the two accesses.

namespace {

using namespace lockstep;

/// What is found in two workgroups of 64 invocations whose main does this.
std::string found_in(const std::string& body) {
  const std::string glsl = R"(#version 460
    #extension GL_KHR_memory_scope_semantics : require
    layout(local_size_x = 64) in;
    layout(binding = 0) buffer Data { uint data[]; };
    layout(binding = 1, r32ui) uniform uimage2D image;
    shared uint tile[64];
    uint i = gl_LocalInvocationIndex, all = gl_GlobalInvocationID.x;
    void main() {)" + body +
                           "}";
  std::vector<std::uint32_t> data(128);
  Image image(ImageFormat::r32ui, ImageKind::two_d, {128, 1, 1});
  Shader shader = Shader::from_glsl(glsl);
  if (body.find("data[") != std::string::npos) shader.bind(0, data);
  if (body.find("imageStore") != std::string::npos) shader.bind_image(1, image);
  return to_string(shader.dispatch({2}, {.subgroup_size = 32, .checks = Checks::all()}).findings);
}

}  // namespace

TEST_CASE("a race of one store: one of them writes") {
  const std::string found = found_in("if (all < 32) data[0] = i;");
  CHECK_THAT(found, Catch::Contains("so either value may stay") &&
                        Catch::Contains("as after if (subgroupElect())"));
  CHECK_THAT(found_in("if (i == 0) data[0] = all;"),
             Catch::Contains("so either value may stay") && !Catch::Contains("subgroupElect"));
}

TEST_CASE("a race of two workgroups: no barrier helps") {
  CHECK_THAT(found_in("data[all] = i; if (i == 0) data[64] = data[127 - all];"),
             Catch::Contains("no barrier() orders workgroups"));
  CHECK_THAT(found_in("tile[i] = i; data[all] = tile[63 - i];"),
             Catch::Contains("put a barrier between them, or make both atomic") &&
                 !Catch::Contains("orders workgroups"));
}

TEST_CASE("a race in spite of a barrier: which memory barrier is missing") {
  CHECK_THAT(found_in("tile[i] = i; controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, 0, 0);"
                      "data[all] = tile[63 - i];"),
             Catch::Contains("orders no shared memory; put memoryBarrierShared() before it"));
  CHECK_THAT(found_in("data[all] = i; barrier(); tile[i] = data[all ^ 32u];"),
             Catch::Contains("put memoryBarrierBuffer() before it"));
  CHECK_THAT(found_in("imageStore(image, ivec2(all, 0), uvec4(i)); barrier();"
                      "tile[i] = imageLoad(image, ivec2(all ^ 32u, 0)).x;"),
             Catch::Contains("put memoryBarrierImage() before it"));
}

TEST_CASE("a race of an atomic: a barrier only within a workgroup") {
  CHECK_THAT(found_in("if (i == 0) tile[0] = 0u; atomicAdd(tile[0], 1u);"),
             Catch::Contains("put a barrier between them, or make both atomic"));
  CHECK_THAT(found_in("if (all == 0) data[0] = 0u; if (all == 64) atomicAdd(data[0], 1u);"),
             Catch::Contains("nothing orders them; make both atomic"));
}

namespace {

/// As found_in, for HLSL.
std::string found_in_hlsl(const std::string& body) {
  const std::string hlsl = R"(
    RWStructuredBuffer<uint> data : register(u0);
    groupshared uint tile[64];
    [numthreads(64, 1, 1)]
    void main(uint i : SV_GroupIndex, uint all : SV_DispatchThreadID) {)" +
                           body + "}";
  std::vector<std::uint32_t> data(128);
  Shader shader = Shader::from_module(Module::from_hlsl(hlsl));
  shader.bind(3000, data);
  return to_string(shader.dispatch({2}, {.subgroup_size = 32, .checks = Checks::all()}).findings);
}

}  // namespace

TEST_CASE("advice for HLSL names what HLSL has") {
  CHECK_THAT(found_in_hlsl("if (all < 32) data[0] = i;"),
             Catch::Contains("as after if (WaveIsFirstLane())"));
  CHECK_THAT(found_in_hlsl("tile[i] = i; data[all] = tile[63 - i];"),
             Catch::Contains("put GroupMemoryBarrierWithGroupSync() between them"));
  CHECK_THAT(found_in_hlsl("tile[i] = i; data[all] = tile[i ^ 1];"),
             Catch::Contains("or exchange values with WaveReadLaneAt"));
  CHECK_THAT(found_in_hlsl("data[all] = i; GroupMemoryBarrierWithGroupSync();"
                           "if (data[all ^ 32] == 777) data[all] = 1;"),
             Catch::Contains("make it AllMemoryBarrierWithGroupSync()"));
  CHECK_THAT(found_in_hlsl("if (all == 0) data[0] = 0; if (all == 64) InterlockedAdd(data[0], 1);"),
             Catch::Contains("InterlockedOr(x, 0, value) reads"));
}
