#include <cstdint>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/dispatch/image.hpp>
#include <lockstep/exec/checks.hpp>
#include <lockstep/spirv/module.hpp>
#include <lockstep/spirv/reflection.hpp>
#include <lockstep/spirv/shader.hpp>

/// \file
/// Which memory lets an invocation see what another one wrote before a barrier.

namespace {

using namespace lockstep;
using Uint = std::uint32_t;

/// What is found in two workgroups of 64. data and more are buffers, image is an image.
std::string found_in(const Module& module, Uint data_binding, Uint more_binding,
                     Uint image_binding) {
  std::vector<Uint> data(128), more(128);
  Image image(ImageFormat::r32ui, ImageKind::two_d, {128, 1, 1});
  Shader shader = Shader::from_module(module);
  for (const auto& binding : reflect(module).bindings) {
    if (binding.binding == data_binding) shader.bind(data_binding, data);
    if (binding.binding == more_binding) shader.bind(more_binding, more);
    if (binding.binding == image_binding) shader.bind_image(image_binding, image);
  }
  return to_string(
      shader.dispatch({2}, {.subgroup_size = 32, .checks = Checks{Check::not_coherent}}).findings);
}
std::string in_hlsl(const std::string& qualifier, const std::string& body) {
  const std::string text = qualifier + " RWStructuredBuffer<uint> data : register(u0);\n" +
                           "RWStructuredBuffer<uint> more : register(u1);\n" + qualifier +
                           " RWTexture2D<uint> image : register(u2);\n"
                           "[numthreads(64, 1, 1)] void main(uint all : SV_DispatchThreadID, "
                           "uint group : SV_GroupID) {" +
                           body + "}";
  return found_in(Module::from_hlsl(text), 3000, 3001, 3002);
}
std::string in_glsl(const std::string& first_lines, const std::string& qualifier,
                    const std::string& body) {
  const std::string text = "#version 460\n" + first_lines +
                           "layout(local_size_x = 64) in;\n"
                           "layout(binding = 0) " +
                           qualifier +
                           " buffer Data { uint data[]; };\n"
                           "layout(binding = 1) buffer More { uint more[]; };\n"
                           "layout(binding = 2, r32ui) " +
                           qualifier +
                           " uniform uimage2D image;\n"
                           "uint all = gl_GlobalInvocationID.x, group = gl_WorkGroupID.x;\n"
                           "void main() {" +
                           body + "}";
  return found_in(Module::from_glsl(text), 0, 1, 2);
}

const std::string scopes = "#extension GL_KHR_memory_scope_semantics : require\n";

}  // namespace

TEST_CASE("memory of HLSL is coherent in a thread group") {
  CHECK(in_hlsl("",
                "data[all] = all; AllMemoryBarrierWithGroupSync();"
                "more[all] = data[all ^ 40];") == "no findings");
  CHECK(in_hlsl("",
                "image[uint2(all, 0)] = all; AllMemoryBarrierWithGroupSync();"
                "more[all] = image[uint2(all ^ 40, 0)];") == "no findings");
}

TEST_CASE("memory of GLSL is coherent where it says so") {
  const std::string data =
      "data[all] = all; memoryBarrierBuffer(); barrier();"
      "more[all] = data[all ^ 40u];";
  const std::string image =
      "imageStore(image, ivec2(all, 0), uvec4(all)); memoryBarrierImage();"
      "barrier(); more[all] = imageLoad(image, ivec2(all ^ 40u, 0)).x;";
  for (const std::string& body : {data, image}) {
    CHECK_THAT(in_glsl("", "", body), Catch::Contains("declare it coherent"));
    CHECK(in_glsl("", "coherent", body) == "no findings");
    CHECK(in_glsl(scopes, "workgroupcoherent", body) == "no findings");
    CHECK(in_glsl("#pragma use_vulkan_memory_model\n" + scopes, "workgroupcoherent", body) ==
          "no findings");
    CHECK_THAT(in_glsl("#pragma use_vulkan_memory_model\n" + scopes, "subgroupcoherent", body),
               Catch::Contains("[not-coherent]"));
  }
}
