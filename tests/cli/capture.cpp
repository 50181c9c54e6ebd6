#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_fixture.hpp"
#include "io/npy.hpp"

/// \file
/// `lockstep capture` on the machine's first Vulkan device, if there is one.

namespace {

const std::string four_groups = "--groups 4 --buffer 0=iota:u32:256 --buffer 1=zeros:u32:256 ";

struct CaptureFixture : RunFixture {
  Outcome capture(const std::string& arguments, const std::string& before = "") const {
    return run_program("capture " + expanded(arguments), before);
  }
  void capture_refused(const std::string& arguments, const std::string& line) const {
    check_error("capture " + expanded(arguments), 2, expanded(line));
  }
  /// Whether there is a device; says so if not.
  bool has_device() const {
    const Outcome list = capture("--list");
    if (list.exit_code == 0) return true;
    CHECK(list.exit_code == 2);
    WARN("no Vulkan device: nothing is captured: " << list.err);
    return false;
  }
};

}  // namespace

TEST_CASE_METHOD(CaptureFixture, "a captured scan has the sums of the device's subgroups") {
  if (!has_device()) return;
  const Outcome done = capture("@scan.comp " + four_groups + "-o @captured --name sums");
  INFO(done.out << done.err);
  REQUIRE(done.exit_code == 0);
  CHECK(done.out == expanded("@captured/sums\n"));
  const auto job = nlohmann::json::parse(contents_of(directory / "captured/sums/job.json"));
  const auto size = job.at("subgroup_size").get<std::size_t>();
  const auto device = nlohmann::json::parse(contents_of(directory / "captured/sums/device.json"));
  CHECK(device.at("subgroup").at("max_size") >= size);
  const auto got = lockstep::npy::read<std::uint32_t>(directory / "captured/sums/0_1.output.npy");
  CHECK(got == sums(256, size));

  const Outcome fine = run_program("check " + expanded("@captured"));
  INFO(fine.out << fine.err);
  CHECK(fine.exit_code == 0);
  CHECK(contains(fine.out, expanded("right      @captured/sums  (")));
  // The folder is a shader with its inputs, too.
  const Outcome again = run("@captured/sums --against 1=@captured/sums/0_1.output.npy");
  INFO(again.out << again.err);
  CHECK(again.exit_code == 0);
  CHECK(contains(again.out, "buffer 1 (result): 256 elements agree with "));
  refused("@captured/sums --groups 2",
          "--groups is for shaders, not for jobs, which set it themselves; remove it");
  // A job runs again on a device.
  CHECK(capture("@captured/sums -o @second").exit_code == 0);
  CHECK(lockstep::npy::read<std::uint32_t>(directory / "second/sums/0_1.output.npy") == got);
}

TEST_CASE_METHOD(CaptureFixture, "lanes are captured where subgroups start with each row") {
  if (!has_device()) return;
  write(directory / "rows.comp",
        "#version 450\n#extension GL_KHR_shader_subgroup_arithmetic : enable\n"
        "layout(local_size_x = 6, local_size_y = 4) in;\n"
        "layout(binding = 0) buffer B { uint least[]; };\n"
        "void main() { least[gl_LocalInvocationIndex] = subgroupMin(gl_LocalInvocationIndex); }\n");
  REQUIRE(capture("@rows.comp --groups 1 --buffer 0=zeros:u32:24 -o @captured").exit_code == 0);
  const Outcome fine = run_program("check " + expanded("@captured/rows"));
  INFO(fine.out << fine.err);
  CHECK(fine.exit_code == 0);
  CHECK(contains(fine.out, "24 equal"));
}

TEST_CASE_METHOD(CaptureFixture, "scripts become a job for each dispatch") {
  write(
      directory / "twice.amber",
      "#!amber\nSHADER compute s GLSL\n#version 450\nlayout(local_size_x = 4) in;\n"
      "layout(binding = 0) buffer B { uint b[]; };\n"
      "void main() { b[gl_GlobalInvocationID.x] += 2; }\nEND\n"
      "BUFFER b DATA_TYPE uint32 SIZE 4 FILL 5\n"
      "PIPELINE compute p\n  ATTACH s\n  BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n"
      "RUN p 1 1 1\nRUN p 1 1 1\n");
  const Outcome done = capture("@twice.amber --prepare -o @jobs");
  INFO(done.out << done.err);
  REQUIRE(done.exit_code == 0);
  CHECK(done.out == expanded("@jobs/twice.1\n@jobs/twice.2\n"));
  using lockstep::npy::read;
  CHECK(read<std::uint32_t>(directory / "jobs/twice.1/0_0.input.npy") ==
        std::vector<std::uint32_t>(4, 5));
  CHECK(read<std::uint32_t>(directory / "jobs/twice.2/0_0.input.npy") ==
        std::vector<std::uint32_t>(4, 7));
  check_error("check " + expanded("@scan.comp"), 2,
              expanded("@scan.comp: is not a job, nor a folder of jobs"));
  const Outcome none = run_program("check " + expanded("@jobs"));
  CHECK(none.exit_code == 2);
  CHECK(contains(none.out, "twice.1: has no results: it was prepared, but not captured"));
}

TEST_CASE_METHOD(CaptureFixture, "sampled images and samplers are captured and judged") {
  const std::string head =
      "#version 460\nlayout(local_size_x = 8, local_size_y = 8) in;\n"
      "layout(binding = 2) writeonly buffer Out { vec4 r[]; };\n"
      "layout(binding = 3) readonly buffer At { vec2 at[]; };\n";
  const std::string body =
      "void main() {\n  uint i = gl_LocalInvocationIndex;\n  r[i] = textureLod(IMAGE, at[i], "
      "0.0);\n}\n";
  write(directory / "one.comp",
        head + "layout(binding = 0) uniform sampler2D s;\n#define IMAGE s\n" + body);
  write(directory / "two.comp", head +
                                    "layout(binding = 0) uniform texture2D t;\nlayout(binding = 1) "
                                    "uniform sampler p;\n#define IMAGE sampler2D(t, p)\n" +
                                    body);
  if (!has_device()) return;
  const std::string common =
      " --groups 1 --image 0=rgba32f:4x8:random:f32:128:1 --buffer 2=zeros:f32:256 "
      "--buffer 3=random:f32:128:2:-0.5:1.5 -o @taken ";
  for (const std::string words :
       {"linear,repeat", "linear,clamp_to_edge", "nearest,mirrored_repeat",
        "linear,clamp_to_border,opaque_white"}) {
    for (const std::string shader : {"one", "two"}) {
      const std::string slot = shader == "one" ? "0" : "1";
      const Outcome done = capture("@" + shader + ".comp --name " + shader + " --sampler " + slot +
                                   "=" + words + common);
      INFO(words << "\n" << done.out << done.err);
      REQUIRE(done.exit_code == 0);
      const auto job =
          nlohmann::json::parse(contents_of(directory / ("taken/" + shader + "/job.json")));
      bool has_words = false;
      for (const auto& binding : job.at("bindings"))
        has_words = has_words || binding.value("sampler", "") == words;
      CHECK(has_words);
      const Outcome checked = run_program("check --json " + expanded("@taken/" + shader));
      INFO(checked.out);
      CHECK(checked.exit_code == 0);
      const auto counts =
          nlohmann::json::parse(checked.out).at("jobs").at(0).at("buffers").at(0).at("counts");
      CHECK(counts.at("equal").get<int>() + counts.at("allowed").get<int>() == 256);
      // A texel's place is known to a sixteenth: twice the number is none of those.
      const auto file = directory / ("taken/" + shader + "/0_2.output.npy");
      auto got = lockstep::npy::read<float>(file);
      got[9] = 2 * got[9] + 4;
      lockstep::npy::write<float>(file, got);
      CHECK(run_program("check " + expanded("@taken/" + shader)).exit_code == 1);
    }
    std::filesystem::remove_all(directory / "taken");
  }
  const Outcome mirrors =
      capture("@one.comp --name c --sampler 0=linear,mirror_clamp_to_edge" + common);
  INFO(mirrors.err);
  CHECK(mirrors.exit_code == 0);
  CHECK(run_program("check --strict " + expanded("@taken/c")).exit_code == 0);
}

TEST_CASE_METHOD(CaptureFixture, "levels, cubes, layers and comparisons are captured and judged") {
  struct Case {
    std::string name, type, call, image, words;
    int texels;  // numbers of the image
  };
  const Case cases[] = {
      {"levels", "sampler2D", "textureLod(s, p.xy, 3.0 * p.w)", "rgba32f:8x8,levels=4",
       "linear,mipmap_linear", 340},
      {"line", "sampler1D", "textureLod(s, p.x, 0.0)", "rgba32f:8", "linear", 32},
      {"lines", "sampler1DArray", "textureLod(s, p.xy, 0.0)", "rgba32f:8x3", "linear", 96},
      {"layers", "sampler2DArray", "textureLod(s, p.xyz, 0.0)", "rgba32f:4x4x3", "nearest", 192},
      {"volume", "sampler3D", "textureLod(s, p.xyz, p.w)", "rgba32f:4x4x4,levels=3",
       "linear,mipmap_linear", 292},
      {"cube", "samplerCube", "textureLod(s, p.xyz - 0.5, 0.0)", "rgba32f:4x4x6", "linear", 384},
      {"cubes", "samplerCubeArray", "textureLod(s, p, 0.0)", "rgba32f:2x2x12", "nearest", 192},
      {"shadow", "sampler2DShadow", "texture(s, p.xyw)", "r32f:8x8", "nearest,less", 64},
      {"gather", "sampler2DArray", "textureGather(s, p.xyz, 2)", "rgba32f:4x4x3", "linear", 192},
  };
  for (const Case& one : cases) {
    write(directory / (one.name + ".comp"),
          "#version 460\nlayout(local_size_x = 64) in;\nlayout(binding = 0) uniform " + one.type +
              " s;\nlayout(binding = 1) readonly buffer At { vec4 at[]; };\n"
              "layout(binding = 2) writeonly buffer Out { vec4 r[]; };\nvoid main() {\n"
              "  uint i = gl_LocalInvocationIndex;\n  vec4 p = at[i];\n  r[i] = vec4(" +
              one.call + ");\n}\n");
    if (!has_device()) return;
    INFO(one.name);
    const Outcome done =
        capture("@" + one.name + ".comp --groups 1 --sampler 0=" + one.words +
                " --image 0=" + one.image + ":random:f32:" + std::to_string(one.texels) +
                ":1:0:1 --buffer 1=random:f32:256:2:0:1 --buffer 2=zeros:f32:256 -o @taken");
    INFO(done.out << done.err);
    REQUIRE(done.exit_code == 0);
    const Outcome checked = run_program("check --strict " + expanded("@taken/" + one.name));
    INFO(checked.out << checked.err);
    CHECK(checked.exit_code == 0);
    // Another texel of this image is none that the device may read there.
    const auto file = directory / ("taken/" + one.name + "/0_2.output.npy");
    auto got = lockstep::npy::read<float>(file);
    got[8] += 0.75f;
    lockstep::npy::write<float>(file, got);
    CHECK(run_program("check " + expanded("@taken/" + one.name)).exit_code == 1);
  }
  const std::string inputs = " --buffer 1=random:f32:256:2:0:1 --buffer 2=zeros:f32:256 -o @taken";
  capture_refused(
      "@shadow.comp --groups 1 --sampler 0=nearest,less --image 0=rgba32f:4x4:zeros" + inputs,
      "binding 0:0 (s): a depth-compare image must be r32f or r16, not rgba32f; use one of these "
      "formats");
  capture_refused(
      "@shadow.comp --groups 1 --sampler 0=nearest,less --image 0=r32f:4x4:fill:f32:16:2.5" +
          inputs,
      "binding 0:0 (s): texels of a depth-compare image must be from 0 to 1, but texel 0 is 2.5; "
      "scale them");
  capture_refused(
      "@cube.comp --groups 1 --sampler 0=nearest --image 0=rgba32f:4x2x6:zeros" + inputs,
      "binding 0:0 (s): a cube has six square faces, not 6 of 4 x 2; give "
      "FORMAT:NxNx6");
}

TEST_CASE_METHOD(CaptureFixture, "arrays of bindings are captured, each element or none") {
  write(directory / "array.comp",
        "#version 460\nlayout(local_size_x = 8) in;\n"
        "layout(binding = 0) readonly buffer In { uint x[]; } from[2];\n"
        "layout(binding = 1) writeonly buffer Out { uint r[]; };\nvoid main() {\n"
        "  uint i = gl_LocalInvocationIndex;\n  r[i] = 10u * from[0].x[i] + from[1].x[i];\n}\n");
  if (!has_device()) return;
  const std::string common = "@array.comp --groups 1 --buffer 1=zeros:u32:8 -o @taken ";
  const Outcome done = capture(common + "--buffer 0[0]=iota:u32:8 --buffer 0[1]=fill:u32:8:7");
  INFO(done.out << done.err);
  REQUIRE(done.exit_code == 0);
  const auto got = lockstep::npy::read<std::uint32_t>(directory / "taken/array/0_1.output.npy");
  REQUIRE(got.size() == 8);
  for (std::uint32_t i = 0; i < 8; ++i) CHECK(got[i] == 10 * i + 7);
  CHECK(run_program("check " + expanded("@taken/array")).exit_code == 0);
  const Outcome one = capture(common + "--buffer 0[0]=iota:u32:8");
  CHECK(one.exit_code == 2);
  CHECK(contains(one.err, "is an array of 2, but 1 are given; give one for each element"));
}

TEST_CASE_METHOD(CaptureFixture, "what cannot be captured is named") {
  capture_refused("-o @x", "no shader, script or job is named; name one, or give --list");
  capture_refused("@scan.comp " + four_groups, "-o is missing; name a folder for the jobs");
  capture_refused("@letter.txt -o @x", "@letter.txt: is not a shader, .amber script or job");
  capture_refused(
      "@scan.comp @scan.comp " + four_groups + "-o @x",
      "--groups is for shaders, not for a script or a job, which sets it itself; remove it");
  const Outcome none = capture("--list", "VK_ICD_FILENAMES=/dev/null VK_DRIVER_FILES=/dev/null");
  CHECK(none.exit_code == 2);
  CHECK(contains(none.err, "lockstep: "));
  CHECK(none.out.empty());
  if (!has_device()) return;
  const Outcome far = capture("@scan.comp " + four_groups + "--device-index 77 -o @x");
  CHECK(far.exit_code == 2);
  CHECK(contains(far.err, "there is no Vulkan device 77; there are "));
  CHECK_FALSE(std::filesystem::exists(directory / "x"));
  const Outcome size = capture("@scan.comp " + four_groups + "--subgroup-size 3 -o @x");
  CHECK(size.exit_code == 2);
  CHECK((contains(size.err, "not 3; give a power of two in that range") ||
         contains(size.err, "not 3; remove --subgroup-size")));
  write(directory / "samples.comp",
        "#version 450\nlayout(local_size_x = 4) in;\nlayout(binding = 0) buffer B { uint x[]; };\n"
        "layout(binding = 1, r32ui) uniform readonly uimage2DMS image;\n"
        "void main() { x[gl_LocalInvocationIndex] = imageLoad(image, ivec2(0), 1).x; }\n");
  const Outcome samples = capture(
      "@samples.comp --groups 1 --buffer 0=zeros:u32:4 --image "
      "1=r32ui:4x4,samples=2:zeros -o @x");
  INFO(samples.err);
  CHECK(samples.exit_code == 2);
  CHECK(contains(samples.err,
                 "binding 0:1 (image): images of type uimage2DMS cannot be captured; use a storage "
                 "buffer, or an image with one sample"));
}

TEST_CASE_METHOD(CaptureFixture, "a float control that the device lacks is named") {
  // Each device can do this to 32-bit floats, or says that it cannot.
  write(directory / "mode.comp",
        "#version 450\n#extension GL_EXT_spirv_intrinsics : enable\n"
        "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [4464], "
        "4459, 32);\n"
        "layout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { float x[]; };\n"
        "void main() { x[gl_LocalInvocationIndex] *= 0.5; }\n");
  if (!has_device()) return;
  const auto devices = nlohmann::json::parse(capture("--list --json").out);
  const bool has = devices.at(0).at("float_controls").at("shaderDenormPreserveFloat32");
  const Outcome done = capture("@mode.comp --groups 1 --buffer 0=zeros:f32:8 -o @captured");
  INFO(done.out << done.err);
  CHECK(done.exit_code == (has ? 0 : 2));
  if (!has)
    CHECK(
        contains(done.err, expanded(" lacks shaderDenormPreserveFloat32, which @mode.comp needs")));
}
