#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_program.hpp"

namespace {

const std::string inspected_source = R"(#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x_id = 1, local_size_y = 2) in;
layout(constant_id = 4) const float scale = 0.5;
layout(constant_id = 7) const bool on = true;
struct Particle { vec3 position; float mass; uint hits[4]; };
layout(binding = 0) readonly buffer In { uint count; Particle particles[]; } source;
layout(set = 1, binding = 2) writeonly buffer Out { uint data[]; } result[3];
layout(set = 1, binding = 3, rgba8) uniform writeonly image2D picture;
layout(push_constant) uniform Push { mat2x3 turn; uint first; };
shared uint part[8];
void main() {
  const uint i = gl_GlobalInvocationID.x + first;
  part[gl_LocalInvocationIndex % 8u] = subgroupAdd(source.particles[i].hits[2]);
  if (on && subgroupElect()) result[1].data[i] = part[0] + uint(scale * turn[1].z);
  imageStore(picture, ivec2(0), vec4(1.0));
}
)";

}  // namespace

TEST_CASE("inspect prints what a shader declares and needs, and a command that runs it") {
  const Directory directory;
  const std::string shader = directory / "all.comp";
  std::ofstream(shader) << inspected_source;
  const Outcome outcome = run_program("inspect " + shader);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, shader + R"(
entry points: main
local size: 1 x 2 x 1
buffer 0 (source), read-only, 16 bytes
         0  uint count
        16  Particle particles[]  (every 32 bytes)
         0    vec3 position
        12    float mass
        16    uint hits[4]  (every 4 bytes)
buffer 1:2 (result[3])
         0  uint data[]  (every 4 bytes)
storage image 1:3 (picture): image2D, rgba8
push constants, 36 bytes
         0  mat2x3 turn  (columns every 16 bytes)
        32  uint first
specialization constant 1: uint = 1
specialization constant 4: float scale = 0.5
specialization constant 7: bool on = true
shared memory: 32 bytes
subgroup built-ins: subgroupAdd, subgroupElect
)"));
  CHECK(contains(outcome.out,
                 "\nfeatures: VK_SUBGROUP_FEATURE_BASIC_BIT, "
                 "VK_SUBGROUP_FEATURE_ARITHMETIC_BIT\nprofiles: teaching, nvidia, "));
  CHECK(contains(outcome.out,
                 "\nlockstep run " + shader +
                     " --groups 1 --buffer 0=zeros:u8:32784 --buffer "
                     "'1:2=zeros:u32:1024*' --image 1:3=rgba8:64x64:zeros --push zeros:u8:36\n"));
}

TEST_CASE("inspect's JSON has the same, with layouts") {
  const Directory directory;
  const std::string shader = directory / "all.comp";
  std::ofstream(shader) << inspected_source;
  const Outcome outcome = run_program("inspect --json --spec 1=24 " + shader);
  CHECK(outcome.exit_code == 0);
  const auto told = nlohmann::json::parse(outcome.out);
  CHECK(told.at("entry_points") == nlohmann::json::array({"main"}));
  CHECK(told.at("local_size") == nlohmann::json::array({24, 2, 1}));
  const auto& source = told.at("bindings").at(0);
  CHECK(source.at("kind") == "buffer");
  CHECK(source.at("writable") == false);
  const auto& particle = source.at("block").at("members").at(1).at("element");
  CHECK(particle.at("members").at(2).at("offset") == 16);
  CHECK(told.at("bindings").at(1).at("elements") == 3);
  CHECK(told.at("push_constants").at("members").at(0).at("stride") == 16);
  CHECK(told.at("constants").at(1).at("id") == 4);
  CHECK(told.at("constants").at(1).at("default") == "0.5");
  CHECK(told.at("built_ins") == nlohmann::json::array({"subgroupAdd", "subgroupElect"}));
}

TEST_CASE("the command that inspect prints runs") {
  const Directory directory;
  const std::string shader = directory / "some shader's.comp";
  std::ofstream(shader) << "#version 450\nlayout(constant_id = 3) const uint n = 4;\n"
                           "layout(binding = 5) buffer B { uvec2 count; float rest[]; } b[2];\n"
                           "layout(push_constant) uniform P { uint p; };\n"
                           "void main() { b[1].rest[1023] = float(TIMES(n + p)); }\n";
  const Outcome outcome =
      run_program("inspect --json -D 'TIMES(x)=(2u*(x))' --spec 3=6 \"" + shader + "\"");
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  std::string command = nlohmann::json::parse(outcome.out).at("command");
  REQUIRE_THAT(command, Catch::StartsWith("lockstep "));
  const Outcome run =
      run_program(command.substr(9) + " --save '5[1]=" + (directory / "o.npy") + "'");
  INFO(command << run.err);
  CHECK(run.exit_code == 0);
  CHECK(contents_of(directory / "o.npy").ends_with(std::string("\0\0\x40\x41", 4)));  // 12
}

TEST_CASE("inspect's command gives memory to addresses") {
  const Directory directory;
  const std::string shader = directory / "addresses.comp";
  std::ofstream(shader) << R"(#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(local_size_x = 4) in;
layout(buffer_reference, std430) buffer Numbers { uint numbers[]; };
struct Pair { uint count; Numbers of; };
layout(binding = 2) buffer Table { uint first; Pair pairs[2]; Numbers more[]; } table;
layout(push_constant) uniform Push { uint n; Numbers to; } pc;
void main() {
  uint i = gl_LocalInvocationIndex;
  pc.to.numbers[i] = pc.n + 1u;
  table.pairs[1].of.numbers[i] = 2u;
  table.more[3].numbers[i + 9u] = 3u;
})";
  for (const char* runs : {"", " --search-runs 0"}) {
    const Outcome outcome = run_program("inspect --json " + shader + runs);
    INFO(outcome.out << outcome.err);
    const std::string command = nlohmann::json::parse(outcome.out).at("command");
    const Outcome run = run_program(command.substr(9));
    INFO(command << run.err);
    CHECK(run.exit_code == 0);
  }
  const Outcome named =
      run_program("run " + shader +
                  " --groups 1 --buffer 2=zeros:u8:200 --buffer m=zeros:u32:16 --address "
                  "2+32=m --address 2+64=m --push 'n=4 pc.to=addr:m+4'");
  INFO(named.err);
  CHECK(named.exit_code == 0);
  const Outcome wrong =
      run_program("run " + shader + " --groups 1 --buffer 2=zeros:u8:200 --push 'n=addr:2'");
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.err, Catch::Contains("'n' is not an address"));
}

TEST_CASE("inspect's command gives memory to integers that may become addresses") {
  const Directory directory;
  const std::string head =
      "#version 460\n#extension GL_EXT_buffer_reference : require\n"
      "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
      "layout(local_size_x = 8) in;\n"
      "layout(buffer_reference, std430) buffer D { float d[]; };\n"
      "layout(push_constant) uniform P { uint64_t where; float k; uint64_t to[2]; } pc;\n"
      "layout(binding = 0) buffer B { uint64_t count; };\n";
  const std::string shader = directory.write(
      "addresses.comp",
      head +
          "void main() {\n  uint i = gl_LocalInvocationIndex;\n"
          "  D(pc.to[1]).d[i] = pc.k * D(pc.where).d[i];\n  D(count).d[i] = 1.0;\n}\n");
  const std::string numbers =
      directory.write("numbers.comp", head + "void main() { count = pc.where + pc.to[0]; }\n");
  const std::string command = nlohmann::json::parse(run_program("inspect --json " + shader).out)
                                  .at("command")
                                  .get<std::string>();
  CHECK(contains(command, "where=addr:memory2 to[0]=addr:memory3 to[1]=addr:memory4"));
  const Outcome run = run_program(command.substr(9));
  INFO(command << run.err);
  CHECK(run.exit_code == 0);
  const std::string other = nlohmann::json::parse(run_program("inspect --json " + numbers).out)
                                .at("command")
                                .get<std::string>();
  CHECK(!contains(other, "memory"));
  CHECK(run_program(other.substr(9)).exit_code == 0);
}

TEST_CASE("the samplers of inspect's command compare, or filter, as the shader's accesses do") {
  const Directory directory;
  const auto check = [&](const char* file, const char* text, const std::string& sampler) {
    directory.write(file, text);
    const Outcome outcome = run_program("inspect --json \"" + (directory / file) + "\"");
    INFO(file << outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const std::string command = nlohmann::json::parse(outcome.out).at("command");
    CHECK_THAT(command, Catch::Contains(sampler));
    const Outcome run = run_program(command.substr(9));
    INFO(command << run.err);
    CHECK(run.exit_code == 0);
  };
  check("compares.hlsl",
        "SamplerComparisonState s : register(s1);\nSamplerState plain : register(s2);\n"
        "Texture2D<float> t : register(t0);\nRWStructuredBuffer<float> o : register(u0);\n"
        "[numthreads(4, 1, 1)] void main(uint3 i : SV_GroupThreadID) {\n"
        "  o[i.x] = t.SampleCmpLevelZero(s, float2(0, 0), 0.5) + t.SampleLevel(plain, 0, 0);\n}\n",
        "--sampler s1=linear,repeat,less_or_equal --sampler s2=linear,repeat ");
  check("shadow.comp",
        "#version 450\nlayout(binding = 0) uniform sampler2DShadow s;\n"
        "layout(binding = 1) buffer B { float o; };\n"
        "void main() { o = textureLod(s, vec3(0.5), 0); }\n",
        "--sampler 0=linear,repeat,less_or_equal");
  check("integers.comp",
        "#version 450\nlayout(binding = 0) uniform usampler2D s;\n"
        "layout(binding = 1) buffer B { uint o; };\n"
        "void main() { o = textureLod(s, vec2(0.5), 0).x; }\n",
        "--sampler 0=nearest,repeat");
}

TEST_CASE("inspect names features that profiles do not have") {
  const Directory directory;
  const std::string shader = directory / "half.comp";
  std::ofstream(shader) << "#version 450\n#extension GL_EXT_shader_16bit_storage : enable\n"
                           "#extension GL_EXT_buffer_reference : enable\n"
                           "layout(buffer_reference) buffer Node { uint x; };\n"
                           "layout(binding = 0) buffer B { Node node; float16_t numbers[]; };\n"
                           "void main() { numbers[0] = numbers[1]; node.x = 1u; }\n";
  const Outcome outcome = run_program("inspect " + shader);
  CHECK(contains(outcome.out, "\nfeatures: none\nfeatures that profiles do not have: "));
  const auto told = nlohmann::json::parse(run_program("inspect --json " + shader).out);
  auto names = told.at("other_features").get<std::vector<std::string>>();
  std::ranges::sort(names);
  CHECK(names == std::vector<std::string>{"bufferDeviceAddress", "storageBuffer16BitAccess"});
  // Newer than the installed tools.
  const std::string assembly = directory / "long.spvasm";
  std::ofstream(assembly) << "OpCapability Shader\nOpCapability LongVectorEXT\n"
                             "OpExtension \"SPV_EXT_long_vector\"\n"
                             "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %m \"main\"\n"
                             "OpExecutionMode %m LocalSize 1 1 1\n%void = OpTypeVoid\n"
                             "%type = OpTypeFunction %void\n%m = OpFunction %void None %type\n"
                             "%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
  const Outcome newer = run_program("inspect --json " + assembly);
  INFO(newer.err);
  CHECK(contains(newer.out, "\"longVector\""));
  CHECK(nlohmann::json::parse(newer.out).at("other_features").empty());
}

TEST_CASE("inspect reports a shader that the engine does not support") {
  const Directory directory;
  const std::string shader = directory / "clock.comp";
  std::ofstream(shader) << "#version 450\n#extension GL_ARB_shader_clock : enable\n"
                           "layout(binding = 0) buffer B { uvec2 d; };\n"
                           "void main() {\n  d = clock2x32ARB();\n}\n";
  const Outcome outcome = run_program("inspect " + shader);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "\nnot supported: " + shader + ":5: OpReadClockKHR"));
  CHECK_FALSE(contains(outcome.out, "lockstep run"));  // no command would run it
  CHECK_FALSE(
      nlohmann::json::parse(run_program("inspect --json " + shader).out).contains("command"));

  const std::string shared = directory.write("shared.comp",
                                             "#version 450\n"
                                             "layout(binding = 0) uniform U { uint a; };\n"
                                             "layout(binding = 0) buffer B { uint o[]; };\n"
                                             "void main() { o[0] = a; }\n");
  const Outcome both = run_program("inspect " + shared);
  CHECK(both.exit_code == 0);
  CHECK(contains(both.out, "give each a binding of its own"));
  CHECK_FALSE(contains(both.out, "lockstep run"));
  CHECK(run_program("run " + shared + " --buffer 0=zeros:u32:4").exit_code == 2);
  CHECK(run_program("inspect").exit_code == 2);
  CHECK(run_program("inspect " + shader + " --entry other").exit_code == 2);
}

TEST_CASE("entry points may use one binding for different resources") {
  const Directory directory;
  // As naga writes WGSL: all variables in one module.
  const std::string shader = directory.write("two.spvasm", R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %reads "reads"
OpEntryPoint GLCompute %samples "samples"
OpExecutionMode %reads LocalSize 1 1 1
OpExecutionMode %samples LocalSize 1 1 1
OpName %numbers "numbers"
OpName %picture "picture"
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %numbers DescriptorSet 0
OpDecorate %numbers Binding 3
OpDecorate %picture DescriptorSet 0
OpDecorate %picture Binding 3
%void = OpTypeVoid
%type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%zero = OpConstant %int 0
%seven = OpConstant %uint 7
%float = OpTypeFloat 32
%four = OpTypeVector %float 4
%two = OpTypeVector %int 2
%origin = OpConstantComposite %two %zero %zero
%block = OpTypeStruct %uint
%to_block = OpTypePointer StorageBuffer %block
%to_uint = OpTypePointer StorageBuffer %uint
%numbers = OpVariable %to_block StorageBuffer
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%to_image = OpTypePointer UniformConstant %image
%picture = OpVariable %to_image UniformConstant
%reads = OpFunction %void None %type
%entry = OpLabel
%place = OpAccessChain %to_uint %numbers %zero
OpStore %place %seven
OpReturn
OpFunctionEnd
%samples = OpFunction %void None %type
%begin = OpLabel
%call = OpFunctionCall %void %helper
OpReturn
OpFunctionEnd
%helper = OpFunction %void None %type
%start = OpLabel
%loaded = OpLoad %image %picture
%texel = OpImageFetch %four %loaded %origin Lod %zero
OpReturn
OpFunctionEnd
)");
  const auto command_of = [&](const std::string& entry) {
    const Outcome outcome = run_program("inspect " + shader + " --json --entry " + entry);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const std::string command = nlohmann::json::parse(outcome.out).at("command");
    const Outcome run = run_program(command.substr(9));
    INFO(command << run.err);
    CHECK(run.exit_code == 0);
    return command;
  };
  CHECK_THAT(command_of("reads"),
             Catch::Contains("--buffer 3=zeros:u32:1") && !Catch::Contains("--image"));
  CHECK_THAT(command_of("samples"), Catch::Contains("--image 3=") && !Catch::Contains("--buffer"));
}
