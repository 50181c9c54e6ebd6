#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/run_fixture.hpp"
#include "io/npy.hpp"
#include "spirv/assembly.hpp"

TEST_CASE_METHOD(RunFixture, "run saves what a shader writes, at any subgroup size") {
  for (const std::size_t size : {1U, 3U, 8U, 24U, 32U, 64U, 100U, 128U}) {
    const Outcome outcome = run(scan + "--save 1=@out.npy --subgroup-size " + std::to_string(size));
    INFO(size << ": " << outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out.empty());
    CHECK(lockstep::npy::read<std::uint32_t>(directory / "out.npy") == sums(256, size));
  }
}

TEST_CASE_METHOD(RunFixture, "a file's type is kept, a buffer that is not saved is summed up") {
  const std::vector<std::int32_t> values{5, -1, 7, 8};
  lockstep::npy::write<std::int32_t>(directory / "in.npy", values);
  write(directory / "copy.comp",
        "#version 450\nlayout(local_size_x = 4) in;\n"
        "layout(set = 2, binding = 3) buffer B { int data[]; } b;\n"
        "void main() { b.data[gl_GlobalInvocationID.x] *= 2; }\n");
  const Outcome saved = run("@copy.comp --groups 1 --buffer 2:3=@in.npy --save 2:3=@out.npy");
  CHECK(saved.exit_code == 0);
  CHECK(lockstep::npy::read<std::int32_t>(directory / "out.npy") ==
        std::vector<std::int32_t>{10, -2, 14, 16});
  const Outcome summary = run("@copy.comp --groups 1 --buffer 2:3=@in.npy");
  CHECK(summary.exit_code == 0);
  CHECK(contains(summary.out, "buffer 2:3"));
  CHECK(contains(summary.out, ": i32 x 4, -2 to 16: 10 -2 14 16\n"));
}

TEST_CASE_METHOD(RunFixture, "accesses outside a buffer are told, and fail") {
  const Outcome outcome =
      run("@scan.comp --groups 1 --buffer 0=iota:u32:64 --buffer 1=zeros:u32:60");
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.err, "scan.comp:8: error: write to byte 240 of "));
  CHECK(contains(outcome.err,
                 ", which has 240 bytes (workgroup (0, 0, 0), subgroup 1, lanes 28-31, 4 times) "
                 "[out-of-bounds]\n"));
  const auto told = nlohmann::json::parse(
      run("@scan.comp --json --groups 1 --buffer 0=iota:u32:64 --buffer 1=zeros:u32:60").out);
  CHECK(told.at("faults") == 4);
  const auto& finding = told.at("findings").at(0);
  CHECK(finding.at("rule") == "out-of-bounds");
  CHECK(finding.at("line") == 8);
  CHECK(finding.at("lanes") == "28-31");
  CHECK(finding.at("access").at("object").at("binding") == 1);
  CHECK(finding.at("access").at("index") == 240);
}

TEST_CASE_METHOD(RunFixture, "a device has its own subgroup size") {
  const std::pair<const char*, std::uint32_t> devices[] = {
      {"swiftshader_4", 4}, {"lavapipe_8", 8},  {"intel_16", 16},      {"apple_32", 32},
      {"nvidia", 32},       {"amd_wave64", 64}, {"qualcomm_128", 128},
  };
  write(directory / "size.amber",
        "#!amber\nSHADER compute s GLSL\n#version 450\n"
        "#extension GL_KHR_shader_subgroup_basic : enable\nlayout(local_size_x = 128) in;\n"
        "layout(binding = 0) buffer B { uint d; };\nvoid main() { d = gl_SubgroupSize; }\nEND\n"
        "BUFFER b DATA_TYPE uint32 SIZE 1 FILL 0\nPIPELINE compute p\nATTACH s\n"
        "BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 1 1 1\n"
        "EXPECT b IDX 0 EQ 0\n");
  for (const auto& [device, size] : devices) {
    const Outcome outcome = run(scan + "--save 1=@out.npy --device " + device);
    INFO(device << ": " << outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(lockstep::npy::read<std::uint32_t>(directory / "out.npy") == sums(256, size));
    const Outcome script = run(std::string("@size.amber --device ") + device);
    CHECK(contains(script.out, "expected 0, got " + std::to_string(size) + "\n"));
  }
}

TEST_CASE_METHOD(RunFixture, "what a device lacks is refused by name before anything runs") {
  write(directory / "double.comp",
        "#version 450\nlayout(local_size_x = 8) in;\n"
        "layout(binding = 0) buffer B { double d[]; };\n"
        "void main() { d[gl_GlobalInvocationID.x] *= 2.0lf; }\n");
  const std::string doubles =
      "@double.comp --groups 1 --buffer 0=iota:f64:8 --save 0=@out.npy --device ";
  refused(doubles + "intel_16",
          "kernel @double.comp needs shaderFloat64, which profile intel_16 lacks: use another "
          "profile, or write the kernel differently");
  CHECK_FALSE(std::filesystem::exists(directory / "out.npy"));
  CHECK(run(doubles + "nvidia").exit_code == 0);
  CHECK(lockstep::npy::read<double>(directory / "out.npy") ==
        std::vector<double>{0, 2, 4, 6, 8, 10, 12, 14});

  write(directory / "clusters.comp",
        "#version 450\n#extension GL_KHR_shader_subgroup_clustered : enable\n"
        "layout(local_size_x = 512) in;\nlayout(binding = 0) buffer B { uint d[]; };\n"
        "void main() { d[gl_GlobalInvocationID.x] = subgroupClusteredAdd(1u, 4u); }\n");
  const std::string clusters = "@clusters.comp --groups 1 --buffer 0=zeros:u32:512 --device ";
  refused(clusters + "apple_32",
          "kernel @clusters.comp needs VK_SUBGROUP_FEATURE_CLUSTERED_BIT, which profile apple_32 "
          "lacks: use another profile, or write the kernel differently");
  CHECK(run(clusters + "arm_16").exit_code == 0);
  const Outcome large = run(clusters + "swiftshader_4");
  CHECK(large.exit_code == 2);
  CHECK(contains(large.err,
                 "has 512 invocations in a workgroup, more than profile swiftshader_4 "
                 "allows: maxComputeWorkgroupSubgroups = 64"));

  const auto script = [](const std::string& requirement) {
    return "#!amber\n" + requirement +
           "SHADER compute s GLSL\n#version 450\nlayout(binding = 0) buffer B { double d; };\n"
           "void main() { d = 1.0lf; }\nEND\nBUFFER b DATA_TYPE double SIZE 1 FILL 0\n"
           "PIPELINE compute p\nATTACH s\nBIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\n"
           "END\nRUN p 1 1 1\nEXPECT b IDX 0 EQ 1\n";
  };
  write(directory / "asks.amber", script("DEVICE_FEATURE shaderFloat64\n"));
  write(directory / "takes.amber", script(""));
  CHECK(run("@asks.amber @takes.amber --device nvidia").exit_code == 0);
  const Outcome asks = run("@asks.amber --device intel_16");
  CHECK(asks.exit_code == 3);
  CHECK(contains(asks.out, "the device intel_16 lacks the feature shaderFloat64\n"));
  refused("@takes.amber --device intel_16",
          "@takes.amber:12: PIPELINE p: kernel @takes.amber needs shaderFloat64, which profile "
          "intel_16 lacks: use another profile, or write the kernel differently");
}

TEST_CASE_METHOD(RunFixture, "what a shader prints is printed") {
  write(directory / "print.comp",
        "#version 450\n#extension GL_EXT_debug_printf : enable\nlayout(local_size_x = 3) in;\n"
        "void main() { debugPrintfEXT(\"lane %u\", gl_LocalInvocationID.x); }\n");
  CHECK(run("@print.comp --groups 1").out == "lane 0\nlane 1\nlane 2\n");
}

TEST_CASE_METHOD(RunFixture, "weak rules change what lanes see") {
  write(directory / "merge.comp",
        "#version 450\n#extension GL_KHR_shader_subgroup_ballot : enable\n"
        "layout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; };\n"
        "void main() {\n  uint i = gl_LocalInvocationID.x;\n  if (i < 6u) {\n"
        "    if (i < 2u) data[i] = 100u;\n"
        "    data[i] = subgroupBallotBitCount(subgroupBallot(true));\n  }\n}\n");
  const std::string arguments =
      "@merge.comp --groups 1 --subgroup-size 8 --buffer 0=zeros:u32:8 --convergence core "
      "--choose ";
  CHECK(contains(run(arguments + "rejoin-all").out, ": 6 6 6 6 6 6 0 0\n"));
  CHECK(contains(run(arguments + "rejoin-none").out, ": 2 2 4 4 4 4 0 0\n"));
  CHECK(run(arguments + "random:7").out == run(arguments + "random:7").out);
}

TEST_CASE_METHOD(RunFixture, "wrong usage is refused in one line") {
  refused("", "FILE is required; see lockstep run --help");
  refused("@scan.comp",
          "--groups is missing; give the number of workgroups as X, X,Y or X,Y,Z, or of "
          "invocations with --invocations");
  refused("@scan.comp --groups 1 --invocations 64",
          "--groups and --invocations exclude each other; remove one");
  refused("@scan.comp --invocations 64,0",
          "--invocations '64,0': write X, X,Y or X,Y,Z, the invocations in each dimension from 1");
  refused(
      "@scan.txt --groups 1",
      "@scan.txt: has an unknown file extension; give a .comp, .glsl, .hlsl, .slang, .wgsl, .cl, "
      ".spvasm, .spv or .amber file");
  refused("@scan.comp @scan.comp --groups 1",
          "one shader runs at a time; give one, or several .amber files");
  refused("@scan.comp --groups 0",
          "--groups '0': write X, X,Y or X,Y,Z, the workgroups in each dimension from 1");
  refused("@scan.comp --groups 1 --buffer 0=zeros:u32:64",
          "buffer 1 (result) has no contents; give --buffer 1=SPEC; it holds uint data[]");
  refused(scan + "--buffer 7=zeros:u32:1",
          "--buffer 7: the shader has no such buffer; it has 0 (source), 1 (result)");
  refused(scan + "--buffer 1=zeros:u32:1",
          "--buffer 1 is given 2 times, but the shader accepts at most 1");
  refused("@scan.comp --groups 1 --buffer 0=zeros:u32 --buffer 1=zeros:u32:1",
          "--buffer 0='zeros:u32': write zeros:TYPE:N");
  refused(scan + "--push zeros:u32:1", "--push: the shader has no push constants; remove it");
  refused(scan + "--spec 1",
          "--spec '1': write ID=VALUE or NAME=VALUE, a constant and a number, true or false");
  refused(scan + "-D 1=2", "-D '1=2': write NAME, NAME=VALUE or NAME(PARAMETERS)=VALUE");
  refused(scan + "--device toaster",
          "--device toaster: unknown profile; choose one that lockstep devices lists");
  refused(scan + "--junit @x.xml", "--junit is for Amber scripts; remove it, or use --json");
  CHECK(run(scan + "--subgroup-size 0").exit_code == 2);
  CHECK(run(scan + "--subgroup-size 129").exit_code == 2);
  CHECK(run(scan + "--subgroup-size 8 --device nvidia").exit_code == 2);
  CHECK(run(scan + "--choose sometimes").exit_code == 2);
  CHECK(run(scan + "--save 1=@gone/x.npy").exit_code == 2);
  CHECK(run("@gone.comp --groups 1").exit_code == 2);
}

TEST_CASE_METHOD(RunFixture, "assembly of any version of SPIR-V runs") {
  write(directory / "named.spvasm", lockstep::test::older_module("; SPIR-V\n; Version: 1.0\n"));
  write(directory / "bare.asm.comp", lockstep::test::older_module(""));
  const std::string rest = " --groups 1 --buffer 0=zeros:u32:1";
  for (const std::string file : {"@named.spvasm", "@bare.asm.comp"}) {
    for (const std::string target : {"", " --target-env vulkan1.1", " --target-env spv1.2"}) {
      const Outcome outcome = run(file + rest + target);
      INFO(file << target << outcome.err);
      CHECK(outcome.exit_code == 0);
      CHECK(contains(outcome.out, ": u32 x 1, 7 to 7: 7\n"));
    }
    CHECK(run(file + rest + " --target-env vulkan1.2").exit_code == 2);
  }
  refused("@named.spvasm --target-env spirv7" + rest,
          "'spirv7' is not a target: write vulkan1.0 to vulkan1.3, spv1.0 to spv1.6, or for "
          "GLSL opengl");
}

TEST_CASE_METHOD(RunFixture, "lanes and workgroups run in the order that the user chooses") {
  write(directory / "order.comp",
        "#version 450\n#extension GL_KHR_shader_subgroup_basic : enable\n"
        "layout(local_size_x = 4) in;\nlayout(binding = 0) buffer B { uint next; uint data[]; };\n"
        "layout(binding = 1) buffer L { uint lanes[4]; };\nvoid main() {\n"
        "  if (gl_LocalInvocationID.x == 0u) data[atomicAdd(next, 1u)] = gl_WorkGroupID.x;\n"
        "  lanes[gl_LocalInvocationID.x] = gl_SubgroupInvocationID;\n}\n");
  const std::string command =
      "@order.comp --groups 5 --threads 1 --buffer 0=zeros:u32:6 --buffer 1=zeros:u32:4 ";
  for (const std::string rule : {"", "--convergence core "}) {
    CHECK(contains(run(command + rule).out, ": 5 0 1 2 3 4\n"));
    CHECK(contains(run(command + rule + "--workgroup-order reversed").out, ": 5 4 3 2 1 0\n"));
    const Outcome shuffled = run(command + rule + "--workgroup-order shuffled:2");
    CHECK(shuffled.out == run(command + rule + "--workgroup-order shuffled:2").out);
    CHECK_FALSE(contains(shuffled.out, ": 5 0 1 2 3 4\n"));
    CHECK(contains(run(command + rule + "--subgroup-size 4 --mapping reversed").out,
                   "buffer 1 (L): u32 x 4, 0 to 3: 3 2 1 0\n"));
  }
  refused(command + "--workgroup-order up",
          "--workgroup-order up: write linear, reversed, shuffled:SEED or permutation:NUMBER");
  refused(command + "--mapping shuffled:x",
          "--mapping shuffled:x: write linear, reversed, shuffled:SEED or quads");
}

TEST_CASE_METHOD(RunFixture, "a device runs at the sizes of its range") {
  const Outcome outcome = run(scan + "--device amd_wave64 --subgroup-size 32 --save 1=@out.npy");
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(lockstep::npy::read<std::uint32_t>(directory / "out.npy") == sums(256, 32));
  for (const std::string size : {"16", "24", "128"})
    CHECK(run(scan + "--device amd_wave64 --subgroup-size " + size).exit_code == 2);
}

TEST_CASE_METHOD(RunFixture, "shaders that are too large for the compiler are refused") {
  const std::string start =
      "#version 450\nlayout(binding = 0) buffer B { uint d[]; };\nvoid main() {\n";
  std::string nested = start;
  for (int k = 0; k < 1000; ++k) nested += "if (d[0] > " + std::to_string(k) + "u) {\n";
  write(directory / "nested.comp", nested + std::string(1000, '}') + "\n}\n");
  refused("@nested.comp --groups 1 --buffer 0=zeros:u32:1",
          "@nested.comp:516: control flow is nested more than 512 deep");
  // As deep as the compiler's own stack would not hold.
  std::string terms = start + "d[0] = 1u";
  for (int k = 0; k < 20000; ++k) terms += " + d[0]";
  write(directory / "terms.comp", terms + ";\n}\n");
  const Outcome sum = run("@terms.comp --groups 1 --buffer 0=fill:u32:1:1");
  INFO(sum.err);
  CHECK(sum.exit_code == 0);
  CHECK(contains(sum.out, ": 20001\n"));
  std::string more = start + "d[0] = ";
  for (int k = 0; k < 3000000; ++k) more += "-(";
  write(directory / "deep.comp", more + "1" + std::string(3000000, ')') + ";\n}\n");
  const Outcome deep = run("@deep.comp --groups 1 --buffer 0=zeros:u32:1");
  CHECK(deep.exit_code == 2);
  CHECK_THAT(deep.err, Catch::StartsWith(expanded("lockstep: @deep.comp:")));
  CHECK(std::ranges::count(deep.err, '\n') == 1);
}

TEST_CASE_METHOD(RunFixture,
                 "modes of floats are honoured, and refused by name where they are not") {
  const std::string source =
      "#version 450\n#extension GL_EXT_spirv_intrinsics : require\n"
      "#extension GL_EXT_shader_atomic_float : enable\n"
      "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [CAP], MODE, "
      "32);\nlayout(binding = 0) buffer B { float d[]; };\n"
      "void main() {\n#ifdef ATOMIC\n  atomicAdd(d[1], -3e-38);\n#else\n  d[1] = d[0] * "
      "0.5;\n#endif\n}\n";
  write(directory / "mode.comp", source);
  const std::string rest = " --groups 1 --buffer 0=fill:f32:2:2e-38";
  const auto gives = [&](const std::string& mode, const std::string& numbers) {
    const Outcome outcome = run("@mode.comp " + mode + rest);
    INFO(mode << outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, numbers));
  };
  // Half of it is a denormal.
  for (const std::string mode : {"-D CAP=4464 -D MODE=4459", "-D CAP=4466 -D MODE=4461",
                                 "-D CAP=4467 -D MODE=4462", "-D CAP=4468 -D MODE=4463"})
    gives(mode, ": 2e-38 1e-38\n");
  gives("-D CAP=4465 -D MODE=4460", ": 2e-38 0\n");
  // 2e-38 and -3e-38 make a denormal.
  gives("-D ATOMIC -D CAP=4464 -D MODE=4459", ": 2e-38 -1.0000001e-38\n");
  gives("-D ATOMIC -D CAP=4465 -D MODE=4460", ": 2e-38 -0\n");
}

TEST_CASE_METHOD(RunFixture, "a shader that does not compile is refused with file and line") {
  write(directory / "bad.comp", "#version 450\nvoid main() {\n  nonsense = 1;\n}\n");
  const Outcome outcome = run("@bad.comp --groups 1");
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(std::ranges::count(outcome.err, '\n') == 1);
  CHECK_THAT(outcome.err, Catch::StartsWith(expanded("lockstep: @bad.comp:3: ")));
  write(directory / "bad.spv", "no module");
  CHECK(run("@bad.spv --groups 1").exit_code == 2);
  write(directory / "bad.spvasm", "OpNonsense\n");
  CHECK(run("@bad.spvasm --groups 1").exit_code == 2);
}

TEST_CASE_METHOD(RunFixture, "an endless loop ends at the limit of steps") {
  write(directory / "loop.comp",
        "#version 450\nlayout(binding = 0) buffer B { uint data[]; };\n"
        "void main() {\n  while (data[0] == 0u) data[1] += 1u;\n}\n");
  const Outcome outcome = run("@loop.comp --groups 1 --max-steps 1000 --buffer 0=zeros:u32:2");
  CHECK(outcome.exit_code == 1);
  CHECK(std::ranges::count(outcome.err, '\n') == 1);
  CHECK(contains(outcome.err, "loop.comp:4"));
}

TEST_CASE_METHOD(RunFixture,
                 "a barrier that not all reach is an error, or a note of a lenient run") {
  const std::string body =
      "layout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; };\n"
      "void main() {\n  uint i = gl_LocalInvocationIndex;\n  if (i == 5u) return;\n  barrier();\n"
      "  data[i] = i;\n}\n";
  write(directory / "part.comp", "#version 450\n" + body);
  const std::string command = "@part.comp --groups 1 --buffer 0=fill:u32:8:9 ";
  const Outcome refused = run(command);
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, Catch::StartsWith(expanded("@part.comp:7: error: barrier() is not ")) &&
                              Catch::Contains("lanes 0-4,6-7 wait, lane 5 has returned"));
  for (const std::string more : {"", "--convergence core "}) {
    const Outcome lenient = run(command + more + "--lenient barriers");
    CHECK(lenient.exit_code == 0);
    CHECK(contains(lenient.out, ": 0 1 2 3 4 9 6 7\n"));
    CHECK_THAT(lenient.err,
               Catch::StartsWith(expanded("lockstep: note: @part.comp:7: barrier() is not ")) &&
                   Catch::EndsWith("; they are counted as arrived\n"));
  }
  const Outcome as_json = run(command + "--lenient barriers --json");
  CHECK_THAT(as_json.out, Catch::Contains("counted as arrived"));
  CHECK(run(command + "--lenient loops").exit_code == 2);

  const std::string script =
      "#!amber\nSHADER compute s GLSL\n#version 450\n" + body +
      "END\nBUFFER b DATA_TYPE uint32 SIZE 8 FILL 9\nPIPELINE compute p\nATTACH s\n"
      "BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\nRUN p 1 1 1\n"
      "EXPECT b IDX 0 EQ 0 1 2 3 4 9 6 7\n";
  write(directory / "part.amber", script);
  CHECK(run("@part.amber").exit_code == 1);
  const Outcome amber = run("@part.amber --lenient barriers");
  CHECK(amber.exit_code == 0);
  CHECK(contains(amber.out, "note: "));
}

TEST_CASE_METHOD(RunFixture, "run takes Amber scripts, one or many") {
  const std::string good =
      "#!amber\nSHADER compute s GLSL\n#version 450\nlayout(binding = 0) buffer B { uint d; };\n"
      "void main() { d = 5u; }\nEND\nBUFFER b DATA_TYPE uint32 SIZE 1 FILL 0\n"
      "PIPELINE compute p\nATTACH s\nBIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n"
      "RUN p 1 1 1\n";
  write(directory / "good.amber", good + "EXPECT b IDX 0 EQ 5\n");
  write(directory / "wrong.amber", good + "EXPECT b IDX 0 EQ 6\n");
  write(directory / "skip.amber", "#!amber\nPIPELINE graphics g\n");
  write(directory / "bad.amber", "#!amber\nRUN\n");

  const Outcome one = run("@good.amber --subgroup-size 24");
  CHECK(one.exit_code == 0);
  CHECK_THAT(one.out, Catch::StartsWith(expanded("PASS   @good.amber")));
  const Outcome wrong = run("@wrong.amber");
  CHECK(wrong.exit_code == 1);
  CHECK(contains(wrong.out,
                 expanded("@wrong.amber:13: buffer b, index 0 (byte 0): expected 6, got 5\n")));
  const Outcome skip = run("@skip.amber");
  CHECK(skip.exit_code == 3);
  CHECK(contains(skip.out, expanded("@skip.amber: PIPELINE g is a graphics pipeline\n")));
  refused("@bad.amber",
          "@bad.amber:2: the pipeline of RUN is missing at the end of the line; add it");
  refused("@gone.amber", "@gone.amber: does not exist; give the path of a file");
  refused("@good.amber --groups 1",
          "--groups is for shaders, not for an Amber script, which sets it itself; remove it");

  const Outcome all = run("@good.amber @wrong.amber @skip.amber @bad.amber --junit @out.xml");
  CHECK(all.exit_code == 1);
  CHECK(contains(all.out, "1 passed, 1 failed, 1 skipped, 1 in error\n"));
  CHECK(contains(contents_of(directory / "out.xml"),
                 "tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""));
  CHECK(run("@good.amber @skip.amber").exit_code == 0);
  CHECK(run("@good.amber @bad.amber").exit_code == 2);
  const auto told = nlohmann::json::parse(run("@good.amber @wrong.amber --json").out);
  CHECK(told.at(0).at("verdict") == "PASS");
  CHECK(told.at(1).at("verdict") == "FAIL");
}

TEST_CASE("run --help has the forms and examples") {
  const Outcome help = run_program("run --help");
  CHECK(help.exit_code == 0);
  for (const char* part : {"--groups G", "--buffer [SET:]BINDING=SPEC",
                           "random:TYPE:N:SEED[:LOW:HIGH]", "\nExamples:\n  lockstep run "})
    CHECK(contains(help.out, part));
  std::istringstream lines(help.out);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

TEST_CASE_METHOD(RunFixture, "a number of invocations runs whole workgroups, and a note says so") {
  const std::string rest = " --buffer 0=iota:u32:256 --buffer 1=zeros:u32:256 --json";
  const Outcome exact = run("@scan.comp --invocations 192" + rest);
  CHECK(exact.exit_code == 0);
  CHECK(exact.err == "");
  CHECK(nlohmann::json::parse(exact.out).at("groups") == nlohmann::json{3, 1, 1});
  const Outcome rounded = run("@scan.comp --invocations 193" + rest);
  CHECK(rounded.exit_code == 0);
  const std::string note =
      "--invocations 193: only whole workgroups run, which have 256 x 1 x 1 invocations; the "
      "shader must ignore the surplus";
  CHECK(rounded.err == "lockstep: note: " + note + "\n");
  const auto told = nlohmann::json::parse(rounded.out);
  CHECK(told.at("groups") == nlohmann::json{4, 1, 1});
  CHECK(told.at("notes") == nlohmann::json{note});
}
