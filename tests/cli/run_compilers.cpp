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
      " --groups 1 --subgroup-size 4 --buffer 0=iota:u32:64 --buffer 1=zeros:u32:64";
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
