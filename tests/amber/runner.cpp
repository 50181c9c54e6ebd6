#include "amber/runner.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using namespace lockstep::amber;

namespace {

std::string no_files(const std::string& path) { throw std::runtime_error("no file " + path); }

Outcome outcome(const std::string& text, int subgroup_size = 32, const ReadFile& read = no_files) {
  RunSettings settings;
  settings.profile.subgroup_size = subgroup_size;
  settings.max_steps = 10000;
  return run_text("test.amber", "#!amber\n" + text, settings, read);
}

void check_passes(const std::string& text, const ReadFile& read = no_files) {
  for (const int size : {1, 5, 8, 32, 128}) {
    const Outcome result = outcome(text, size, read);
    INFO(text << "\nat " << size << ": " << result.message);
    CHECK(result.verdict == Verdict::passed);
    CHECK(result.message.empty());
  }
}

/// GLSL that starts on line 2 of a script: declarations, then main's body.
std::string glsl(const std::string& declarations, const std::string& body, int local_size = 8) {
  return "SHADER compute s GLSL\n#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : "
         "enable\nlayout(local_size_x = " +
         std::to_string(local_size) + ") in;\n" + declarations + "\nvoid main() {\n" + body +
         "\n}\nEND\n";
}

/// A pipeline p of shader s.
std::string pipeline(const std::string& body) {
  return "PIPELINE compute p\nATTACH s\n" + body + "\nEND\n";
}

const std::string out_binding = "BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 0\n";
const std::string out_block = "layout(set = 0, binding = 0) buffer B { uint data[]; };";

}  // namespace

TEST_CASE("a storage buffer is written and judged") {
  const std::string script =
      glsl(out_block, "data[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * 3u;") +
      "BUFFER out DATA_TYPE uint32 SIZE 16 FILL 7\n" + pipeline(out_binding);
  check_passes(script + "RUN p 2 1 1\nEXPECT out IDX 0 EQ 0 3 6 9\nEXPECT out IDX 60 EQ 45\n");
  check_passes(script + "RUN p 1 1 1\nEXPECT out IDX 28 EQ 21 7\n");
  check_passes(script + "RUN p 0 1 1\nEXPECT out IDX 0 EQ 7\n");
  check_passes(script + "EXPECT out IDX 0 EQ 7\n");
  const Outcome wrong = outcome(script + "RUN p 2 1 1\n\nEXPECT out IDX 4 EQ 3 6 10\n");
  CHECK(wrong.verdict == Verdict::failed);
  CHECK(wrong.message == "test.amber:19: buffer out, index 2 (byte 12): expected 10, got 9");
}

TEST_CASE("all kinds of buffers are bound, with offsets and ranges") {
  check_passes(
      glsl("layout(set = 1, binding = 2) uniform U { vec4 scale; };\n"
           "layout(push_constant) uniform P { float offset; };\n"
           "layout(set = 0, binding = 0) buffer In { float inputs[]; } a[2];\n"
           "layout(set = 0, binding = 1) buffer Out { float results[]; };",
           "uint i = gl_GlobalInvocationID.x; if (i >= 4u) return;\n"
           "results[i] = a[0].inputs[i] * scale.y + a[1].inputs[i] + offset + "
           "float(a[1].inputs.length());") +
      "BUFFER u DATA_TYPE vec4<float> STD140 DATA 0 2 0 0 END\n"
      "BUFFER push DATA_TYPE float DATA 0.5 END\n"
      "BUFFER x DATA_TYPE float SIZE 8 SERIES_FROM 1 INC_BY 1\n"
      "BUFFER y DATA_TYPE float SIZE 8 SERIES_FROM 10 INC_BY 10\n"
      "BUFFER out DATA_TYPE float SIZE 4 FILL 0\n" +
      pipeline("BIND BUFFER u AS uniform DESCRIPTOR_SET 1 BINDING 2\n"
               "BIND BUFFER push AS push_constant\n"
               "BIND BUFFER_ARRAY x y AS storage_dynamic DESCRIPTOR_SET 0 BINDING 0 OFFSET 0 8 "
               "DESCRIPTOR_OFFSET 4 0 DESCRIPTOR_RANGE -1 20\n"
               "BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 1") +
      "RUN p 1 1 1\nEXPECT out IDX 0 EQ 39.5 51.5 63.5 75.5\n");
}

TEST_CASE("images and texel buffers are bound") {
  check_passes(glsl("layout(set = 0, binding = 0, rgba8) uniform image2D picture;\n"
                    "layout(set = 0, binding = 1, r32f) uniform imageBuffer texels;",
                    "int i = int(gl_GlobalInvocationID.x);\n"
                    "vec4 c = imageLoad(picture, ivec2(i % 4, i / 4));\n"
                    "imageStore(picture, ivec2(i % 4, i / 4), vec4(c.x, 1, 0, 1));\n"
                    "imageStore(texels, i, imageLoad(texels, i) * 2);") +
               "IMAGE picture FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 4 HEIGHT 2 FILL 51\n"
               "BUFFER texels DATA_TYPE R32_SFLOAT SIZE 8 SERIES_FROM 1 INC_BY 1\n" +
               pipeline("BIND BUFFER picture AS storage_image DESCRIPTOR_SET 0 BINDING 0\n"
                        "BIND BUFFER texels AS storage_texel_buffer DESCRIPTOR_SET 0 BINDING 1") +
               "RUN p 1 1 1\nEXPECT picture IDX 0 0 SIZE 4 2 EQ_RGBA 51 255 0 255\n"
               "EXPECT texels IDX 0 EQ 2 4 6 8 10 12 14 16\n");
}

TEST_CASE("images of every format that GLSL names are bound, by Vulkan's names") {
  struct Pair {
    std::string glsl, vulkan;
  };
  const Pair formats[] = {
      {"rgba32f", "R32G32B32A32_SFLOAT"},
      {"rgba16f", "R16G16B16A16_SFLOAT"},
      {"rg32f", "R32G32_SFLOAT"},
      {"rg16f", "R16G16_SFLOAT"},
      {"r11f_g11f_b10f", "B10G11R11_UFLOAT_PACK32"},
      {"r32f", "R32_SFLOAT"},
      {"r16f", "R16_SFLOAT"},
      {"rgba16", "R16G16B16A16_UNORM"},
      {"rgb10_a2", "A2B10G10R10_UNORM_PACK32"},
      {"rgba8", "R8G8B8A8_UNORM"},
      {"rg16", "R16G16_UNORM"},
      {"rg8", "R8G8_UNORM"},
      {"r16", "R16_UNORM"},
      {"r8", "R8_UNORM"},
      {"rgba16_snorm", "R16G16B16A16_SNORM"},
      {"rgba8_snorm", "R8G8B8A8_SNORM"},
      {"rg16_snorm", "R16G16_SNORM"},
      {"rg8_snorm", "R8G8_SNORM"},
      {"r16_snorm", "R16_SNORM"},
      {"r8_snorm", "R8_SNORM"},
      {"rgba32i", "R32G32B32A32_SINT"},
      {"rgba16i", "R16G16B16A16_SINT"},
      {"rgba8i", "R8G8B8A8_SINT"},
      {"rg32i", "R32G32_SINT"},
      {"rg16i", "R16G16_SINT"},
      {"rg8i", "R8G8_SINT"},
      {"r32i", "R32_SINT"},
      {"r16i", "R16_SINT"},
      {"r8i", "R8_SINT"},
      {"rgba32ui", "R32G32B32A32_UINT"},
      {"rgba16ui", "R16G16B16A16_UINT"},
      {"rgb10_a2ui", "A2B10G10R10_UINT_PACK32"},
      {"rgba8ui", "R8G8B8A8_UINT"},
      {"rg32ui", "R32G32_UINT"},
      {"rg16ui", "R16G16_UINT"},
      {"rg8ui", "R8G8_UINT"},
      {"r32ui", "R32_UINT"},
      {"r16ui", "R16_UINT"},
      {"r8ui", "R8_UINT"},
  };
  for (const auto& [name, vulkan] : formats) {
    const bool is_unsigned = name.ends_with("ui");
    const std::string letter = is_unsigned ? "u" : name.ends_with("i") ? "i" : "";
    // What of (0, 1, 0, 1), or of (1, 0, 1, 1), is left.
    const std::size_t parts = name.starts_with("rgba") || name.starts_with("rgb10") ? 4
                              : name.starts_with("rg")                              ? 2
                              : name.starts_with("r11f")                            ? 3
                                                                                    : 1;
    const std::string left = parts == 4   ? "1 0 1 1 0 1 0 1"
                             : parts == 3 ? "1 0 1 1 0 1 0 1"
                             : parts == 2 ? "1 0 0 1 0 1 0 1"
                                          : "1 0 0 1 0 0 0 1";
    check_passes(glsl("layout(set = 0, binding = 0, " + name + ") uniform " + letter +
                          "image2D picture;\n" +
                          "layout(set = 0, binding = 1) buffer B { uint data[]; };",
                      "ivec2 p = ivec2(gl_GlobalInvocationID.x, 0);\n" + letter +
                          "vec4 value = p.x == 0 ? " + letter + "vec4(1, 0, 1, 1) : " + letter +
                          "vec4(0, 1, 0, 1);\nimageStore(picture, p, value);\n"
                          "uvec4 back = uvec4(imageLoad(picture, p));\n"
                          "for (int k = 0; k < 4; ++k) data[p.x * 4 + k] = back[k];",
                      2) +
                 "IMAGE picture FORMAT " + vulkan + " DIM_2D WIDTH 2 HEIGHT 1 FILL 0\n" +
                 "BUFFER out DATA_TYPE uint32 SIZE 8 FILL 9\n" +
                 pipeline("BIND BUFFER picture AS storage_image DESCRIPTOR_SET 0 BINDING 0\n"
                          "BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 1") +
                 "RUN p 1 1 1\nEXPECT out IDX 0 EQ " + left + "\n");
  }
}

TEST_CASE("images are sampled, with their samplers or apart from them") {
  const std::string start =
      "SAMPLER smooth MAG_FILTER linear MIN_FILTER linear ADDRESS_MODE_U clamp_to_edge "
      "ADDRESS_MODE_V clamp_to_border ADDRESS_MODE_W repeat BORDER_COLOR float_opaque_white "
      "MIN_LOD 0.0 MAX_LOD 0.5 NORMALIZED_COORDS\n"
      "SAMPLER plain ADDRESS_MODE_U mirrored_repeat\n"
      "SAMPLER shadow COMPARE on COMPARE_OP less_or_equal\n"
      "SAMPLER texels UNNORMALIZED_COORDS ADDRESS_MODE_U mirror_clamp_to_edge\n"
      "IMAGE row FORMAT R32_SFLOAT DIM_2D WIDTH 4 HEIGHT 1 DATA 10 20 30 40 END\n"
      "BUFFER out DATA_TYPE float SIZE 8 FILL 0\n";
  const std::string bound =
      pipeline(
          "BIND BUFFER row AS combined_image_sampler SAMPLER smooth DESCRIPTOR_SET 0 BINDING 1\n"
          "BIND BUFFER row AS sampled_image DESCRIPTOR_SET 0 BINDING 2\n"
          "BIND SAMPLER_ARRAY plain shadow DESCRIPTOR_SET 0 BINDING 3\n"
          "BIND SAMPLER texels DESCRIPTOR_SET 0 BINDING 4\n" +
          out_binding) +
      "RUN p 1 1 1\n";
  check_passes(
      glsl("#extension GL_EXT_samplerless_texture_functions : enable\n"
           "layout(set = 0, binding = 0) buffer B { float data[]; };\n"
           "layout(set = 0, binding = 1) uniform sampler2D smoothed;\n"
           "layout(set = 0, binding = 2) uniform texture2D row;\n"
           "layout(set = 0, binding = 3) uniform sampler how[2];\n"
           "layout(set = 0, binding = 3) uniform samplerShadow compare[2];\n"
           "layout(set = 0, binding = 4) uniform sampler texels;",
           "data[0] = textureLod(smoothed, vec2(0.5, 0.5), 0).x;\n"
           "data[1] = textureLod(smoothed, vec2(7.0, 0.5), 0).x;\n"
           "data[2] = textureLod(smoothed, vec2(0.125, 1.0), 0).x;\n"
           "data[3] = texture(sampler2D(row, how[0]), vec2(1.2, 0.3)).x;\n"
           "data[4] = texelFetch(row, ivec2(2, 0), 0).x;\n"
           "data[5] = textureLod(sampler2DShadow(row, compare[1]), vec3(0.6, 0, 30.0), 0);\n"
           "data[6] = textureLod(sampler2D(row, texels), vec2(-2.5, 0), 0).x;\n"
           "data[7] = float(textureSize(smoothed, 0).x);",
           1) +
      start + bound + "EXPECT out IDX 0 EQ 25 40 5.5 40 30 1 30 4\n");
  const Outcome missing = outcome(glsl("layout(set = 0, binding = 0) buffer B { float data[]; };\n"
                                       "layout(set = 0, binding = 7) uniform sampler2D other;",
                                       "data[0] = textureLod(other, vec2(0), 0).x;", 1) +
                                  start + bound);
  CHECK(missing.verdict == Verdict::error);
  CHECK_THAT(missing.message, Catch::Contains("set 0, binding 7 (other)"));
}

TEST_CASE("specialization, entry points and derived pipelines") {
  check_passes(
      glsl("layout(constant_id = 3) const uint n = 1;\n"
           "layout(constant_id = 4) const float f = 1;\n" +
               out_block,
           "data[gl_GlobalInvocationID.x] = n + uint(f * 10);", 1) +
      "BUFFER out DATA_TYPE uint32 SIZE 1 FILL 0\nBUFFER other DATA_TYPE uint32 SIZE 1 "
      "FILL 0\n"
      "PIPELINE compute p\nATTACH s SPECIALIZE 3 AS uint32 100 SPECIALIZE 4 AS float 0.5\n" +
      out_binding +
      "END\nDERIVE_PIPELINE q FROM p\nATTACH s\n"
      "BIND BUFFER other AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n"
      "RUN p 1 1 1\nRUN q 1 1 1\nEXPECT out IDX 0 EQ 105\nEXPECT other IDX 0 EQ 11\n");
}

TEST_CASE("commands repeat, copy and compare buffers") {
  check_passes(
      glsl(out_block, "data[gl_GlobalInvocationID.x] += 1u;") +
      "BUFFER out DATA_TYPE uint32 SIZE 8 FILL 0\nBUFFER copy DATA_TYPE uint32 SIZE 8 FILL 9\n" +
      pipeline(out_binding) +
      "REPEAT 5\nRUN p 1 1 1\nEXPECT out IDX 0 GT 0\nEND\nEXPECT out IDX 0 EQ 5\n"
      "COPY out TO copy\nRUN p 1 1 1\nEXPECT out IDX 28 EQ 6\nEXPECT copy IDX 28 EQ 5\n"
      "EXPECT out RMSE_BUFFER copy TOLERANCE 1\nCOPY out TO copy\nEXPECT out EQ_BUFFER copy\n");
}

TEST_CASE("the version of GLSL ES stands first in a shader, and its lines are the script's") {
  const auto script = [](const std::string& version, const std::string& value) {
    return "SHADER compute s GLSL\n" + version + "\nlayout(local_size_x = 1) in;\n" + out_block +
           "\nvoid main() {\n  data[0] = " + value +
           ";\n}\nEND\nBUFFER out DATA_TYPE uint32 SIZE 1 FILL 0\n" + pipeline(out_binding) +
           "RUN p 1 1 1\nEXPECT out IDX 0 EQ 6\n";
  };
  for (const std::string version :
       {"#version 310 es", "#version 320 es  // mobile", " # version 310 es"}) {
    check_passes("\n\n" + script(version, "uint(__LINE__) - 3u"));
    const Outcome wrong = outcome("\n\n" + script(version, "nonsense"));
    CHECK(wrong.verdict == Verdict::error);
    CHECK_THAT(wrong.message, Catch::Contains("test.amber:9: 'nonsense'"));
  }
}

TEST_CASE("a file says the size of its buffer, and SIZE is noted where it says another") {
  const auto read = [](const std::string&) { return std::string("5 6 7 8"); };
  const auto script = [](const std::string& size, const std::string& rest) {
    return glsl(out_block, "data[gl_GlobalInvocationID.x] += uint(data.length());", 4) +
           "BUFFER out DATA_TYPE uint32 SIZE " + size + " FILE TEXT f\n" +
           "BUFFER four DATA_TYPE uint32 DATA 9 10 11 12 END\n"
           "BUFFER two DATA_TYPE uint32 DATA 9 10 END\n" +
           pipeline(out_binding) + "RUN p 1 1 1\nEXPECT out IDX 0 EQ 9 10 11 12\n" + rest;
  };
  for (const std::string size : {"1", "4", "100"}) {
    check_passes(script(size,
                        "EXPECT out EQ_BUFFER four\nEXPECT four RMSE_BUFFER out TOLERANCE 0\n"
                        "COPY four TO out\n"),
                 read);
    CHECK(outcome(script(size, ""), 8, read).notes ==
          (size == "4"
               ? std::vector<std::string>{}
               : std::vector<std::string>{"test.amber:11: f has 4 elements, and so has out, "
                                          "although its SIZE is " +
                                          size}));
    for (const char* command : {"EXPECT out EQ_BUFFER two\n", "COPY out TO two\n"}) {
      const Outcome unlike = outcome(script(size, command), 8, read);
      CHECK(unlike.verdict == Verdict::error);
      CHECK(unlike.message ==
            "test.amber:21: out has 4 elements, two has 2; give both the same number");
    }
  }
}

TEST_CASE("structures are laid out as the shader has them") {
  check_passes(
      glsl("struct Inner { vec2 a; float b; };\nstruct S { uint n; vec3 v; mat2 m; Inner i; };\n"
           "layout(std140, set = 0, binding = 0) buffer In { S s140; };\n"
           "layout(std430, set = 0, binding = 1) buffer Out { S s430; };",
           "if (gl_GlobalInvocationID.x == 0u) s430 = S(s140.n + 1u, s140.v * 2, s140.m * 2, "
           "Inner(s140.i.a * 2, s140.i.b * 2));") +
      "STRUCT inner\n vec2<float> a\n float b\nEND\n"
      "STRUCT s_type\n uint32 n\n vec3<float> v\n mat2x2<float> m\n inner i\nEND\n"
      "BUFFER x DATA_TYPE s_type STD140 DATA 7 1 2 3 4 5 6 7 8 9 10 END\n"
      "BUFFER y DATA_TYPE s_type SIZE 1 FILL 0\n" +
      pipeline("BIND BUFFER x AS storage DESCRIPTOR_SET 0 BINDING 0\n"
               "BIND BUFFER y AS storage DESCRIPTOR_SET 0 BINDING 1") +
      "RUN p 1 1 1\nEXPECT y IDX 0 EQ 8 2 4 6 8 10 12 14 16 18 20\n");
}

TEST_CASE("a pipeline asks for a subgroup size") {
  const auto script = [](const std::string& size, const std::string& expected) {
    return "DEVICE_FEATURE SubgroupSizeControl.subgroupSizeControl\n"
           "DEVICE_FEATURE SubgroupSizeControl.computeFullSubgroups\n" +
           glsl(out_block, "data[0] = gl_SubgroupSize; data[1] = gl_NumSubgroups;", 128) +
           "BUFFER out DATA_TYPE uint32 SIZE 2 FILL 0\n" +
           pipeline(out_binding + "SUBGROUP s\n FULLY_POPULATED on\n REQUIRED_SIZE " + size +
                    "\nEND") +
           "RUN p 1 1 1\nEXPECT out IDX 0 EQ " + expected + "\n";
  };
  check_passes(script("16", "16 8"));
  check_passes(script("MIN", "1 128"));
  check_passes(script("MAX", "128 1"));

  RunSettings settings;
  settings.profile = *lockstep::profile::find("nvidia");
  const Outcome refused = run_text("t", "#!amber\n" + script("16", "16 8"), settings, no_files);
  CHECK(refused.verdict == Verdict::error);
  CHECK_THAT(refused.message, Catch::Contains("16"));
  settings.profile = *lockstep::profile::find("intel_16");
  CHECK(run_text("t", "#!amber\n" + script("MAX", "32 4"), settings, no_files).verdict ==
        Verdict::passed);
}

TEST_CASE("full subgroups need a local size that fills them") {
  const Outcome result =
      outcome("DEVICE_FEATURE SubgroupSizeControl.computeFullSubgroups\n" +
                  glsl(out_block, "", 24) + "BUFFER out DATA_TYPE uint32 SIZE 2 FILL 0\n" +
                  pipeline(out_binding + "SUBGROUP s\n FULLY_POPULATED on\nEND") + "RUN p 1 1 1\n",
              16);
  CHECK(result.verdict == Verdict::error);
  CHECK_THAT(result.message, Catch::EndsWith("PIPELINE p asks for full subgroups of 16, but its "
                                             "local size is 24 in x; use a multiple"));
}

TEST_CASE("SPIR-V is taken as text, as digits and from files") {
  const std::string assembly =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %main \"go\"\nOpExecutionMode %main LocalSize 1 1 1\n"
      "OpDecorate %block BufferBlock\nOpMemberDecorate %block 0 Offset 0\n"
      "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
      "%void = OpTypeVoid\n%f = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
      "%zero = OpConstant %uint 0\n%value = OpConstant %uint 42\n%block = OpTypeStruct %uint\n"
      "%p1 = OpTypePointer Uniform %block\n%p2 = OpTypePointer Uniform %uint\n"
      "%out = OpVariable %p1 Uniform\n%main = OpFunction %void None %f\n%l = OpLabel\n"
      "%at = OpAccessChain %p2 %out %zero\nOpStore %at %value\nOpReturn\nOpFunctionEnd\n";
  const std::string rest =
      "BUFFER out DATA_TYPE uint32 SIZE 1 FILL 0\nPIPELINE compute p\nATTACH s ENTRY_POINT go\n" +
      out_binding + "END\nRUN p 1 1 1\nEXPECT out IDX 0 EQ 42\n";
  check_passes("SHADER compute s SPIRV-ASM TARGET_ENV spv1.0\n" + assembly + "END\n" + rest);
  check_passes("VIRTUAL_FILE a.spvasm\n" + assembly +
               "END\nSHADER multi s SPIRV-ASM TARGET_ENV spv1.0 VIRTUAL_FILE a.spvasm\n" + rest);
  check_passes("SHADER compute s SPIRV-ASM TARGET_ENV vulkan1.0 FILE a.spvasm\n" + rest,
               [&](const std::string& path) {
                 CHECK(path == "a.spvasm");
                 return assembly;
               });
  // A module whose main does nothing.
  const std::string hex =
      "SHADER compute n SPIRV-HEX\n0x07230203 0x00010000 0 5 0\n"
      "00020011 1\n0003000E 0 1\n0005000F 5 1 6E69616D 0\n"
      "00060010 1 11 1 1 1\n00020013 2\n00030021 3 2\n00050036 2 1 0 3\n000200F8 4\n"
      "000100FD\n00010038\nEND\n";
  const Outcome result = outcome(hex + "PIPELINE compute p\nATTACH n\nEND\nRUN p 1 1 1\n");
  INFO(result.message);
  CHECK(result.verdict == Verdict::passed);
}

TEST_CASE("assembly without TARGET_ENV is of SPIR-V 1.0, or of 1.4 where a script wants that") {
  // Before SPIR-V 1.3 the storage class StorageBuffer needs an extension.
  const std::string script =
      "SHADER compute s SPIRV-ASM\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %main \"main\" %out\nOpExecutionMode %main LocalSize 1 1 1\n"
      "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
      "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
      "%void = OpTypeVoid\n%f = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
      "%zero = OpConstant %uint 0\n%value = OpConstant %uint 42\n%block = OpTypeStruct %uint\n"
      "%p1 = OpTypePointer StorageBuffer %block\n%p2 = OpTypePointer StorageBuffer %uint\n"
      "%out = OpVariable %p1 StorageBuffer\n%main = OpFunction %void None %f\n%l = OpLabel\n"
      "%at = OpAccessChain %p2 %out %zero\nOpStore %at %value\nOpReturn\nOpFunctionEnd\nEND\n"
      "BUFFER out DATA_TYPE uint32 SIZE 1 FILL 0\n" +
      pipeline(out_binding) + "RUN p 1 1 1\nEXPECT out IDX 0 EQ 42\n";
  check_passes("DEVICE_EXTENSION VK_KHR_spirv_1_4\n" + script);
  const Outcome first = outcome(script);
  CHECK(first.verdict == Verdict::error);
  CHECK_THAT(first.message, Catch::Contains("SPV_KHR_storage_buffer_storage_class"));
}

TEST_CASE("a compute pipeline may have a framebuffer size, of no effect") {
  check_passes(glsl(out_block, "data[0] = 3u;") + "BUFFER out DATA_TYPE uint32 SIZE 1 FILL 0\n" +
               pipeline("FRAMEBUFFER_SIZE 64 32\n" + out_binding) +
               "RUN p 1 1 1\nEXPECT out IDX 0 EQ 3\n");
}

TEST_CASE("scripts that the device cannot run are skipped") {
  const Outcome graphics = outcome("PIPELINE graphics g\n");
  CHECK(graphics.verdict == Verdict::skipped);
  CHECK(graphics.message == "test.amber: PIPELINE g is a graphics pipeline");
  const Outcome feature = outcome("DEVICE_FEATURE geometryShader\n");
  CHECK(feature.verdict == Verdict::skipped);
  CHECK(feature.message == "test.amber: the device teaching lacks the feature geometryShader");
  RunSettings settings;
  settings.profile = *lockstep::profile::find("nvidia");
  settings.profile.features = {};
  CHECK(run_text("t", "#!amber\nDEVICE_FEATURE shaderInt64\n", settings, no_files).verdict ==
        Verdict::skipped);
}

TEST_CASE("what is wrong is told with the script's line") {
  const Outcome malformed = outcome("RUN\n");
  CHECK(malformed.verdict == Verdict::error);
  CHECK(malformed.message ==
        "test.amber:2: the pipeline of RUN is missing at the end of the line; add it");

  const Outcome shader = outcome(glsl(out_block, "data[0] = nonsense;") +
                                 "BUFFER out DATA_TYPE uint32 SIZE 1 FILL 0\n" +
                                 pipeline(out_binding) + "RUN p 1 1 1\n");
  CHECK(shader.verdict == Verdict::error);
  CHECK_THAT(shader.message, Catch::Contains("test.amber:8: ") && Catch::Contains("nonsense"));

  const Outcome unbound =
      outcome(glsl(out_block, "data[0] = 1u;") + pipeline("") + "RUN p 1 1 1\n");
  CHECK(unbound.verdict == Verdict::error);
  CHECK_THAT(unbound.message, Catch::Contains("binding 0"));

  const Outcome file =
      outcome("SHADER compute s GLSL FILE gone.comp\n" + pipeline("") + "RUN p 1 1 1\n");
  CHECK(file.verdict == Verdict::error);
  CHECK(file.message == "test.amber: no file gone.comp");

  const Outcome environment =
      outcome("SHADER compute s GLSL TARGET_ENV opengl4.5\nvoid main() {}\nEND\n" + pipeline("") +
              "RUN p 1 1 1\n");
  CHECK(environment.message ==
        "test.amber:2: TARGET_ENV opengl4.5 is not a Vulkan environment; write spv1.0 to spv1.6 or "
        "vulkan1.0 to vulkan1.3");

  const Outcome offset = outcome(
      glsl(out_block, "data[0] = 1u;") + "BUFFER out DATA_TYPE uint32 SIZE 1 FILL 0\n" +
      pipeline("BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 0 DESCRIPTOR_OFFSET 4"));
  CHECK(offset.message ==
        "test.amber:14: the offset 4 is beyond the end of out, which has 4 bytes; make it smaller");

  const Outcome texels =
      outcome(glsl(out_block, "") + "BUFFER out DATA_TYPE vec3<uint8> SIZE 1 FILL 0\n" +
              pipeline("BIND BUFFER out AS storage_texel_buffer DESCRIPTOR_SET 0 BINDING 0"));
  CHECK(texels.message ==
        "test.amber:14: out has texels of vec3<uint8>, which is not supported; use a format that "
        "GLSL has a name for, such as R32_UINT or R8G8B8A8_UNORM");

  const Outcome packed =
      outcome(glsl("layout(set = 0, binding = 0, r32ui) uniform uimage2D picture;", "") +
              "IMAGE picture FORMAT A1R5G5B5_UNORM_PACK16 DIM_2D WIDTH 4 HEIGHT 4\n" +
              pipeline("BIND BUFFER picture AS storage_image DESCRIPTOR_SET 0 BINDING 0"));
  CHECK_THAT(packed.message,
             Catch::StartsWith("test.amber:14: picture has texels of A1R5G5B5_UNORM_PACK16, which "
                               "is not supported; use "));

  const Outcome words =
      outcome("SHADER compute s SPIRV-HEX\n0723020x\nEND\n" + pipeline("") + "RUN p 1 1 1\n");
  CHECK(words.message ==
        "test.amber:2: SHADER s: '0723020x' is not a 32-bit word; write hexadecimal digits");
}

TEST_CASE("accesses outside a buffer fail unless the script asks for robust access") {
  const std::string script = glsl(out_block, "data[gl_GlobalInvocationID.x] = 1u;") +
                             "BUFFER out DATA_TYPE uint32 SIZE 4 FILL 0\n" + pipeline(out_binding) +
                             "RUN p 1 1 1\nEXPECT out IDX 12 EQ 1\n";
  const Outcome fault = outcome(script);
  CHECK(fault.verdict == Verdict::failed);
  CHECK_THAT(fault.message, Catch::StartsWith("test.amber:17: PIPELINE p: ") &&
                                Catch::Contains(":8: error: write to byte 16 of ") &&
                                Catch::EndsWith(", which has 16 bytes [out-of-bounds], workgroup "
                                                "(0, 0, 0), subgroup 0, lanes 4-7, 4 times"));
  check_passes("DEVICE_FEATURE robustBufferAccess\n" + script);
}

TEST_CASE("loops without end are failures") {
  const Outcome result = outcome(glsl(out_block, "while (data[0] == 0u) { data[1] += 1u; }") +
                                 "BUFFER out DATA_TYPE uint32 SIZE 4 FILL 0\n" +
                                 pipeline(out_binding) + "RUN p 1 1 1\n");
  CHECK(result.verdict == Verdict::failed);
  CHECK_THAT(result.message, Catch::StartsWith("test.amber:17: PIPELINE p: "));
}

TEST_CASE("times are noted on request") {
  const std::string script = glsl(out_block, "data[0] = 1u;") +
                             "BUFFER out DATA_TYPE uint32 SIZE 4 FILL 0\n" + pipeline(out_binding);
  CHECK(outcome(script + "RUN p 1 1 1\n").notes.empty());
  const Outcome timed = outcome(script + "RUN TIMED_EXECUTION p 1 1 1\n");
  REQUIRE(timed.notes.size() == 1);
  CHECK_THAT(timed.notes[0],
             Catch::StartsWith("test.amber:17: PIPELINE p took ") && Catch::EndsWith(" ms"));
}

TEST_CASE("images have several samples") {
  check_passes(
      glsl(out_block + "layout(set = 0, binding = 1, r32ui) uniform uimage2DMS pixels;",
           "ivec2 p = ivec2(gl_GlobalInvocationID.x % 4u, gl_GlobalInvocationID.x / 4u); "
           "for (int k = 0; k < 4; ++k) imageStore(pixels, p, k, uvec4(k * 100 + p.x * 10 + "
           "p.y)); data[gl_GlobalInvocationID.x] = imageLoad(pixels, p, 3).x;") +
      "BUFFER out DATA_TYPE uint32 SIZE 8 FILL 7\n"
      "IMAGE pixels FORMAT R32_UINT DIM_2D WIDTH 4 HEIGHT 2 SAMPLES 4 FILL 9\n" +
      pipeline(out_binding + "BIND BUFFER pixels AS storage_image DESCRIPTOR_SET 0 BINDING 1\n") +
      "RUN p 1 1 1\nEXPECT out IDX 0 EQ 300 310 320 330 301 311 321 331\n"
      "EXPECT pixels IDX 0 EQ 0 10 20 30 1 11 21 31 100 110\n");
}

// As in Amber, a buffer has the texels of level 0, and each level begins with the first of them.
TEST_CASE("images have levels of detail") {
  const std::string start =
      "SAMPLER nearest MAX_LOD 8.0\nBUFFER out DATA_TYPE float SIZE 8 FILL 0\n"
      "IMAGE picture FORMAT R32_SFLOAT DIM_2D WIDTH 4 HEIGHT 2 MIP_LEVELS 3 SERIES_FROM 10 "
      "INC_BY 1\n";
  const std::string floats = "layout(set = 0, binding = 0) buffer B { float data[]; };\n";
  const std::string sampling =
      glsl(floats +
               "layout(set = 0, binding = 1) uniform sampler2D smoothed;\n"
               "layout(set = 0, binding = 2) uniform texture2D picture;\n"
               "#extension GL_EXT_samplerless_texture_functions : enable",
           "data[0] = float(textureQueryLevels(smoothed));\n"
           "data[1] = float(textureSize(smoothed, 0).x);\n"
           "data[2] = texelFetch(picture, ivec2(1, 0), 0).x;\n"
           "data[3] = texelFetch(picture, ivec2(0), 1).x;\n"
           "data[4] = textureLod(smoothed, vec2(0.9, 0.9), 0).x;\n"
           "data[5] = textureLod(smoothed, vec2(0.9, 0.9), 1).x;\n"
           "data[6] = float(textureSize(picture, 1).x);\n"
           "data[7] = textureLod(smoothed, vec2(0.9, 0.9), float(textureQueryLevels(smoothed) - "
           "1)).x;",
           1) +
      start;
  const auto bound = [](const std::string& base) {
    return pipeline(
        "BIND BUFFER picture AS combined_image_sampler SAMPLER nearest DESCRIPTOR_SET "
        "0 BINDING 1" +
        base + "\nBIND BUFFER picture AS sampled_image DESCRIPTOR_SET 0 BINDING 2" + base + "\n" +
        out_binding);
  };
  // Levels of 4 x 2, 2 x 1 and 1 x 1 texels.
  check_passes(sampling + bound("") + "RUN p 1 1 1\nEXPECT out IDX 0 EQ 3 4 11 10 17 11 2 10\n");
  check_passes(sampling + bound(" BASE_MIP_LEVEL 1") +
               "RUN p 1 1 1\nEXPECT out IDX 0 EQ 2 2 11 10 11 10 1 10\n");
  // What another pipeline has stored is seen.
  const std::string storing =
      "SHADER compute t GLSL\n#version 450\nlayout(local_size_x = 1) in;\n"
      "layout(set = 0, binding = 0, r32f) uniform image2D level;\nvoid main() {\n"
      "imageStore(level, imageSize(level) - ivec2(1), vec4(50 + imageSize(level).x));\n}\nEND\n";
  const auto stored = [](const std::string& base) {
    return "PIPELINE compute q\nATTACH t\nBIND BUFFER picture AS storage_image DESCRIPTOR_SET 0 "
           "BINDING 0" +
           base + "\nEND\n";
  };
  const std::string both = "RUN p 1 1 1\nRUN q 1 1 1\nRUN p 1 1 1\n";
  check_passes(sampling + storing + bound("") + stored("") + both +
               "EXPECT picture IDX 0 EQ 10 11 12 13 14 15 16 54\nEXPECT out IDX 16 EQ 54\n");
  check_passes(
      sampling + storing + bound("") + stored(" BASE_MIP_LEVEL 1") + both +
      "EXPECT picture IDX 0 EQ 10 52 12 13 14 15 16 17\nEXPECT out IDX 8 EQ 52 10 17 52\n");
  const Outcome two = outcome(
      sampling +
      pipeline("BIND BUFFER picture AS sampled_image DESCRIPTOR_SET 0 BINDING 2 BASE_MIP_LEVEL 1\n"
               "BIND BUFFER picture AS combined_image_sampler SAMPLER nearest DESCRIPTOR_SET 0 "
               "BINDING 1\n" +
               out_binding) +
      "RUN p 1 1 1\n");
  CHECK(two.verdict == Verdict::error);
  CHECK_THAT(two.message, Catch::Contains("picture has MIP_LEVELS, and PIPELINE p binds it with "
                                          "a different BASE_MIP_LEVEL"));
}

TEST_CASE("stores beside an image are discarded, loads are faults") {
  const auto script = [](const std::string& body) {
    return glsl(out_block + "layout(set = 0, binding = 1, r32ui) uniform uimage2DMS pixels;",
                body) +
           "BUFFER out DATA_TYPE uint32 SIZE 8 FILL 7\n"
           "IMAGE pixels FORMAT R32_UINT DIM_2D WIDTH 8 HEIGHT 1 SAMPLES 2 FILL 9\n" +
           pipeline(out_binding +
                    "BIND BUFFER pixels AS storage_image DESCRIPTOR_SET 0 BINDING 1\n") +
           "RUN p 1 1 1\nEXPECT pixels IDX 0 EQ 9 9 9 9 9 9 9 9 9\n";
  };
  check_passes(
      script("ivec2 p = ivec2(gl_GlobalInvocationID.x, 0); for (int k = -9; k < 9; ++k) if "
             "(k < 0 || k > 1) imageStore(pixels, p, k, uvec4(k));"));
  const Outcome load = outcome(script("data[0] = imageLoad(pixels, ivec2(0), 2).x;"));
  CHECK(load.verdict == Verdict::failed);
}
