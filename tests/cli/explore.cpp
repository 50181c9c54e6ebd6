#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_program.hpp"

namespace {

const std::string explored_inputs =
    " --groups 1 --buffer 0=iota:u32:128 --buffer 1=zeros:u32:1 --buffer 2=zeros:u32:128";
const std::string explored_kernels = LOCKSTEP_KERNELS_DIR;

nlohmann::json explored(const std::string& arguments, int exit_code) {
  const Outcome outcome = run_program("explore --json " + arguments);
  INFO(arguments << "\n" << outcome.out << outcome.err);
  CHECK(outcome.exit_code == exit_code);
  return nlohmann::json::parse(outcome.out);
}

}  // namespace

TEST_CASE("explore finds where allocate_broken relies on reconvergence, and run repeats it") {
  const std::string shader = explored_kernels + "/allocate_broken/allocate_broken.comp";
  const auto found = explored(shader + explored_inputs, 1);
  CHECK(found["verdict"] == "depends");
  CHECK(found["assumed"] == "core");
  CHECK(found["where"][0]["dimension"] == "convergence");
  CHECK(found["where"][0]["line"] == 22);
  CHECK(contains(found["advice"], "the subgroupBroadcastFirst in line 25 needs lanes 0,2,4,"));
  CHECK(contains(found["advice"], "declare maximal reconvergence"));

  // The printed command gives the element that was promised.
  const Directory directory;
  const std::string dump = directory / "data.npy";
  const std::string command = found["smallest"]["command"];
  REQUIRE(command.starts_with("lockstep run "));
  const std::string again = command.substr(std::string("lockstep ").size());
  CHECK(run_program(again + " --save 2=" + dump).exit_code == 0);
  const Outcome same = run_program(again + " --against 2=" + dump);
  CHECK(same.exit_code == 0);
  std::string first = "run " + shader + explored_inputs + " --strict --against 2=" + dump;
  const Outcome other = run_program(first);
  INFO(other.out);
  CHECK(other.exit_code == 1);
  const std::string element = std::to_string(found["smallest"]["element"].get<int>());
  CHECK(contains(other.out, found["smallest"]["values"][0].get<std::string>()));
  CHECK(contains(other.out, element));
}

TEST_CASE("explore finds the repaired kernel independent but for the order of slots") {
  const std::string shader = explored_kernels + "/allocate/allocate.comp";
  const auto ordered = explored(shader + explored_inputs + " --budget 100", 1);
  CHECK(ordered["only_order"] == nlohmann::json::array({"2"}));
  CHECK(ordered["on"] == nlohmann::json::array({"mapping", "subgroup-order"}));
  const auto unordered = explored(shader + explored_inputs + " --unordered 2 --budget 100", 0);
  CHECK(unordered["verdict"] == "independent");
  CHECK(unordered["runs"] == 100);
  const auto by_name = explored(shader + explored_inputs + " --unordered Data --budget 50", 0);
  CHECK(by_name["verdict"] == "independent");
}

TEST_CASE("explore names the size at which a shader gives something else") {
  const Directory directory;
  const std::string shader = directory / "size.comp";
  std::ofstream(shader) << R"(#version 450
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint o[]; };
void main() { o[gl_LocalInvocationIndex] = gl_SubgroupSize > 32u ? 1u : 0u; }
)";
  const std::string inputs = shader + " --groups 1 --buffer 0=zeros:u32:64";
  const auto found = explored(inputs, 1);
  CHECK(found["on"] == nlohmann::json::array({"subgroup-size"}));
  CHECK(found["smallest"]["options"] == nlohmann::json::array({"--subgroup-size", "64"}));
  CHECK(explored(inputs + " --sizes 8,16", 0)["verdict"] == "independent");
  CHECK(explored(inputs + " --same subgroup-size", 0)["verdict"] == "independent");
  CHECK(explored(inputs + " --device amd_wave32", 1)["on"][0] == "subgroup-size");
  CHECK(explored(inputs + " --device nvidia", 0)["verdict"] == "independent");
  const Outcome text = run_program("explore " + inputs);
  CHECK(contains(text.out,
                 "depends on subgroup-size\n  buffer 0 (Out): element 0 is 1, in the first run 0; "
                 "written by workgroup (0, 0, 0), subgroup 0, lane 0, " +
                     shader + ":5\n"));
  CHECK(contains(text.out, "lockstep run " + inputs + " --subgroup-size 64\n"));
}

TEST_CASE("explore takes sums of floats in another order for the same, unless bits count") {
  const Directory directory;
  const std::string shader = directory / "sum.comp";
  std::ofstream(shader) << R"(#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer In { float x[]; };
layout(binding = 1) buffer Out { float o[]; };
shared float sums[32];
void main() {
  float sum = subgroupAdd(x[gl_LocalInvocationIndex]);
  if (subgroupElect()) sums[gl_SubgroupID] = sum;
  barrier();
  if (gl_LocalInvocationIndex != 0u) return;
  for (uint k = 0u; k < gl_NumSubgroups; ++k) o[1] += sums[k];
  o[0] = SIZED;
}
)";
  const std::string inputs = shader +
                             " --groups 1 --buffer 0=random:f32:128:1 --buffer 1=zeros:f32:2 "
                             "--budget 200 --same convergence ";
  const auto same = explored(inputs + "-D SIZED=1.0", 0);
  CHECK(same["verdict"] == "independent");
  CHECK(same["bitwise"] == false);
  const auto bits = explored(inputs + "-D SIZED=1.0 --bitwise", 1);
  CHECK(bits["on"][0] == "subgroup-size");
  CHECK(bits["smallest"]["element"] == 1);
  CHECK(contains(bits["advice"], "compare without --bitwise"));
  // What is more than rounding is found beside it, with its element, values and writer.
  const auto other = explored(inputs + "-D 'SIZED=float(gl_SubgroupSize)'", 1);
  CHECK(other["on"] == nlohmann::json::array({"subgroup-size"}));
  CHECK(other["smallest"]["element"] == 0);
  CHECK(other["smallest"]["values"][1] == "32");
  CHECK(other["smallest"]["writer"]["line"] == 13);
  CHECK(other["smallest"]["writer"]["lane"] == 0);
}

TEST_CASE("explore names the race behind a difference") {
  const Directory directory;
  const std::string shader = directory / "race.comp";
  std::ofstream(shader) << R"(#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer Out { uint o[]; };
shared uint s[32];
void main() {
  uint i = gl_LocalInvocationIndex;
  s[i] = i;
  BARRIER
  o[i] = s[i < 31u ? i + 1u : 0u];
}
)";
  const std::string inputs = shader + " --groups 1 --buffer 0=zeros:u32:32 -D BARRIER=";
  const auto raced = explored(inputs, 1);
  CHECK(contains(raced["advice"], shader + ":7 and " + shader + ":9 access memory"));
  CHECK(contains(raced["advice"], "put a barrier() between"));
  CHECK(explored(inputs + "'barrier();'", 0)["verdict"] == "independent");
  // In subgroups of 32 the shader is right, and has no race.
  std::ofstream(shader) << R"(#version 450
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x = 32) in;
layout(binding = 0) buffer Out { uint o[]; };
shared uint s[32];
void main() {
  uint i = gl_LocalInvocationIndex;
  s[i] = i;
  subgroupMemoryBarrierShared();
  subgroupBarrier();
  o[i] = s[i < 31u ? i + 1u : 0u];
}
)";
  CHECK_FALSE(contains(explored(inputs, 1)["advice"], "a race:"));
}

TEST_CASE("explore explains wrong usage") {
  const std::string shader = explored_kernels + "/allocate/allocate.comp";
  const auto refused = [&](const std::string& more, const std::string& why) {
    const Outcome outcome = run_program("explore " + shader + explored_inputs + more);
    INFO(more << "\n" << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, why));
  };
  refused(" --vary colour", "--vary: 'colour' is not a dimension: use one of convergence,");
  refused(" --vary mapping --same convergence", "remove one");
  refused(" --sizes 8,200", "--sizes: '200' is not a subgroup size: write 1 to 128");
  refused(" --budget soon", "--budget soon: write a number of runs, or of seconds, such as 10s");
  refused(" --unordered 7", "--unordered 7: the shader writes no such buffer");
  CHECK(run_program("explore " + shader).exit_code == 2);
}

TEST_CASE("explore advises subgroup-uniform control flow where it is enough") {
  const Directory directory;
  const std::string shader = directory / "kernel.comp";
  std::ofstream(shader) << R"(#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i < 8u) {
    if (i % 2u == 0u) o[i + 16u] = 1u;
    o[i] = subgroupAdd(1u);
  }
})";
  const std::string run =
      shader + " --groups 1 --buffer 0=zeros:u32:32 --subgroup-size 8 --vary convergence";
  const auto found = explored(run, 1);
  CHECK(
      contains(found["advice"],
               "; declare subgroup-uniform control flow (GL_EXT_subgroup_uniform_control_flow and "
               "[[subgroup_uniform_control_flow]]), under which every legal reconvergence gives "
               "the same result, or maximal reconvergence (GL_EXT_maximal_reconvergence and "
               "[[maximally_reconverges]]), or let the lanes find out"));
  explored(run + " --convergence subgroup-uniform", 0);
  // Lanes of one subgroup that part before it are not promised to rejoin.
  const auto broken = explored(explored_kernels + "/allocate_broken/allocate_broken.comp" +
                                   explored_inputs + " --vary convergence",
                               1);
  CHECK(contains(broken["advice"], "; declare maximal reconvergence (GL_EXT_"));
}

TEST_CASE("explore runs Amber scripts, whose result is what they fail with") {
  const Directory directory;
  const std::string script = directory / "rejoin.amber";
  std::ofstream(script) << R"(#!amber
SHADER compute kernel GLSL
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  if (i < 6u) {
    if (i < 2u) o[i + 8u] = 1u;
    o[i] = subgroupAdd(1u);
  }
}
END
BUFFER out DATA_TYPE uint32 SIZE 16 FILL 0
PIPELINE compute pipeline
  ATTACH kernel
  BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 0
END
RUN pipeline 1 1 1
EXPECT out IDX 0 EQ 6 6 6 6 6 6
)";
  const auto found = explored(script + " --subgroup-size 8 --vary convergence", 1);
  CHECK(found["verdict"] == "depends");
  CHECK(found["on"] == nlohmann::json::array({"convergence"}));
  CHECK(contains(found["smallest"]["error"], "FAIL: "));
  CHECK(contains(found["advice"], "the subgroupAdd in line "));
  const std::string command = found["smallest"]["command"];
  CHECK(run_program(command.substr(std::string("lockstep ").size())).exit_code == 1);
  CHECK(run_program("run " + script + " --subgroup-size 8").exit_code == 0);
  const auto maximal =
      explored(script + " --subgroup-size 8 --convergence maximal --sizes 8,16", 0);
  CHECK(maximal["verdict"] == "independent");
  const Outcome refused = run_program("explore " + script + " --vary mapping");
  CHECK(refused.exit_code == 2);
  CHECK(contains(refused.err, "mapping is not varied in Amber scripts"));
  CHECK(run_program("explore " + script + " --groups 1").exit_code == 2);
}

TEST_CASE("explore finds group operations in cases that lanes come to in several ways") {
  const Directory directory;
  const std::string shader = directory / "switch.comp";
  const auto explored_switch = [&](const std::string& body, const std::string& vary) {
    std::ofstream(shader) << R"(#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout(local_size_x = 32) in;
layout(binding = 0) buffer Out { uint o[]; };
void main() {
  uint i = gl_LocalInvocationIndex, x = 0u;
  switch (i % 3u) {
)" << body << "  }\n}\n";
    return run_program("explore --json " + shader + " --groups 1 --buffer 0=zeros:u32:32 --vary " +
                       vary)
        .out;
  };
  const auto on = [](const std::string& out) { return nlohmann::json::parse(out)["on"]; };
  const std::string grouped = "case 0u: case 1u: o[i] = subgroupAdd(1u); break;\ndefault: break;\n";
  const std::string fallen =
      "case 0u: x = 1u;\ncase 1u: o[i] = subgroupAdd(1u) + x; break;\n"
      "default: break;\n";
  CHECK(on(explored_switch(grouped, "switch-grouping")) ==
        nlohmann::json::array({"switch-grouping"}));
  CHECK(on(explored_switch(grouped, "fallthrough")).empty());
  CHECK(on(explored_switch(fallen, "fallthrough")) == nlohmann::json::array({"fallthrough"}));
  CHECK(on(explored_switch(fallen, "switch-grouping")).empty());
  CHECK(contains(explored_switch(fallen, "fallthrough"), "end the case before with break"));
}

TEST_CASE("explore takes the names of kernels in C++, whose own check judges them") {
  const auto found = explored("allocate_broken --size 64 --budget 200 --vary convergence", 1);
  CHECK(found["on"] == nlohmann::json::array({"convergence"}));
  CHECK(contains(found["advice"], "the subgroupBroadcastFirst in line "));
  const std::string command = found["smallest"]["command"];
  REQUIRE(command.starts_with("lockstep run-kernel allocate_broken --size 64 --seed 1 "));
  const Outcome again = run_program(command.substr(std::string("lockstep ").size()));
  CHECK(again.exit_code == 1);
  CHECK(contains(again.out, found["smallest"]["error"].get<std::string>()));
  CHECK(run_program("run-kernel allocate_broken --size 64 --seed 1").exit_code == 0);
  CHECK(explored("allocate --size 64 --budget 200 --convergence subgroup-uniform", 0)["verdict"] ==
        "independent");
  const Outcome refused = run_program("explore allocate --vary side-order");
  CHECK(refused.exit_code == 2);
  CHECK(contains(refused.err, "side-order is not varied in kernels in C++"));
  CHECK(contains(refused.err, "explore the shader in kernels/allocate"));
  CHECK(run_program("explore allocate --groups 1").exit_code == 2);
}

TEST_CASE("explore --trace writes the smallest choice beside the first run") {
  const Directory directory;
  const std::string shader = explored_kernels + "/allocate_broken/allocate_broken.comp";
  const std::string page = directory / "found.html", text = directory / "found.txt";
  const Outcome outcome =
      run_program("explore " + shader + explored_inputs + " --vary convergence --trace " + page);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, "\nwrote " + page + ", with the first run beside it\n"));
  CHECK(contains(outcome.out, "first different lanes  line 22, "));
  CHECK(contains(outcome.out, "lane 2, subgroupBroadcastFirst: "));
  const std::string written = contents_of(page);
  CHECK(contains(written, "core, convergence=replay:"));
  CHECK(contains(written, "core, rejoin-all"));
  CHECK(contains(written, R"("variables":["value","needs_space")"));

  // The same as the commands that the report and its setting give.
  const auto found = explored(shader + explored_inputs + " --vary convergence --trace " + text, 1);
  CHECK(found["trace"] == text);
  std::string command = found["smallest"]["command"];
  command.replace(command.find("run "), 4, "trace ");
  const std::string same = directory / "same.txt";
  REQUIRE(run_program(command.substr(std::string("lockstep ").size()) +
                      " --subgroup all --beside '--convergence core --choose rejoin-all' -o " +
                      same)
              .exit_code == 0);
  CHECK(contents_of(same) == contents_of(text));

  // Nothing is written where there is nothing to see, and a file that cannot be written takes no result with it.
  const std::string none = directory / "none.html";
  const Outcome independent =
      run_program("explore " + shader + explored_inputs +
                  " --convergence maximal --vary convergence --trace " + none);
  CHECK(independent.exit_code == 0);
  CHECK(contains(independent.out, none + " is not written: no choice changes the result\n"));
  CHECK(contents_of(none).empty());
  const std::string long_name = directory / (std::string(247, 'n') + ".svg");
  const Outcome unwritten = run_program("explore " + shader + explored_inputs +
                                        " --vary convergence --trace " + long_name);
  CHECK(unwritten.exit_code == 2);
  CHECK(contains(unwritten.out, "smallest choice that changes it:"));
  CHECK(contains(unwritten.err, "lockstep: --trace: "));
  CHECK(run_program("explore " + shader + explored_inputs + " --trace a.pdf").exit_code == 2);
}

TEST_CASE("the command of docs/reference/explore.md writes what it says") {
  const Directory directory;
  std::ifstream text(explored_kernels + "/../docs/reference/explore.md");
  int commands = 0;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("lockstep explore ")) continue;
    ++commands;
    INFO(line);
    const std::string before = "cd '" + explored_kernels + "/..' && ";
    line.insert(line.find(" --trace ") + 9, directory / "");
    CHECK(run_program(line.substr(9), before).exit_code == 1);
  }
  CHECK(commands == 1);
  CHECK(contains(contents_of(directory / "found.html"), "subgroupBroadcastFirst"));
}

TEST_CASE("explore --trace shows the workgroup in which the runs differ") {
  const Directory directory;
  const std::string shader = directory / "third.comp", text = directory / "third.txt";
  std::ofstream(shader) << R"(#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { uint o[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (gl_WorkGroupID.x == 2u && gl_LocalInvocationIndex < 6u) {
    if (gl_LocalInvocationIndex < 2u) o[i] = 1u;
    o[i] = subgroupAdd(1u);
  }
}
)";
  const Outcome outcome = run_program("explore " + shader +
                                      " --groups 4 --subgroup-size 8 --buffer 0=zeros:u32:32 "
                                      "--vary convergence --trace " +
                                      text);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(contains(contents_of(text), "third.comp, subgroup 0 of workgroup 2: 8 lanes, core, "));
  CHECK_FALSE(contains(contents_of(text), "of workgroup 0"));

  // Kernels in C++ and scripts have pages, too.
  const std::string kernel = directory / "kernel.svg", script = directory / "script.html";
  CHECK(contains(
      run_program("explore allocate_broken --size 64 --vary convergence --trace " + kernel).out,
      "wrote " + kernel));
  CHECK(contains(contents_of(kernel), "convergence=replay:"));
}

TEST_CASE("explore refuses options of run that it varies, and takes --lenient") {
  const std::string shader = explored_kernels + "/allocate/allocate.comp" + explored_inputs;
  for (const std::string option :
       {"--choose random:1", "--mapping reversed", "--partial-subgroups even",
        "--workgroup-order reversed", "--check", "--stats", "--save 0=a.npy"}) {
    const Outcome outcome = run_program("explore " + shader + " " + option);
    CHECK(outcome.exit_code == 2);
    CHECK(contains(outcome.err, option.substr(0, option.find(' ')) +
                                    " is an option of lockstep run, not of lockstep explore: "));
  }
  const Directory directory;
  const std::string barrier = directory / "barrier.comp";
  std::ofstream(barrier) << R"(#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Out { uint o[]; };
void main() {
  if (gl_LocalInvocationIndex < 8u) barrier();
  o[gl_LocalInvocationIndex] = gl_LocalInvocationIndex;
}
)";
  const std::string inputs = barrier + " --groups 1 --buffer 0=zeros:u32:16 --budget 20";
  CHECK(explored(inputs, 1).contains("error"));
  CHECK(explored(inputs + " --lenient barriers", 0)["verdict"] == "independent");
}

TEST_CASE("Ctrl-C ends exploring, and what was found is told") {
  // timeout ends with 124 if it had to send the signal.
  const Outcome outcome =
      run_program("explore --json " + explored_kernels + "/allocate/allocate.comp" +
                      explored_inputs + " --budget 600s",
                  "timeout -s INT 5");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 124);
  const auto found = nlohmann::json::parse(outcome.out);
  CHECK(found["verdict"] == "depends");
  CHECK(found["on"][0] == "mapping");
  CHECK(found["exit_status"] == 1);
  CHECK(contains(found["smallest"]["command"], "--mapping reversed"));
}

/// Waits for a flag that nothing sets.
constexpr const char* spinning = R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0) coherent buffer Flags { uint flags[]; };
void main() {
  while (atomicAdd(flags[0], 0u) == 0u) flags[1] = 1u;
}
)";

TEST_CASE("Ctrl-C in the first run names the loop that it is in, and ends exploring") {
  const Directory directory;
  const std::string spin = directory / "spin.comp";
  std::ofstream(spin) << spinning;
  const Outcome outcome = run_program("explore --json " + spin +
                                          " --groups 1 --buffer 0=zeros:u32:4 --max-steps "
                                          "999999999999",
                                      "timeout --preserve-status -s INT 3");
  INFO(outcome.err);
  CHECK(outcome.exit_code == 130);
  CHECK_THAT(outcome.err,
             Catch::Matches("lockstep: [^\n]*spin.comp:5: this loop has run [0-9]+ times in lanes "
                            "0-3 of subgroup 0 of workgroup \\(0, 0, 0\\); if it waits, then for "
                            "Flags in line 5\nlockstep: interrupted in the first run, after [0-9]+ "
                            "s\n"));
  CHECK(nlohmann::json::parse(outcome.out)["exit_status"] == 130);
}

TEST_CASE("explore finds that a shader spins in any case") {
  const Directory directory;
  const std::string spin = directory / "spin.comp";
  std::ofstream(spin) << spinning;
  const auto found = explored(spin + " --groups 2 --buffer 0=zeros:u32:4 --budget 30", 1);
  CHECK(found["verdict"] == "independent");
}

TEST_CASE("explore varies all that kernels in C++ can do, and names what they cannot") {
  const std::string few = " --size 64 --budget 300";
  const auto allocate = explored(
      "allocate --vary atomic-order,reduction-order,workgroup-order,subgroup-order" + few, 0);
  CHECK(allocate["verdict"] == "independent");
  CHECK(allocate["not_varied"] == nlohmann::json::array({"late-break", "side-order"}));
  const Outcome text = run_program("explore max_reduce" + few);
  INFO(text.out << text.err);
  CHECK(contains(text.out, "not varied: late-break, side-order: "));
  CHECK(contains(text.out, "tried exhaustively: "));

  // Its workgroups take their tiles as they begin, so that none waits for one that has not.
  const std::string lookback = "prefix_sum_lookback --size 4096 --max-steps 2000 --budget 50";
  CHECK(explored(lookback + " --vary workgroup-order", 0)["verdict"] == "independent");
}

TEST_CASE("explore says what is out of bounds in the runs that it reports") {
  const Directory directory;
  const std::string shader = directory / "outside.comp";
  std::ofstream(shader) << R"(#version 450
#extension GL_KHR_shader_subgroup_basic : enable
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { uint o[]; };
void main() { o[gl_SubgroupSize] = gl_SubgroupInvocationID; }
)";
  const auto found = explored(shader + " --groups 1 --buffer 0=zeros:u32:9 --subgroup-size 8 " +
                                  "--sizes 16 --vary subgroup-size",
                              1);
  REQUIRE(found["findings"].size() == 1);
  CHECK(found["findings"][0]["rule"] == "out-of-bounds");
  CHECK(found["findings"][0]["line"] == 5);
}

TEST_CASE("explore says what no run of any size reached") {
  const Directory directory;
  directory.write("some.comp",
                  "#version 450\n#extension GL_KHR_shader_subgroup_basic : enable\n"
                  "layout(local_size_x = 64) in;\n"
                  "layout(binding = 0) buffer B { uint data[]; };\n"
                  "void main() {\n"
                  "  uint i = gl_GlobalInvocationID.x;\n"
                  "  data[i] = i;\n"
                  "  if (gl_SubgroupSize == 8u)\n"
                  "    data[i] = i + 0u * gl_SubgroupInvocationID;\n"
                  "  if (i > 99u)\n"
                  "    data[i] = 0u;\n"
                  "}\n");
  const std::string arguments =
      (directory / "some.comp") + " --groups 1 --buffer 0=zeros:u32:64 --budget 20";
  const std::string never = "1 of 6 lines never ran: 11; conditions that were always false: 10";
  CHECK(explored(arguments, 0)["coverage"]["text"] == never);
  CHECK(contains(run_program("explore " + arguments).out, never + "\nindependent: "));
  CHECK(explored(arguments + " --same subgroup-size", 0)["coverage"]["text"] ==
        "2 of 6 lines never ran: 9, 11; conditions that were always false: 8, 10");
}
