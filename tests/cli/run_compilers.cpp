#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cli/run_fixture.hpp"

/// \file
/// HLSL, other compilers, and modules that the validator does not know.

namespace {

const std::string scan_in_hlsl =
    "RWStructuredBuffer<uint> source : register(u0);\n"
    "RWStructuredBuffer<uint> result : register(u1);\n"
    "[numthreads(64, 1, 1)] void scan(uint3 id : SV_DispatchThreadID) {\n"
    "  result[id.x] = WavePrefixSum(source[id.x]);\n}\n";

}  // namespace

TEST_CASE_METHOD(RunFixture, "HLSL runs from its entry point, with WavePrefixSum as HLSL has it") {
  write(directory / "scan.hlsl", scan_in_hlsl);
  const std::string rest =
      " --groups 1 --subgroup-size 4 --buffer u0=iota:u32:64 --buffer u1=zeros:u32:64";
  for (const std::string how : {"", " --compiler glslangValidator"}) {
    const Outcome outcome = run("@scan.hlsl --entry scan" + how + rest);
    INFO(how << outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, ": 0 0 1 3 0 4 9 15 ..."));
  }
  // The only function with [numthreads] need not be named.
  CHECK(contains(run("@scan.hlsl" + rest).out, ": 0 0 1 3 0 4 9 15 ..."));
  write(directory / "two.hlsl",
        scan_in_hlsl + "[numthreads(1, 1, 1)] [shader(\"compute\")] void more() {}\n");
  refused(
      "@two.hlsl" + rest,
      "@two.hlsl: has no entry point 'main'; functions with [numthreads] are scan, more: name one "
      "of them (--entry)");
  CHECK(run("@two.hlsl --entry scan" + rest).exit_code == 0);
  write(directory / "either.hlsl",
        "RWStructuredBuffer<uint> o : register(u0);\n"
        "[numthreads(1, 1, 1)] void first() { o[0] = 1; }\n[numthreads(1, 1, 1)]\n"
        "#ifdef OTHER\nvoid other() {}\n#else\nvoid second() { o[0] = 2; }\n#endif\n");
  refused("@either.hlsl --groups 1 --buffer u0=zeros:u32:1",
          "@either.hlsl: has no entry point 'main'; functions with [numthreads] are first, other: "
          "name one of them (--entry)");
  CHECK(contains(run("@either.hlsl --entry second --groups 1 --buffer u0=zeros:u32:1").out,
                 "2 to 2: 2\n"));
  write(directory / "none.hlsl", "void main2() {}\n");
  refused("@none.hlsl --groups 1",
          "@none.hlsl: has no entry point 'main'; name its entry point (--entry)");
  write(directory / "rays.hlsl",
        "[numthreads(1, 1, 1)] void main() { RayQuery<RAY_FLAG_NONE> q; }\n");
  const Outcome rays = run("@rays.hlsl --groups 1");
  CHECK(rays.exit_code == 2);
  CHECK_THAT(rays.err, Catch::StartsWith(expanded("lockstep: @rays.hlsl:1: ")));
}

TEST_CASE_METHOD(RunFixture, "another compiler compiles what run is given") {
  const Outcome outcome =
      run("@scan.comp --compiler glslangValidator --groups 1 --subgroup-size 4 --buffer "
          "0=iota:u32:64 --buffer 1=zeros:u32:64");
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, ": 0 1 3 6 4 9 15 22 ..."));
  refused("@scan.comp --groups 1 --compiler @glslc",
          "@glslc: cannot be run: No such file or directory");
}

TEST_CASE_METHOD(RunFixture, "modules that are newer than the validator run without it") {
  write(directory / "new.spvasm",
        "OpCapability Shader\nOpCapability !6912\nOpMemoryModel Logical GLSL450\n"
        "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
        "%void = OpTypeVoid\n%type = OpTypeFunction %void\n%main = OpFunction %void None %type\n"
        "%entry = OpLabel\nOpReturn\nOpFunctionEnd\n");
  const Outcome checked = run("@new.spvasm --groups 1");
  CHECK(checked.exit_code == 2);
  CHECK_THAT(checked.err, Catch::Contains("is not valid: Invalid capability operand: 6912") &&
                              Catch::EndsWith("; --no-validate runs modules that are newer than "
                                              "the validator\n"));
  CHECK(run("@new.spvasm --groups 1 --no-validate").exit_code == 0);
}

TEST_CASE_METHOD(RunFixture, "run says once that the validator takes long, and how to skip it") {
  // A function that is never called, with selections around loops.
  std::string text =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
      "OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%bool = OpTypeBool\n"
      "%true = OpConstantTrue %bool\n%type = OpTypeFunction %void\n"
      "%main = OpFunction %void None %type\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"
      "%unused = OpFunction %void None %type\n%start = OpLabel\n";
  const auto block = [&](int k) {
    for (const char c : std::string_view("OpSelectionMerge %m None\n"
                                         "OpBranchConditional %true %t %m\n"
                                         "%t = OpLabel\nOpBranch %h\n%h = OpLabel\n"
                                         "OpLoopMerge %x %c None\n"
                                         "OpBranchConditional %true %c %x\n"
                                         "%c = OpLabel\nOpBranch %h\n%x = OpLabel\nOpBranch %m\n"
                                         "%m = OpLabel\n")) {
      const bool ends = (c == ' ' || c == '\n') && text.size() > 1 && text[text.size() - 2] == '%';
      if (ends) text += std::to_string(k);
      text += c;
    }
  };
  const std::string said = "large.spvasm: SPIRV-Tools' validator took ";
  // A module for which this machine takes that long: its time grows with the square of the blocks.
  Outcome first;
  for (int blocks = 0, wanted = 6000; wanted <= 48000 && !contains(first.err, said); wanted *= 2) {
    for (; blocks < wanted; ++blocks) block(blocks);
    write(directory / "large.spvasm", text + "OpReturn\nOpFunctionEnd\n");
    const Outcome skipped = run("@large.spvasm --groups 1 --no-validate");
    CHECK(skipped.exit_code == 0);
    CHECK(!contains(skipped.err, said));
    first = run("@large.spvasm --groups 1");
    CHECK(first.exit_code == 0);
  }
  CHECK_THAT(first.err, Catch::Contains(said) && Catch::Contains("; --no-validate skips it\n"));
  CHECK(!contains(run("@large.spvasm --groups 1").err, said));
}

TEST_CASE_METHOD(RunFixture, "a script's shader that is too large for the compiler is an error") {
  std::string deep =
      "#!amber\nSHADER compute s GLSL\n#version 450\nlayout(binding = 0) buffer B { int d; };\n"
      "void main() { d = ";
  for (int k = 0; k < 3000000; ++k) deep += "-(";
  deep += "1" + std::string(3000000, ')') +
          "; }\nEND\nBUFFER b DATA_TYPE int32 SIZE 1 FILL 0\n"
          "PIPELINE compute p\nATTACH s\nBIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n"
          "RUN p 1 1 1\n";
  write(directory / "deep.amber", deep);
  const Outcome outcome = run("@deep.amber");
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err + outcome.out, "PIPELINE p: "));
}

TEST_CASE_METHOD(RunFixture, "buffers of HLSL are named by their registers") {
  write(directory / "twice.hlsl",
        "StructuredBuffer<uint> src : register(t0);\n"
        "RWStructuredBuffer<uint> dst : register(u0);\n"
        "RWStructuredBuffer<uint> far : register(u0, space2);\n"
        "[numthreads(4,1,1)] void main(uint3 i : SV_DispatchThreadID) {\n"
        "  dst[i.x] = src[i.x] * 2;\n  far[i.x] = 7;\n}\n");
  const std::string groups = "@twice.hlsl --groups 1 ";
  for (const std::string names :
       {"--buffer t0=iota:u32:4 --buffer u0=zeros:u32:4 --buffer 2:u0=zeros:u32:4",
        "--buffer src=iota:u32:4 --buffer dst=zeros:u32:4 --buffer far=zeros:u32:4",
        "--buffer 1000=iota:u32:4 --buffer 3000=zeros:u32:4 --buffer 2:3000=zeros:u32:4",
        "--shift t=1,u=2 --buffer 1=iota:u32:4 --buffer 2=zeros:u32:4 --buffer 2:u0=zeros:u32:4"}) {
    const Outcome outcome = run(groups + names);
    INFO(names << outcome.err << outcome.out);
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "(dst): u32 x 4, 0 to 6: 0 2 4 6"));
    CHECK(contains(outcome.out, "(far): u32 x 4, 7 to 7: 7 7 7 7"));
  }
  const Outcome inspected = run_program("inspect " + expanded("@twice.hlsl"));
  CHECK(contains(inspected.out, "buffer 1000 (src, t0), read-only"));
  CHECK(contains(inspected.out, "buffer 2:3000 (far, u0)"));
  CHECK(contains(inspected.out,
                 "--buffer t0=zeros:u32:1024 --buffer u0=zeros:u32:1024 --buffer "
                 "2:u0=zeros:u32:1024"));
  for (const std::string shift : {"t", "x=1", "t=", "t=-1", "t=1;u=2", "t=4294967296", "=1"})
    refused(groups + "--shift '" + shift + "'",
            "--shift '" + shift + "': write b=N, t=N, s=N and u=N, separated by commas");
}

TEST_CASE_METHOD(RunFixture, "a buffer of a name that nothing has is an error") {
  refused(
      "@scan.comp --groups 1 --buffer 0=iota:u32:64 --buffer 1=zeros:u32:64 --buffer "
      "BB=zeros:u32:4",
      "--buffer BB: the shader has no buffer of that name, and no --address or addr: refers to "
      "memory BB; it has 0 (source), 1 (result)");
}

TEST_CASE_METHOD(RunFixture, "generated numbers are of the buffer's type") {
  const std::string rest = "@scan.comp --groups 1 --buffer 1=zeros:f32:64 --buffer 0=";
  for (const std::string wrong :
       {"iota:f32:64", "fill:f32:64:1.5", "random:u16:128:1", "fill:u64:32:1"}) {
    const Outcome outcome = run(rest + wrong);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, "--buffer 0=" + wrong + ": generates "));
    CHECK(contains(outcome.err, "name its type, or give --bits to copy the bytes"));
    CHECK(run(rest + wrong + " --bits").exit_code == 0);
  }
  for (const std::string right : {"iota:i32:64", "zeros:f64:32", "random:u32:64:3"})
    CHECK(run(rest + right).exit_code == 0);
}

TEST_CASE_METHOD(RunFixture, "push constants of another type than the shader's are errors") {
  write(directory / "push.comp",
        "#version 450\nlayout(push_constant) uniform P { uint count; float scale; uint more[2]; } "
        "p;\n"
        "layout(binding = 0) buffer O { float o[]; };\n"
        "void main() { o[0] = float(p.count) * p.scale + float(p.more[1]); }\n");
  const std::string rest = "@push.comp --groups 1 --buffer 0=zeros:f32:1 --push ";
  CHECK(contains(run(rest + "'u32:3 f32:1.5'").out, ": 4.5"));
  CHECK(contains(run(rest + "'count=3 scale=1.5'").out, ": 4.5"));
  CHECK(contains(run(rest + "'count=3 scale=1.5 more[1]=7'").out, ": 11.5"));
  CHECK(contains(run(rest + "'i32:3 f32:1.5 u32:0'").out, ": 4.5"));
  refused(rest + "'f32:3 f32:1.5'",
          "--push: f32:3 is for count, which is u32; write u32:VALUE, or give --bits to copy its "
          "bytes");
  refused(rest + "'u32:3 f32:1.5 u32:0 f32:2'",
          "--push: f32:2 is for more[1], which is u32; write u32:VALUE, or give --bits to copy its "
          "bytes");
  CHECK(run(rest + "'f32:3 f32:1.5 u32:0 u32:0' --bits").exit_code == 0);
  CHECK(run(rest + "'f32:0 u32:0 u32:0 u32:0'").exit_code == 0);
}

TEST_CASE_METHOD(RunFixture, "what no code uses need not be given") {
  write(directory / "some.comp",
        "#version 450\nlayout(binding = 0) buffer O { uint o[]; };\n"
        "layout(binding = 1) buffer Counter { uint counter; };\n"
        "layout(binding = 2) uniform sampler2D picture;\n"
        "layout(binding = 3, r32ui) uniform uimage2D image;\n"
        "void main() { o[0] = 7u; }\n");
  CHECK(contains(run("@some.comp --groups 1 --buffer 0=zeros:u32:1").out, ": 7"));
  CHECK(run("@some.comp --groups 1 --buffer 0=zeros:u32:1 --buffer 1=zeros:u32:1").exit_code == 0);
  refused("@some.comp --groups 1",
          "buffer 0 (O) has no contents; give --buffer 0=SPEC; it holds uint o[]");
  const Outcome inspected = run_program("inspect " + expanded("@some.comp"));
  CHECK(contains(inspected.out, "buffer 1 (Counter), 4 bytes, unused"));
  CHECK(contains(inspected.out, "--groups 1 --buffer 0=zeros:u32:1024\n"));
}

TEST_CASE_METHOD(RunFixture, "--robust is for shaders that rely on robust accesses") {
  write(directory / "edge.comp",
        "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer O { uint o[]; };\n"
        "layout(binding = 1) buffer I { uint in_[]; };\n"
        "void main() { const uint i = gl_LocalInvocationIndex; o[i] = 5u + in_[i + 2u]; }\n");
  const std::string four = "@edge.comp --groups 1 --buffer 0=zeros:u32:4 --buffer 1=fill:u32:4:1 ";
  CHECK(run(four).exit_code == 1);
  for (const std::string how : {"--robust", "--robust --check"}) {
    const Outcome outcome = run(four + how + " --subgroup-size 8");
    INFO(outcome.out << outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, ": 6 6 5 5"));
  }
}

TEST_CASE_METHOD(RunFixture, "GLSL of OpenGL has plain uniforms and needs no bindings") {
  write(directory / "gl.comp",
        "#version 430\nlayout(local_size_x = 4) in;\nuniform uint count;\nuniform float scale;\n"
        "uniform vec3 way[2];\nbuffer A { float a[]; };\nbuffer B { float b[]; };\n"
        "void main() { const uint i = gl_GlobalInvocationID.x;\n"
        "  if (i < count) b[i] = a[i] * scale + way[1].y; }\n");
  const std::string buffers = "--groups 1 --buffer A=iota:f32:4 --buffer B=zeros:f32:4 ";
  const Outcome vulkan = run("@gl.comp " + buffers);
  CHECK(vulkan.exit_code == 2);
  CHECK(contains(vulkan.err, "; --target-env opengl takes OpenGL's GLSL\n"));
  const std::string opengl = "@gl.comp --target-env opengl " + buffers;
  for (const std::string how : {"", "--compiler glslangValidator "}) {
    CHECK(contains(run(opengl + how).out, "(B): f32 x 4, 0 to 0: 0 0 0 0"));
    const Outcome outcome =
        run(opengl + how + "--uniform count=3 --uniform scale=2 --uniform 'way[1]=0,0.5,0'");
    INFO(outcome.out << outcome.err);
    CHECK(contains(outcome.out, "(B): f32 x 4, 0 to 4.5: 0.5 2.5 4.5 0"));
  }
  const Outcome wrong = run(opengl + "--uniform counts=1");
  CHECK(wrong.exit_code == 2);
  CHECK(contains(wrong.err,
                 "--uniform counts=1: there is no member 'counts'; there are count, scale, "));
  refused(opengl + "--uniform count", "--uniform count: write NAME=VALUE");
  refused(
      scan + "--uniform count=1",
      "--uniform count=1: the shader has no plain uniforms, which only --target-env opengl has");
}

TEST_CASE_METHOD(RunFixture,
                 "a compiler that crashes is not taken for a shader that nests too deep") {
  // glslang 12 does on buffers that are parameters.
  write(directory / "crash.hlsl",
        "RWStructuredBuffer<uint> o : register(u0);\n"
        "void put(RWStructuredBuffer<uint> b) { b[0] = 1; }\n"
        "[numthreads(1,1,1)] void main() { put(o); }\n");
  const Outcome outcome = run("@crash.hlsl --groups 1 --buffer u0=zeros:u32:1");
  INFO(outcome.err);
  if (outcome.exit_code == 0) return;  // a later glslang
  CHECK(outcome.exit_code == 2);
  CHECK_FALSE(contains(outcome.err, "of stack"));
  CHECK_THAT(outcome.err, Catch::StartsWith(expanded("lockstep: @crash.hlsl: ")));
#if !defined(__SANITIZE_ADDRESS__)
  CHECK(contains(outcome.err, "its compiler crashed, which is a bug of that compiler"));
#endif
}
