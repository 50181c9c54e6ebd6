#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "amber/error.hpp"
#include "amber/script.hpp"

using namespace lockstep::amber;

namespace {

const std::string shader = "SHADER compute s GLSL\n#version 450\nvoid main() {}\nEND\n";
const std::string buffers =
    "BUFFER a DATA_TYPE uint32 SIZE 4 FILL 0\nBUFFER b DATA_TYPE uint32 SIZE 4 FILL 0\n";
const std::string features =
    "DEVICE_FEATURE SubgroupSizeControl.subgroupSizeControl\n"
    "DEVICE_FEATURE SubgroupSizeControl.computeFullSubgroups\n";

/// Everything above, and a pipeline that starts on line 10.
std::string in_pipeline(const std::string& body) {
  return features + shader + buffers + "PIPELINE compute p\n" + body + "\nEND\n";
}

Script parsed(const std::string& text) { return parse("#!amber\n" + text); }

}  // namespace

TEST_CASE("shaders are inline, in virtual files or in files") {
  const Script script = parsed(
      "VIRTUAL_FILE v.comp\n#version 450\nvoid main() {}\nEND\n" + shader +
      "SHADER compute t SPIRV-ASM TARGET_ENV spv1.3\nOpNop # no comment\nEND # shader\n"
      "SHADER multi u SPIRV-HEX\n0x07230203 07230203\nEND\n"
      "SHADER compute v GLSL VIRTUAL_FILE v.comp\nSHADER compute w SPIRV-BIN FILE w.spv\n"
      "SHADER vertex x PASSTHROUGH\nSHADER compute y HLSL TARGET_ENV spv1.0\nfloat x;\nEND\n");
  REQUIRE(script.shaders.size() == 7);
  CHECK(script.shaders[0].source == "#version 450\nvoid main() {}\n");
  CHECK(script.shaders[0].first_line == 7);
  CHECK(script.shaders[1].format == Shader::Format::spirv_asm);
  CHECK(script.shaders[1].target == "spv1.3");
  CHECK(script.shaders[1].source == "OpNop # no comment\n");
  CHECK(script.shaders[2].format == Shader::Format::spirv_hex);
  CHECK(script.shaders[2].compute);
  CHECK(script.shaders[3].source == script.shaders[0].source);
  CHECK(script.shaders[3].first_line == 3);
  CHECK(script.shaders[4].file == "w.spv");
  CHECK_FALSE(script.shaders[5].compute);
  CHECK_THAT(script.shaders[6].unsupported, Catch::StartsWith("is HLSL, which is not supported"));
}

TEST_CASE("structures are data types") {
  const Script script = parsed(
      "STRUCT inner\n  float x\nEND\nSTRUCT s STRIDE 32\n  uint32 a\n  inner b OFFSET 16\nEND\n"
      "BUFFER a DATA_TYPE s DATA 1 2.5 3 4.5 END\nBUFFER c DATA_TYPE float STD140 SIZE 3 FILL 1\n"
      "BUFFER d DATA_TYPE uint8 WIDTH 4 HEIGHT 3 FILL 1\n"
      "IMAGE e FORMAT R32_SFLOAT DIM_3D WIDTH 2 HEIGHT 3 DEPTH 4 MIP_LEVELS 3 SAMPLES 1 FILL "
      "0.5\n");
  REQUIRE(script.buffers.size() == 4);
  CHECK(script.buffers[0].count == 2);
  CHECK(script.buffers[0].layout.stride == 32);
  CHECK(script.buffers[0].layout.components[1].byte == 16);
  CHECK(std::get<Data>(script.buffers[0].data).values.size() == 4);
  CHECK(script.buffers[1].layout.stride == 4);
  CHECK(script.buffers[2].count == 12);
  CHECK(script.buffers[2].width == 4);
  CHECK(script.buffers[3].image);
  CHECK(script.buffers[3].count == 24);
  CHECK(script.buffers[3].dimensions == 3);
  CHECK(script.buffers[3].levels == 3);
}

TEST_CASE("pipelines bind buffers in every form") {
  const Script script = parsed(in_pipeline(
      "ATTACH s TYPE compute ENTRY_POINT other \\\n SPECIALIZE 1 AS uint32 7 SPECIALIZE 2 AS float "
      "-0.5\n"
      "SHADER_OPTIMIZATION s\n --merge-return\nEND\n"
      "SUBGROUP s\n FULLY_POPULATED on\n VARYING_SIZE off\n REQUIRED_SIZE 16\nEND\n"
      "BIND BUFFER a AS storage DESCRIPTOR_SET 0 BINDING 9\n"
      "BIND BUFFER a AS storage DESCRIPTOR_SET 0 BINDING 0 DESCRIPTOR_OFFSET 4 DESCRIPTOR_RANGE 8\n"
      "BIND BUFFER b AS uniform_dynamic DESCRIPTOR_SET 1 BINDING 0 OFFSET 8 DESCRIPTOR_OFFSET 4\n"
      "BIND BUFFER_ARRAY a b AS storage_dynamic DESCRIPTOR_SET 1 BINDING 2 OFFSET 0 4 "
      "DESCRIPTOR_RANGE -1 4\n"
      "BIND BUFFER b AS push_constant\n"
      "BIND BUFFER a AS storage_texel_buffer DESCRIPTOR_SET 2 BINDING 0\n"
      "BIND BUFFER a AS uniform_texel_buffer DESCRIPTOR_SET 2 BINDING 1\n"
      "BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 9\n"
      "BIND BUFFER a AS storage_image DESCRIPTOR_SET 2 BINDING 2 BASE_MIP_LEVEL 0"));
  const Pipeline& p = script.pipelines.at(0);
  CHECK(p.shader == 0U);
  CHECK(p.entry == "other");
  CHECK(p.spec == std::vector<std::pair<std::uint32_t, double>>{{1, 7}, {2, -0.5}});
  CHECK(p.full_subgroups);
  CHECK(p.size == Pipeline::Size::number);
  CHECK(p.required_size == 16);
  CHECK(p.push_constants == 1U);
  REQUIRE(p.bindings.size() == 8);
  CHECK(p.bindings[0].binding == 0);
  CHECK(p.bindings[0].offset == 4);
  CHECK(p.bindings[0].range == 8);
  CHECK(p.bindings[1].kind == Binding::Kind::uniform);
  CHECK(p.bindings[1].offset == 12);
  CHECK(p.bindings[3].element == 1);
  CHECK(p.bindings[3].buffer == 1);
  CHECK(p.bindings[3].offset == 4);
  CHECK(p.bindings[3].range == 4);
  CHECK(p.bindings[2].range == UINT64_MAX);
  CHECK(p.bindings[4].kind == Binding::Kind::storage_texel_buffer);
  CHECK(p.bindings[6].buffer == 1);
  CHECK(p.bindings[7].kind == Binding::Kind::storage_image);
}

TEST_CASE("derived pipelines start as their parent") {
  const Script script = parsed(
      in_pipeline("ATTACH s SPECIALIZE 1 AS uint32 7\nBIND BUFFER a AS storage DESCRIPTOR_SET 0 "
                  "BINDING 0\nBIND BUFFER a AS storage DESCRIPTOR_SET 0 BINDING 1") +
      "DERIVE_PIPELINE q FROM p\nBIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 1\nEND\n"
      "RUN q 1 2 3\n");
  REQUIRE(script.pipelines.size() == 2);
  CHECK(script.pipelines[0].bindings[1].buffer == 0);
  const Pipeline& q = script.pipelines[1];
  CHECK(q.name == "q");
  CHECK(q.spec.size() == 1);
  CHECK(q.bindings.at(0).buffer == 0);
  CHECK(q.bindings.at(1).buffer == 1);
  const Run& run = std::get<Run>(script.commands.at(0).actions.at(0).second);
  CHECK(run.pipeline == 1);
  CHECK(run.groups == lockstep::Size3{1, 2, 3});
}

TEST_CASE("commands are in their order, repeated ones in groups") {
  const Script script = parsed(in_pipeline("ATTACH s") +
                               "SET ENGINE_DATA fence_timeout_ms 100\nRUN TIMED_EXECUTION p 1 1 1\n"
                               "REPEAT 3\nCOPY a TO b\nEXPECT a EQ_BUFFER b\nRUN p 2 1 1\nEND\n");
  REQUIRE(script.commands.size() == 2);
  CHECK(std::get<Run>(script.commands[0].actions.at(0).second).timed);
  CHECK(script.commands[1].times == 3);
  REQUIRE(script.commands[1].actions.size() == 3);
  CHECK(script.commands[1].actions[0].first == 16);
  CHECK(std::get<Copy>(script.commands[1].actions[0].second).to == 1);
}

TEST_CASE("scripts with other pipelines than compute are skipped by name") {
  CHECK(parsed("SHADER vertex v PASSTHROUGH\nSAMPLER x MAG_FILTER linear\n"
               "BUFFER f FORMAT B8G8R8A8_UNORM\nPIPELINE graphics gfx\n nonsense\n")
            .skip == "PIPELINE gfx is a graphics pipeline");
  CHECK(parsed("PIPELINE raytracing r\n").skip == "PIPELINE r is a ray tracing pipeline");
  CHECK(parsed("ACCELERATION_STRUCTURE BOTTOM_LEVEL b\n").skip ==
        "it uses acceleration structures, which only ray tracing has");
  CHECK(parsed("BUFFER a DATA_TYPE uint8 SIZE 1 FILL 0\n").skip.empty());
}

TEST_CASE("scripts that are malformed are explained") {
  struct Case {
    std::string text;  ///< after the first line
    std::uint32_t line;
    std::string message;
  };
  const std::string p = in_pipeline("ATTACH s");  // 12 lines, with the first one
  const std::vector<Case> cases{
      {"HELLO", 2, "'HELLO' is not a command; see the AmberScript documentation"},
      {"\n\n1 2", 4, "'1' is not a command; see the AmberScript documentation"},
      {"DEVICE_FEATURE nonsense", 2,
       "DEVICE_FEATURE nonsense is not a feature of AmberScript; check its spelling"},
      {"DEVICE_FEATURE", 2, "the name of DEVICE_FEATURE is missing at the end of the line; add it"},
      {"DEVICE_EXTENSION VK_A VK_B", 2, "'VK_B' after the end of DEVICE_EXTENSION; remove it"},
      {"SET x", 2, "'x' where SET expects ENGINE_DATA; write ENGINE_DATA"},
      {"SET ENGINE_DATA x 1", 2,
       "SET ENGINE_DATA has no variable x; the only one is fence_timeout_ms"},
      {"SET ENGINE_DATA fence_timeout_ms -1", 2,
       "'-1' is not a valid time in milliseconds; write an integer from 0 to 4294967295"},
      {"VIRTUAL_FILE v\ntext\n", 2, "VIRTUAL_FILE v has no END; add one"},
      {"VIRTUAL_FILE v\nEND\nVIRTUAL_FILE v\nEND", 4,
       "VIRTUAL_FILE v already exists; choose another path"},
      {"SAMPLER", 2, "the name of SAMPLER is missing at the end of the line; add it"},
      {"SAMPLER s MAG_FILTER cubic", 2,
       "MAG_FILTER cubic is unknown to AmberScript; check its spelling"},
      {"SAMPLER s ADDRESS_MODE_W", 2,
       "the value of ADDRESS_MODE_W is missing at the end of the line; add it"},
      {"SAMPLER s COMPARE yes", 2, "COMPARE yes; write on or off"},
      {"SAMPLER s MIN_LOD much", 2, "'much' is not a valid MIN_LOD; write a number"},
      {"SAMPLER s MIN_LOD 2", 2,
       "MIN_LOD of SAMPLER s is larger than its MAX_LOD; make it smaller"},
      {"SAMPLER s ANISOTROPY 2", 2,
       "'ANISOTROPY' is not an option of SAMPLER; write MAG_FILTER, MIN_FILTER, ADDRESS_MODE_U, "
       "BORDER_COLOR, MIN_LOD, MAX_LOD, UNNORMALIZED_COORDS, COMPARE or COMPARE_OP"},
      {"SAMPLER s\nSAMPLER s", 3, "SAMPLER s already exists; choose another name"},

      {"SHADER pixel s GLSL", 2, "'pixel' is not a type of shader; write compute"},
      {"SHADER compute s WGSL", 2,
       "'WGSL' is not a format of shader; write GLSL, SPIRV-ASM, SPIRV-HEX or SPIRV-BIN"},
      {"SHADER compute s GLSL\nvoid main() {}", 2, "SHADER s has no END; add one"},
      {"SHADER compute s GLSL\n\n END", 2, "SHADER s is empty; write its source"},
      {"SHADER compute s GLSL VIRTUAL_FILE v", 2,
       "there is no VIRTUAL_FILE v; declare it before the shader"},
      {"SHADER compute s SPIRV-BIN\n1\nEND", 2,
       "SHADER s is SPIRV-BIN, which only a FILE can hold; name one"},
      {shader + shader, 6, "SHADER s already exists; choose another name"},

      {"STRUCT uint8\nEND", 2, "type uint8 already exists; choose another name"},
      {"STRUCT s\nEND", 3, "STRUCT s has no members; add one"},
      {"STRUCT s\nfloat a", 3, "STRUCT s has no END; add one"},
      {"STRUCT s\ns a\nEND", 3, "STRUCT s contains itself; remove that member"},
      {"STRUCT s\nfloat a\nint8 a\nEND", 4, "STRUCT s has a member a already; choose another name"},
      {"STRUCT s\nfloat a ARRAY_STRIDE 4\nEND", 3,
       "ARRAY_STRIDE of a, which is not an array; remove it"},
      {"STRUCT s\nfloat a MATRIX_STRIDE 4\nEND", 3,
       "MATRIX_STRIDE of a, which is not a matrix; remove it"},
      {"STRUCT s\nfloat a ROW 4\nEND", 3,
       "'ROW' is not an option of a member; write OFFSET, ARRAY_STRIDE or MATRIX_STRIDE"},
      {"STRUCT s\nfloat a\nfloat b OFFSET 2\nEND\nBUFFER b DATA_TYPE s SIZE 1 FILL 0", 6,
       "s has a member b whose OFFSET is too small for its own elements or the members before it; "
       "raise it"},

      {"BUFFER", 2, "the name of BUFFER is missing at the end of the line; add it"},
      {"BUFFER b SIZE 4", 2,
       "'SIZE' where BUFFER b expects DATA_TYPE or FORMAT; write one of them"},
      {"BUFFER b DATA_TYPE int SIZE 4 FILL 0", 2,
       "'int' is not a data type; write one such as uint32, vec4<float>, mat4x4<float> or the name "
       "of a STRUCT"},
      {"BUFFER b DATA_TYPE int8 FILL 0", 2,
       "'FILL' where BUFFER b expects SIZE or DATA; write one of them"},
      {"BUFFER b DATA_TYPE int8 SIZE 0 FILL 0", 2, "b has no elements; give it at least one"},
      {"BUFFER b DATA_TYPE int8 DATA END", 2, "b has no elements; give it at least one"},
      {"BUFFER b DATA_TYPE int64 SIZE 4294967295 FILL 0", 2,
       "b is more than 4 GiB, the largest size of a buffer; use fewer elements"},
      {"BUFFER b DATA_TYPE int8 SIZE 4", 2,
       "FILL, SERIES_FROM or FILE is missing at the end of the line; add it"},
      {"BUFFER b DATA_TYPE int8 SIZE 4 DATA 1 END", 2,
       "DATA after SIZE; the data determines the size: remove SIZE"},
      {"BUFFER b DATA_TYPE int8 SIZE 4 ZERO", 2,
       "'ZERO' does not fill b; write DATA, FILL or SERIES_FROM"},
      {"BUFFER b DATA_TYPE int8 SIZE 4 FILL x", 2,
       "'x' is not a valid value of FILL; write a number"},
      {"BUFFER b DATA_TYPE int8 SIZE 4 FILL 300", 2,
       "a value does not fit the int8 of b; write an integer in its range"},
      {"BUFFER b DATA_TYPE int8 SIZE 4 FILE x", 2, "FILE is neither BINARY nor TEXT; say which"},
      {"BUFFER b DATA_TYPE vec2<float> SIZE 4 SERIES_FROM 1 INC_BY 1", 2,
       "SERIES_FROM fills scalars, but b holds vec2<float>; write DATA"},
      {"BUFFER b DATA_TYPE int8 SIZE 4 SERIES_FROM 1 BY 1", 2,
       "'BY' where SERIES_FROM expects INC_BY; write INC_BY"},
      {"BUFFER b DATA_TYPE int8 DATA\n1\n2.5\nEND", 4,
       "'2.5' is not a valid value for the int8 of b; write a number in its range"},
      {"BUFFER b DATA_TYPE int8 DATA 1 2", 2, "DATA of b has no END; add one"},
      {"BUFFER b DATA_TYPE vec2<int8> DATA 1 2 3 END", 2,
       "DATA of b has 3 values, but an element of vec2<int8> takes 2; write whole elements"},
      {"BUFFER b DATA_TYPE int8 SIZE 1 FILL 0\nBUFFER b DATA_TYPE int8 SIZE 1 FILL 0", 3,
       "buffer b already exists; choose another name"},
      {"BUFFER b FORMAT R8G8B8A8_UNORM", 2,
       "BUFFER b takes its size from a graphics pipeline's framebuffer; write IMAGE with WIDTH and "
       "HEIGHT"},
      {"BUFFER b FORMAT uint8", 2, "'uint8' is not an image format; write one"},

      {"IMAGE i WIDTH 4", 2, "IMAGE i has no FORMAT; write one"},
      {"IMAGE i FORMAT R8_UINT DIM_2D HEIGHT 4", 2, "IMAGE i has no WIDTH; write one"},
      {"IMAGE i FORMAT R8_UINT DIM_2D WIDTH 4", 2, "IMAGE i has no HEIGHT; write one"},
      {"IMAGE i FORMAT R8_UINT DIM_3D WIDTH 4 HEIGHT 4", 2, "IMAGE i has no DEPTH; write one"},
      {"IMAGE i FORMAT R8_UINT DIM_1D WIDTH 0", 2, "WIDTH 0; an image has at least 1"},
      {"IMAGE i FORMAT R8_UINT DIM_1D WIDTH 2 DATA 1 END", 2,
       "DATA of i has 1 texels, but its size is 2; write as many"},
      {"IMAGE i FORMAT R8_UINT DIM_1D WIDTH 2 MIP_LEVELS 0", 2,
       "MIP_LEVELS 0; an image has at least 1"},
      {"IMAGE i FORMAT R8_UINT DIM_2D WIDTH 7 HEIGHT 2 MIP_LEVELS 4", 2,
       "IMAGE i has 4 MIP_LEVELS, but its size allows 3; write no more than that"},
      {"IMAGE i FORMAT R8_UINT DIM_2D WIDTH 2 HEIGHT 2 SAMPLES 2 MIP_LEVELS 2", 2,
       "IMAGE i has several SAMPLES and MIP_LEVELS; remove one of them"},
      {"IMAGE i FORMAT R8_UINT DIM_1D WIDTH 2 SAMPLES 3", 2,
       "SAMPLES 3; write a power of two from 1 to 64"},
      {"IMAGE i FORMAT R8_UINT DIM_1D WIDTH 2 SAMPLES 4", 2,
       "IMAGE i has several SAMPLES, which only DIM_2D images without DEPTH can have; remove "
       "SAMPLES"},
      {"IMAGE i FORMAT D32_SFLOAT DIM_1D WIDTH 2", 2,
       "D32_SFLOAT is a format of depth and stencil buffers, which only graphics pipelines have; "
       "use a colour format"},
      {"IMAGE i FORMAT R8_UINT DIM_3D WIDTH 4294967295 HEIGHT 4294967295 DEPTH 4294967295", 2,
       "i is more than 4 GiB, the largest size of a buffer; use fewer elements"},
      {"IMAGE i FORMAT R8_UINT DIM_4D WIDTH 2", 2,
       "'DIM_4D' is not an option of IMAGE; write FORMAT, DIM_2D, WIDTH, HEIGHT, DEPTH or an "
       "initializer"},

      {"PIPELINE magic p\nEND", 2, "'magic' is not a type of pipeline; write compute"},
      {"PIPELINE compute p\nEND", 2, "PIPELINE p has no shader; ATTACH one"},
      {"PIPELINE compute p\n", 2, "PIPELINE p has no END; add one"},
      {in_pipeline("ATTACH x"), 11, "there is no SHADER x; declare it before it is used"},
      {in_pipeline("VIEWPORT 1 1"), 11,
       "'VIEWPORT' does not belong in a compute PIPELINE; write ATTACH, BIND, SUBGROUP or END"},
      {in_pipeline("FRAMEBUFFER_SIZE 1"), 11,
       "height of FRAMEBUFFER_SIZE is missing at the end of the line; add it"},
      {in_pipeline("ATTACH s\nSHADER_OPTIMIZATION s\n--graphics-robust-access\nEND"), 13,
       "--graphics-robust-access changes what shaders do and is not applied; require "
       "robustBufferAccess"},
      {in_pipeline("ATTACH s TYPE vertex"), 11, "TYPE vertex in a compute pipeline; write compute"},
      {in_pipeline("ATTACH s more"), 11, "'more' after the end of ATTACH; remove it"},
      {in_pipeline("ATTACH s SPECIALIZE 1 AS double 2"), 11,
       "SPECIALIZE AS double; write uint32, int32 or float"},
      {in_pipeline("ATTACH s SPECIALIZE 1 AS uint32 0.5"), 11,
       "the value of SPECIALIZE 1 is not of type uint32; write one that is"},
      {in_pipeline("SET KERNEL ARG_NAME a AS int32 1"), 11,
       "SET KERNEL sets arguments of OPENCL-C, which is not supported; use a push_constant buffer"},
      {in_pipeline("COMPILE_OPTIONS s\nEND"), 11,
       "COMPILE_OPTIONS are for OPENCL-C, which is not supported; remove them"},
      {"SHADER compute k OPENCL-C\nkernel\nEND\nPIPELINE compute p\nATTACH k\nEND", 6,
       "SHADER k is OPENCL-C, which is not supported; give it as GLSL, SPIRV-ASM or SPIRV-HEX"},
      {"SHADER fragment f GLSL\nvoid\nEND\nPIPELINE compute p\nATTACH f\nEND", 6,
       "SHADER f is not a compute shader; attach one"},
      {in_pipeline("SUBGROUP s\nEND"), 11,
       "SUBGROUP s names a shader that the pipeline does not have; ATTACH it first"},
      {in_pipeline("ATTACH s\nSUBGROUP s\nREQUIRED_SIZE 3\nEND"), 13,
       "REQUIRED_SIZE 3; write a power of two from 1 to 128, MIN or MAX"},
      {in_pipeline("ATTACH s\nSUBGROUP s\nREQUIRED_SIZE 0\nEND"), 13,
       "REQUIRED_SIZE 0; write a power of two from 1 to 128, MIN or MAX"},
      {in_pipeline("ATTACH s\nSUBGROUP s\nVARYING_SIZE yes\nEND"), 13,
       "VARYING_SIZE yes; write on or off"},
      {in_pipeline("ATTACH s\nSUBGROUP s\nSIZE 4\nEND"), 13,
       "'SIZE' is not an option of SUBGROUP; write FULLY_POPULATED, VARYING_SIZE, REQUIRED_SIZE or "
       "END"},
      {shader + "PIPELINE compute p\nATTACH s\nSUBGROUP s\nREQUIRED_SIZE 4\nEND\nEND", 9,
       "this needs the line DEVICE_FEATURE SubgroupSizeControl.subgroupSizeControl; add it above"},
      {in_pipeline("BIND BUFFER x AS storage DESCRIPTOR_SET 0 BINDING 0"), 11,
       "there is no buffer x; declare it before it is used"},
      {in_pipeline("BIND BUFFER a DESCRIPTOR_SET 0 BINDING 0"), 11,
       "'DESCRIPTOR_SET' where BIND BUFFER expects AS; write AS"},
      {in_pipeline("BIND BUFFER a AS memory DESCRIPTOR_SET 0 BINDING 0"), 11,
       "'memory' is not a kind of buffer; write storage, uniform, push_constant, "
       "storage_texel_buffer, uniform_texel_buffer, storage_image, sampled_image or "
       "combined_image_sampler"},
      {in_pipeline("BIND BUFFER a AS storage DESCRIPTOR_SET x BINDING 0"), 11,
       "'x' is not a valid DESCRIPTOR_SET; write an integer from 0 to 4294967295"},
      {in_pipeline("BIND BUFFER a AS storage_dynamic DESCRIPTOR_SET 0 BINDING 0"), 11,
       "'end of line' where BIND of a dynamic buffer expects OFFSET; write OFFSET"},
      {in_pipeline("BIND BUFFER a AS combined_image_sampler DESCRIPTOR_SET 0 BINDING 0"), 11,
       "'DESCRIPTOR_SET' where BIND AS combined_image_sampler expects SAMPLER; write SAMPLER"},
      {in_pipeline("BIND BUFFER a AS combined_image_sampler SAMPLER x DESCRIPTOR_SET 0 BINDING 0"),
       11, "there is no SAMPLER x; declare it before it is used"},
      {in_pipeline("BIND BUFFER a AS color LOCATION 0"), 11,
       "BIND AS color is for graphics pipelines; remove it"},
      {in_pipeline("BIND BUFFER a KERNEL ARG_NAME x"), 11,
       "BIND KERNEL is for OPENCL-C, which is not supported; write AS and DESCRIPTOR_SET"},
      {in_pipeline("BIND BUFFER_ARRAY a AS storage DESCRIPTOR_SET 0 BINDING 0"), 11,
       "BUFFER_ARRAY of one buffer; name several or write BUFFER"},
      {in_pipeline("BIND SAMPLER x DESCRIPTOR_SET 0 BINDING 0"), 11,
       "there is no SAMPLER x; declare it before it is used"},
      {in_pipeline("BIND TEXTURE x"), 11,
       "'TEXTURE' cannot be bound; write BUFFER, BUFFER_ARRAY, SAMPLER or SAMPLER_ARRAY"},
      {in_pipeline("BIND BUFFER a AS storage_image DESCRIPTOR_SET 0 BINDING 0 BASE_MIP_LEVEL 1"),
       11, "BASE_MIP_LEVEL 1 of a, whose last level is 0; write that or less"},
      {p + "PIPELINE compute p\nATTACH s\nEND", 13,
       "PIPELINE p already exists; choose another name"},
      {p + "DERIVE_PIPELINE q FROM r\nEND", 13,
       "there is no PIPELINE r; declare it before it is used"},

      {p + "RUN q 1 1 1", 13, "there is no PIPELINE q; declare it before it is used"},
      {p + "RUN p 1 1", 13, "number of workgroups is missing at the end of the line; add it"},
      {p + "RUN p 1 1 x", 13,
       "'x' is not a valid number of workgroups; write an integer from 0 to 4294967295"},
      {p + "RUN p DRAW_RECT POS 0 0 SIZE 1 1", 13,
       "DRAW_RECT of a compute pipeline; write the numbers of workgroups"},
      {p + "CLEAR p", 13, "CLEAR of a compute pipeline, which has no framebuffer; remove it"},
      {p + "COPY a TO a", 13, "COPY of a to itself; name two buffers"},
      {p + "COPY a b", 13, "'b' where COPY expects TO; write TO"},
      {p + "BUFFER c DATA_TYPE int32 SIZE 4 FILL 0\nCOPY a TO c", 14,
       "COPY of a to c, which differ in type or size; declare them alike"},
      {p + "REPEAT 0\nEND", 13, "REPEAT 0; write at least 1"},
      {p + "REPEAT 2\nREPEAT 2\nEND\nEND", 14,
       "'REPEAT' cannot be repeated; write RUN, EXPECT, COPY or END"},
      {p + "REPEAT 2\nRUN p 1 1 1", 14, "REPEAT has no END; add one"},

      {p + "EXPECT x IDX 0 EQ 1", 13, "there is no buffer x; declare it before it is used"},
      {p + "EXPECT a EQ 1", 13,
       "'EQ' is not a comparison; write IDX, EQ_BUFFER, RMSE_BUFFER or EQ_HISTOGRAM_EMD_BUFFER"},
      {p + "EXPECT a IDX 0 IS 1", 13, "'IS' is not a comparator; write EQ, NE, LT, LE, GT or GE"},
      {p + "EXPECT a IDX 0 EQ", 13, "EXPECT has no values; write at least one"},
      {p + "EXPECT a IDX 1 EQ 1", 13,
       "IDX 1 is inside an element: IDX counts bytes, and elements of a have 4; write a multiple "
       "of that"},
      {p + "EXPECT a IDX 0 EQ 0.5", 13,
       "'0.5' is not a valid value for the uint32 of a; write a number in its range"},
      {p + "EXPECT a IDX 0 TOLERANCE EQ 1", 13,
       "TOLERANCE with 0 values; write 1 to 4 numbers, with or without %"},
      {p + "EXPECT a IDX 0 TOLERANCE 1 2 3 4 5 EQ 1", 13,
       "TOLERANCE with 5 values; write 1 to 4 numbers, with or without %"},
      {p + "EXPECT a IDX 0 TOLERANCE 1 GT 1", 13,
       "TOLERANCE with GT, but only EQ accepts one; remove it"},
      {p + "EXPECT a IDX 0 SIZE 1 1 EQ_RGB 0 0 0", 13,
       "SIZE after one number of IDX; write column and row of the first pixel"},
      {p + "EXPECT a IDX 0 0 SIZE 1 1 EQ_RGB 0 0 0", 13,
       "a has no pixels; compare values with EXPECT a IDX BYTE EQ"},
      {p + "EXPECT a IDX 0 0 EQ 1", 13,
       "'EQ' where EXPECT with two numbers after IDX expects SIZE; write SIZE"},
      {"IMAGE i FORMAT R8_UINT DIM_2D WIDTH 2 HEIGHT 2\nEXPECT i IDX 1 0 SIZE 2 2 EQ_RGB 0 0 0", 3,
       "the rectangle extends beyond i, which has 2 x 2 pixels; make it smaller"},
      {"IMAGE i FORMAT R8_UINT DIM_2D WIDTH 2 HEIGHT 2\nEXPECT i IDX 0 0 SIZE 2 2 EQ_RGB 0 256 0",
       3, "the colour 256 is above 255; write 0 to 255"},
      {"IMAGE i FORMAT R8_UINT DIM_2D WIDTH 2 HEIGHT 2\nEXPECT i IDX 0 0 SIZE 2 2 EQ 0 1 0", 3,
       "'EQ' does not compare pixels; write EQ_RGB or EQ_RGBA"},
      {p + "BUFFER c DATA_TYPE int32 SIZE 4 FILL 0\nEXPECT a EQ_BUFFER c", 14,
       "EXPECT of a and c, which differ in type or size; compare buffers of the same type and "
       "size"},
      {p + "EXPECT a RMSE_BUFFER b", 13,
       "'end of line' where RMSE_BUFFER expects TOLERANCE; write TOLERANCE"},
      {p + "EXPECT a EQ_HISTOGRAM_EMD_BUFFER b TOLERANCE 1", 13,
       "EQ_HISTOGRAM_EMD_BUFFER compares four 8-bit channels; use RMSE_BUFFER for other formats"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    try {
      parsed(c.text);
      FAIL_CHECK("is accepted");
    } catch (const ScriptError& error) {
      CHECK(error.what() == c.message);
      CHECK(error.line == c.line);
    }
  }
  for (const char* text : {"", "#amber\n", "RUN p 1 1 1\n"}) {
    CHECK_THROWS_WITH(parse(text),
                      "the first line is not #!amber, which starts every Amber script; add it");
  }
}

TEST_CASE("every beginning and every gap of a script is accepted or explained") {
  const std::string text =
      "#!amber\n" +
      in_pipeline(
          "ATTACH s SPECIALIZE 1 AS uint32 7\nSUBGROUP s\nREQUIRED_SIZE MAX\nEND\n"
          "BIND BUFFER_ARRAY a b AS storage_dynamic DESCRIPTOR_SET 1 BINDING 2 OFFSET 0 4") +
      "STRUCT t STRIDE 16\n float x OFFSET 4\nEND\nBUFFER c DATA_TYPE t STD140 DATA 1 2 3 END\n"
      "IMAGE i FORMAT R8G8B8A8_UNORM DIM_2D WIDTH 2 HEIGHT 2 FILL 1\n"
      "REPEAT 2\nRUN TIMED_EXECUTION p 1 1 1\nEND\nEXPECT a IDX 0 TOLERANCE 1% 2 EQ 1 2\n"
      "EXPECT i IDX 0 0 SIZE 2 2 EQ_RGBA 1 1 1 1 TOLERANCE 1\nEXPECT a RMSE_BUFFER b TOLERANCE 1\n";
  int accepted = 0, explained = 0;
  const auto attempt = [&](const std::string& part) {
    try {
      parse(part);
      ++accepted;
    } catch (const ScriptError& error) {
      ++explained;
      REQUIRE(error.line >= 1);
      REQUIRE(error.what()[0] != '\0');
    }
  };
  for (std::size_t at = 0; at <= text.size(); ++at) {
    attempt(text.substr(0, at));
    for (const std::size_t length : {1U, 5U, 30U})
      if (at + length <= text.size()) attempt(text.substr(0, at) + text.substr(at + length));
    for (const char c : {'\n', ' ', '"', '\\', '\0', '9', '-', '%', '\xff'}) {
      std::string changed = text;
      if (at < text.size()) changed[at] = c;
      attempt(changed);
    }
  }
  CHECK(accepted > 100);
  CHECK(explained > 1000);
}
