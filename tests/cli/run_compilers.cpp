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
  refused("@scan.hlsl" + rest,
          "@scan.hlsl: has no entry point 'main'; give the name of the function "
          "that is one (--entry)");
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
    CHECK(contains(outcome.err, "name its type, or give --bits to take the bytes"));
    CHECK(run(rest + wrong + " --bits").exit_code == 0);
  }
  for (const std::string right : {"iota:i32:64", "zeros:f64:32", "random:u32:64:3"})
    CHECK(run(rest + right).exit_code == 0);
}
