#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_fixture.hpp"
#include "io/npy.hpp"

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The cells of the row that shows this line of source.
std::string row_of(const std::string& text, const std::string& source) {
  for (const std::string& line : lines_of(text))
    if (contains(line, source)) return line.substr(0, line.find(source));
  return "";
}

void check_refused(const std::string& arguments, const std::string& message) {
  const Outcome outcome = run_program("trace " + arguments);
  INFO(arguments);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(std::ranges::count(outcome.err, '\n') == 1);
  CHECK_THAT(outcome.err, Catch::Contains(message));
}

}  // namespace

TEST_CASE("trace --help lists the kernels and shows an example") {
  const Outcome help = run_program("trace --help");
  CHECK(help.exit_code == 0);
  CHECK(contains(help.out, "\n  allocate_broken "));
  CHECK(contains(help.out, "\nExamples:\n  lockstep trace "));
}

TEST_CASE("trace draws every kernel at every size, and its result is right") {
  for (const std::string kernel : {"allocate", "allocate_broken", "allocate_nonuniform", "collatz",
                                   "mandelbrot", "max_reduce", "prefix_sum"}) {
    for (const int size : {1, 2, 5, 8, 32, 33, 128}) {
      const Outcome outcome =
          run_program("trace " + kernel + " --subgroup-size " + std::to_string(size));
      INFO(kernel << " at " << size << ": " << outcome.err);
      CHECK(outcome.exit_code == 0);
      CHECK(contains(outcome.out, kernel + ", subgroup 0 of workgroup 0: "));
      CHECK(contains(outcome.out, "every merge rejoined"));
      CHECK(contains(outcome.out, "result   right"));
      CHECK(std::ranges::all_of(outcome.out,
                                [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
    }
  }
}

TEST_CASE("trace draws all other kernels of kernels/, too") {
  std::size_t count = 0;
  for (const auto& kernel : nlohmann::json::parse(run_program("kernels --json").out)) {
    const std::string name = kernel.at("name");
    const Outcome outcome = run_program("trace " + name + " --subgroup-size 16");
    INFO(name << ": " << outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, name + ", subgroup 0 of workgroup 0: "));
    CHECK(contains(outcome.out, "result   right"));
    ++count;
  }
  CHECK(count >= 31);
  check_refused("matrix_product --subgroup-size 8", "does not support subgroup size 8");
  // Without a size, one at which the kernel is defined.
  CHECK(contains(run_program("trace matrix_product").out, ": 16 lanes, maximal"));
}

TEST_CASE("trace shows who is active where lanes rejoin and where they do not") {
  const std::string broadcast = "base = subgroupBroadcastFirst(base);";
  const Outcome maximal = run_program("trace allocate_broken --width 120");
  CHECK(row_of(maximal.out, broadcast) == "  41   .  A  .  A  .  A  .  A     ");

  const Outcome core =
      run_program("trace allocate_broken --width 120 --convergence core --choose rejoin-none");
  CHECK(core.exit_code == 1);
  CHECK(row_of(core.out, broadcast) == "  41   .  A  .  B  .  B  .  B     ");
  CHECK(contains(core.out, "1 merge did not rejoin:"));
  CHECK(contains(core.out, "result   WRONG"));
}

TEST_CASE("trace names the choices made, and replays them") {
  const std::string kernel = "allocate_broken --subgroup-size 16 --convergence core --choose ";
  const Outcome random = run_program("trace " + kernel + "random:3");
  const std::size_t at = random.out.rfind("replay:");
  REQUIRE(at != std::string::npos);
  std::string replay = random.out.substr(at);
  replay.erase(replay.find('\n'));
  const Outcome again = run_program("trace " + kernel + replay);
  CHECK(again.exit_code == random.exit_code);
  // Everything but the title, which names the chooser.
  CHECK(again.out.substr(again.out.find('\n')) == random.out.substr(random.out.find('\n')));
}

TEST_CASE("trace --stack shows the reconvergence stack, --events the events") {
  const Outcome stack = run_program("trace allocate_broken --stack --width 100");
  CHECK(contains(stack.out, "       w  |  w  |  w  |  w  |   selection 34\n"));
  const Outcome events = run_program("trace allocate_broken --events");
  CHECK(contains(events.out, ":34: enter -> {1,3,5,7}, others {0,2,4,6}\n"));
  CHECK(contains(events.out, "subgroupBroadcastFirst"));
}

TEST_CASE_METHOD(RunFixture, "trace --brief prints the drawing only") {
  const std::string file = LOCKSTEP_KERNELS_DIR "/../docs/lessons/01-active-lanes/show.comp";
  const std::string shader = "trace '" + file + "' --groups 1 --buffer 0=zeros:u32:8 ";
  const std::string all = run_program(shader).out, brief = run_program(shader + "--brief").out;
  CHECK(brief.starts_with(file + "\nline "));
  CHECK(brief.ends_with("A executes   a its condition is false   . waits\n"));
  CHECK(contains(all, brief));
  CHECK(run_program(shader + "--brief -o " + (directory / "a.svg")).out ==
        "wrote " + (directory / "a.svg") + "\n");
  // Of several subgroups each has its title.
  const std::string subgroups = run_program("trace prefix_sum --brief --subgroup all").out;
  CHECK(contains(subgroups, "prefix_sum, subgroup 1 of workgroup 0: "));
  CHECK_FALSE(contains(subgroups, "lines executed"));
}

TEST_CASE("trace refuses options of run that mean nothing to it, each by its name") {
  for (const auto& [option, what] : std::map<std::string, std::string>{
           {"--against 0=a.npy", "only lockstep run judges results"},
           {"--strict", "only lockstep run judges results"},
           {"--strict-order tree", "only lockstep run judges results"},
           {"--explain 0:1", "only lockstep run and lockstep check explain results"},
           {"--trace a.html", "give the file with -o"},
           {"--stats", "a trace always has the work of each line"},
           {"--threads 1", "a recorded run has one thread"},
           {"--json", "write events with -o FILE.ndjson"},
           {"--junit a.xml", "lockstep run writes the outcomes of scripts"}}) {
    const std::string name = option.substr(0, option.find(' '));
    check_refused("collatz " + option,
                  name + " is an option of lockstep run, not of lockstep trace: " + what);
  }
  // Any other option of run is one of trace.
  const std::string of_trace = run_program("trace --help").out;
  for (const std::string& line : lines_of(run_program("run --help").out)) {
    if (!line.starts_with("  --")) continue;
    const std::string name = line.substr(2, line.find_first_of(" {", 2) - 2);
    INFO(name);
    const std::string message = name + " is an option of lockstep run, not of lockstep trace";
    CHECK((contains(of_trace, "\n  " + name) ||
           contains(run_program("trace collatz " + name).err, message) ||
           contains(run_program("trace collatz " + name + " 1").err, message)));
  }
}

TEST_CASE("trace watches the subgroup it is told to") {
  const Outcome outcome = run_program("trace prefix_sum --subgroup-size 24 --subgroup 42");
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "subgroup 42 of workgroup 0: 16 of 24 lanes"));
}

TEST_CASE("trace refuses in one line what it cannot do") {
  check_refused("no_such_kernel", "'no_such_kernel' is neither a file that can be traced");
  check_refused("collatz --subgroup-size 129", "--subgroup-size");
  check_refused("collatz --convergence strict", "--convergence");
  check_refused("collatz --choose sometimes", "--choose: ");
  check_refused("collatz --width 10", "--width");
  check_refused("collatz --subgroup 9", "there is no subgroup 9 in a workgroup (0, 0, 0)");
  check_refused("", "WHAT");
}

TEST_CASE("trace draws shaders, and prints what they wrote") {
  const std::string shader = LOCKSTEP_KERNELS_DIR "/allocate_broken/allocate_broken.comp";
  const std::string inputs =
      " --groups 1 --buffer 0=iota:u32:64 --buffer 1=zeros:u32:1 --buffer 2=zeros:u32:64";
  const Outcome outcome = run_program("trace " + shader + inputs + " --width 120");
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "allocate_broken.comp, subgroup 0 of workgroup 0: 8 lanes, maximal"));
  CHECK(contains(row_of(outcome.out, "base = subgroupBroadcastFirst(base);"),
                 "A  .  A  .  A  .  A  ."));
  CHECK(contains(outcome.out, "u32 x 64"));
  CHECK(contains(outcome.out, "choices  none"));

  const Outcome core = run_program("trace " + shader + inputs +
                                   " --width 120 --convergence core --choose rejoin-none");
  CHECK(
      contains(row_of(core.out, "base = subgroupBroadcastFirst(base);"), "A  .  B  .  B  .  B  ."));
  const std::size_t at = core.out.find("  lockstep trace ");
  REQUIRE(at != std::string::npos);
  std::string again = core.out.substr(at + std::string("  lockstep ").size());
  again.erase(again.find('\n'));
  const Outcome replayed = run_program(again + " --width 120");
  CHECK(row_of(replayed.out, "base = subgroupBroadcastFirst(base);") ==
        row_of(core.out, "base = subgroupBroadcastFirst(base);"));
}

TEST_CASE_METHOD(RunFixture, "the README's page of a shader is written") {
  const std::string page = directory / "allocate_broken.html";
  const Outcome outcome = run_program(
      "trace " LOCKSTEP_KERNELS_DIR
      "/allocate_broken/allocate_broken.comp --groups 1 --convergence core --choose rejoin-none "
      "--buffer 0=iota:u32:64 --buffer 1=zeros:u32:1 --buffer 2=zeros:u32:64 -o " +
      page);
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(contents_of(page), "subgroupBroadcastFirst"));
}

TEST_CASE_METHOD(RunFixture, "a trace says that a module has no lines") {
  const std::string assembly = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %data
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %array ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%seven = OpConstant %uint 7
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%pointer = OpTypePointer StorageBuffer %block
%element = OpTypePointer StorageBuffer %uint
%data = OpVariable %pointer StorageBuffer
%main = OpFunction %void None %function
%start = OpLabel
%place = OpAccessChain %element %data %zero %zero
OpStore %place %seven
OpReturn
OpFunctionEnd
)";
  // Lines of its own, of which there are none, are those that count.
  write(directory / "bare.spvasm", "; no OpLine\n" + assembly);
  const std::string inputs = " --groups 1 --buffer 0=zeros:u32:8";
  const Outcome outcome = run_program("trace '" + (directory / "bare.spvasm") + "'" + inputs);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.err, "note: the module has no lines of its source (OpLine)"));
  CHECK(run_program("trace max_reduce").err.empty());
  write(directory / "placed.spvasm", assembly);
  const Outcome placed = run_program("trace '" + (directory / "placed.spvasm") + "'" + inputs);
  CHECK(placed.err.empty());
  CHECK(contains(placed.out, "OpStore %place %seven"));

  // Nor does a page show SPIR-V as if it was text: a job has it.
  CHECK(run_program("capture --prepare '" + (directory / "bare.spvasm") + "'" + inputs + " -o '" +
                    (directory / "jobs") + "'")
            .exit_code == 0);
  const std::string page = directory / "page.html";
  CHECK(run_program("trace '" + (directory / "jobs/bare") + "' -o '" + page + "'").exit_code == 0);
  CHECK(contains(contents_of(page), R"("lines":[])"));
}

TEST_CASE("trace shows a subgroup, a workgroup or all") {
  const auto titles = [&](const std::string& which) {
    const Outcome outcome = run_program("trace collatz --subgroup-size 8" + which);
    INFO(outcome.err);
    std::vector<std::string> found;
    for (const std::string& line : lines_of(outcome.out))
      if (contains(line, ", subgroup ")) found.push_back(line);
    return found;
  };
  CHECK(titles("").size() == 1);
  const auto workgroup = titles(" --subgroup all");
  CHECK(workgroup.size() == 8);
  CHECK(titles(" --workgroup all") == workgroup);
  check_refused("collatz --workgroup all --subgroup 1", "remove --subgroup");
  check_refused("collatz --subgroup x", "neither a number nor all");
  check_refused("collatz --groups 2",
                "--groups is for shaders, not for a kernel, which sets it itself");
  check_refused("collatz --mapping reversed", "--mapping is for shaders, not for a kernel");
  check_refused("collatz --check", "--check is for shaders and scripts, not for kernels");
  check_refused("collatz --device nvidia", "--device is for shaders and scripts");
}

TEST_CASE_METHOD(RunFixture,
                 "trace --check marks findings, and a script is traced dispatch by dispatch") {
  write(
      directory / "racy.comp",
      "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; };\n"
      "shared uint tile[8];\nvoid main() {\n  uint i = gl_LocalInvocationIndex;\n  tile[i] = i;\n"
      "  data[i] = tile[7 - i];\n}\n");
  const Outcome checked = run_program("trace " + directory / "racy.comp" +
                                      " --groups 1 --buffer 0=zeros:u32:8 --check");
  CHECK(checked.exit_code == 1);
  CHECK(contains(checked.err, "[lockstep-exchange]"));
  CHECK(contains(checked.out, "racy.comp, subgroup 0 of workgroup 0"));

  write(
      directory / "two.amber",
      "#!amber\nSHADER compute s GLSL\n#version 450\nlayout(binding = 0) buffer B { uint data[]; "
      "};\n"
      "void main() { data[0] += 1u; }\nEND\nBUFFER b DATA_TYPE uint32 DATA 5 END\n"
      "PIPELINE compute p\n  ATTACH s\n  BIND BUFFER b AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n"
      "RUN p 1 1 1\nRUN p 1 1 1\nEXPECT b IDX 0 EQ 7\n");
  const Outcome script = run_program("trace " + directory / "two.amber");
  INFO(script.err);
  CHECK(script.exit_code == 0);
  CHECK(contains(script.out, "result   right"));
  std::size_t dispatches = 0;
  for (const std::string& line : lines_of(script.out))
    dispatches += contains(line, "two.amber, subgroup 0 of workgroup 0") ? 1 : 0;
  CHECK(dispatches == 2);
}

TEST_CASE_METHOD(RunFixture, "trace -o writes the form that the name says") {
  const auto written = [&](const std::string& name) {
    const std::string file = directory / name;
    const Outcome outcome = run_program("trace collatz --subgroup-size 8 -o " + file);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, "wrote " + file));
    return contents_of(file);
  };
  CHECK(contains(written("trace.txt"), "collatz, subgroup 0 of workgroup 0"));
  CHECK(contains(written("trace.html"),
                 "<title>collatz, subgroup 0 of workgroup 0: 8 lanes, maximal"));
  std::istringstream events(written("trace.ndjson"));
  std::string line;
  REQUIRE(std::getline(events, line));
  CHECK(nlohmann::json::parse(line).at("kind") == "start");
  const auto chrome = nlohmann::json::parse(written("trace.json"));
  CHECK(chrome.at("traceEvents").size() > 100);
  const std::string coloured = directory / "coloured.txt";
  REQUIRE(run_program("trace collatz --color always --width 60 -o " + coloured).exit_code == 0);
  CHECK(contains(contents_of(coloured), "\x1b["));
  CHECK(!contains(written("trace.txt"), "\x1b["));
  check_refused("collatz -o trace.pdf", "use .html (a page), .svg (a figure), .txt");
}

TEST_CASE_METHOD(RunFixture, "trace takes what explore varies, and repeats it") {
  write(directory / "lanes.comp",
        "#version 450\n#extension GL_KHR_shader_subgroup_basic : enable\n"
        "layout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; };\n"
        "void main() { data[gl_LocalInvocationIndex] = gl_SubgroupInvocationID; }\n");
  const std::string inputs = (directory / "lanes.comp") + " --groups 1 --buffer 0=zeros:u32:8";
  const Outcome reversed = run_program("trace " + inputs + " --mapping reversed");
  INFO(reversed.err);
  CHECK(reversed.exit_code == 0);
  CHECK(contains(reversed.out, "0 to 7: 7 6 5 4 3 2 1 0\n"));
  const Outcome partial =
      run_program("trace " + inputs + " --partial-subgroups even --subgroup all");
  CHECK(contains(partial.out, "4 of 8 lanes"));

  const Outcome script = run_program("trace " + (directory / "any.amber") + " --mapping reversed");
  CHECK(script.exit_code == 2);
  CHECK(contains(script.err, "--mapping is for shaders, not for an Amber script; remove it"));
}

TEST_CASE_METHOD(RunFixture, "trace takes the order of workgroups, and saves results") {
  write(directory / "tickets.comp",
        "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint "
        "tickets[]; };\n"
        "layout(binding = 1) buffer C { uint next; };\n"
        "void main() { if (gl_LocalInvocationIndex == 0u) tickets[gl_WorkGroupID.x] = "
        "atomicAdd(next, 1u); }\n");
  const std::string inputs =
      (directory / "tickets.comp") + " --groups 5 --buffer 0=zeros:u32:5 --buffer 1=zeros:u32:1 ";
  const std::string file = directory / "tickets.npy";
  const Outcome reversed =
      run_program("trace " + inputs + "--workgroup-order reversed --save 0=" + file);
  INFO(reversed.err);
  CHECK(reversed.exit_code == 0);
  const std::vector<std::uint32_t> tickets = lockstep::npy::read<std::uint32_t>(file);
  REQUIRE(tickets.size() == 5);
  for (std::uint32_t k = 0; k < 5; ++k) CHECK(tickets[k] == 4 - k);
  CHECK_FALSE(contains(reversed.out, "buffer 0"));
  CHECK(contains(reversed.out, "buffer 1"));

  // The second run starts in its own order, and saves nothing.
  std::filesystem::remove(file);
  const Outcome beside = run_program("trace " + inputs + "--save 0=" + file +
                                     " --beside '--workgroup-order reversed'");
  CHECK(contains(beside.out, "lane 0, atomic of C: 0 at byte 0, beside 4 at byte 0"));
  CHECK(lockstep::npy::read<std::uint32_t>(file)[4] == 4);
  check_refused("collatz --workgroup-order reversed", "--workgroup-order is for shaders");
}

TEST_CASE_METHOD(RunFixture, "trace takes --lenient and --sarif, and a replay has all of it") {
  write(directory / "barrier.comp",
        "#version 450\nlayout(local_size_x = 16) in;\nlayout(binding = 0) buffer B { uint data[]; "
        "};\n"
        "void main() {\n  if (gl_LocalInvocationIndex < 8u) barrier();\n"
        "  data[atomicAdd(data[16], 1u)] = gl_LocalInvocationIndex;\n}\n");
  const std::string inputs = (directory / "barrier.comp") + " --groups 1 --buffer 0=zeros:u32:17 ";
  CHECK(run_program("trace " + inputs).exit_code == 1);
  const std::string sarif = directory / "found.sarif";
  const Outcome lenient = run_program(
      "trace " + inputs +
      "--lenient barriers --subgroup 1 --choose atomic-order=random:3 --sarif " + sarif);
  INFO(lenient.err << lenient.out);
  CHECK(lenient.exit_code == 0);
  CHECK(nlohmann::json::parse(contents_of(sarif)).at("runs").size() == 1);
  const std::size_t at = lenient.out.find("  lockstep trace ");
  REQUIRE(at != std::string::npos);
  std::string again = lenient.out.substr(at + std::string("  lockstep ").size());
  again.erase(again.find('\n'));
  CHECK(contains(again, "--lenient barriers"));
  CHECK(contains(again, "--choose atomic-order=replay:"));
  const Outcome replayed = run_program(again);
  INFO(replayed.err);
  CHECK(replayed.out.substr(replayed.out.find('\n')) == lenient.out.substr(lenient.out.find('\n')));
  check_refused("collatz --lenient barriers", "--lenient is for shaders and scripts");
}

TEST_CASE_METHOD(RunFixture, "a trace ends after --max-events, and says so") {
  write(
      directory / "loop.comp",
      "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; };\n"
      "void main() { while (data[gl_WorkGroupID.x] < 100000u) data[gl_WorkGroupID.x] += 1u; }\n");
  const std::string inputs = (directory / "loop.comp") + " --groups 2 --buffer 0=zeros:u32:8 ";
  const std::string events = directory / "loop.ndjson";
  const Outcome ended = run_program("trace " + inputs + "--max-events 500 -o " + events);
  CHECK(ended.exit_code == 1);
  CHECK(contains(ended.err, "the run reached the limit of 500 events, and ends there"));
  CHECK(std::ranges::count(contents_of(events), '\n') == 501);
  // Only events of the recorded subgroup count.
  const std::string other = (directory / "loop.comp") + " --groups 2 --buffer 0=fill:u32:8:99997 ";
  CHECK(run_program("trace " + other + "--workgroup 1 --max-events 500").exit_code == 0);
  CHECK(run_program("trace collatz --max-events 20").exit_code == 1);
}

TEST_CASE_METHOD(RunFixture, "run --trace writes the trace of the run") {
  const std::string inputs =
      "run " LOCKSTEP_KERNELS_DIR
      "/allocate_broken/allocate_broken.comp --groups 1 --subgroup-size 8 "
      "--buffer 0=iota:u32:64 --buffer 1=fill:u32:1:8 --buffer 2=zeros:u32:64 ";
  const std::string page = directory / "run.html", figure = directory / "run.svg";
  const Outcome plain = run_program(inputs), traced = run_program(inputs + "--trace " + page);
  INFO(traced.err);
  CHECK(traced.exit_code == 0);
  CHECK(traced.out == "wrote " + page + "\n" + plain.out);
  CHECK(contains(contents_of(page), "allocate_broken.comp, subgroup 0 of workgroup 0: 8 lanes"));
  CHECK(contains(contents_of(page), R"("variables":["value","needs_space")"));

  // The rule is that of the run; --json and --stats print what they print without it.
  const Outcome json = run_program(inputs +
                                   "--json --stats --convergence core --choose "
                                   "rejoin-none --trace " +
                                   figure);
  CHECK(nlohmann::json::parse(json.out).contains("stats"));
  CHECK(contains(contents_of(figure), "core, rejoin-none"));

  // A run that ends early is recorded until then.
  write(
      directory / "endless.comp",
      "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; };\n"
      "void main() { while (data[1] == 0u) data[0] += 1u; }\n");
  const std::string events = directory / "run.ndjson";
  const Outcome endless =
      run_program("run " + (directory / "endless.comp") +
                  " --groups 1 --buffer 0=zeros:u32:8 --max-steps 9 --trace " + events);
  CHECK(endless.exit_code == 1);
  CHECK(contains(endless.err, "iterations"));
  CHECK(std::ranges::count(contents_of(events), '\n') > 9);

  // A figure of a long run ends early, and says so. A trace that cannot be written takes nothing else with it.
  write(
      directory / "long.comp",
      "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; };\n"
      "void main() { for (uint k = 0u; k < 600u; ++k) data[gl_LocalInvocationIndex] += k; }\n");
  const std::string kept = directory / "kept.npy", long_figure = directory / "long.svg";
  const std::string long_inputs = "run " + (directory / "long.comp") +
                                  " --groups 1 --buffer 0=iota:u32:8 --save 0=" + kept +
                                  " --trace ";
  const Outcome ends_early = run_program(long_inputs + long_figure);
  CHECK(ends_early.exit_code == 0);
  CHECK(contains(ends_early.err, "note: " + long_figure + " has the first 500 of "));
  CHECK(contains(contents_of(long_figure), "Here are the first 500 of "));
  std::filesystem::remove(kept);
  // A file may have this name, but none beside it a longer one.
  const std::string long_name = directory / (std::string(247, 'n') + ".svg");
  const Outcome long_run = run_program(long_inputs + long_name);
  CHECK(long_run.exit_code == 2);
  CHECK(contains(long_run.err, "ame too long"));
  CHECK_FALSE(std::filesystem::exists(long_name));
  const std::vector<std::uint32_t> values = lockstep::npy::read<std::uint32_t>(kept);
  REQUIRE(values.size() == 8);
  for (std::uint32_t i = 0; i < 8; ++i) CHECK(values[i] == i + 599 * 600 / 2);

  const Outcome form = run_program(inputs + "--trace trace.pdf");
  CHECK(form.exit_code == 2);
  CHECK(contains(form.err, "--trace trace.pdf: has an unknown file extension"));
  const Outcome script = run_program("run any.amber --trace trace.html");
  CHECK(script.exit_code == 2);
  CHECK(contains(script.err, "--trace is for shaders"));
}

namespace {

constexpr const char* allocation =
    "trace " LOCKSTEP_KERNELS_DIR
    "/allocate_broken/allocate_broken.comp --groups 1 --subgroup-size 8 "
    "--buffer 0=iota:u32:64 --buffer 1=fill:u32:1:8 --buffer 2=zeros:u32:64 ";

}  // namespace

TEST_CASE("trace --variables shows what lanes assign, below the line") {
  const Outcome outcome = run_program(std::string(allocation) + "--variables base,value");
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "\n        value = 0 (0), 1 (1), 2 (2), 3 (3),"));
  CHECK(contains(outcome.out, "\n        base = 0\n"));
  CHECK(contains(outcome.out, "\n        base = 8\n"));
  CHECK(!contains(outcome.out, "\n        size ="));
  CHECK(!contains(run_program(allocation).out, "base = 8\n"));
  check_refused(std::string(allocation).substr(6) + "--variables base,bases",
                "--variables: no variable is named 'bases'; there are base, mask");
  check_refused(std::string(allocation).substr(6) + "--variables base,,size",
                "--variables base,,size");
  check_refused("collatz --variables all", "--variables is for shaders");
}

TEST_CASE_METHOD(RunFixture, "trace writes variables as events and into pages") {
  const std::string path = directory / "trace.ndjson";
  REQUIRE(run_program(std::string(allocation) + "--variables base -o '" + path + "'").exit_code ==
          0);
  std::vector<std::string> written;
  for (const std::string& line : lines_of(contents_of(path))) {
    const auto event = nlohmann::json::parse(line);
    if (event.value("name", "") != "assignment") continue;
    CHECK(event.at("access").at("object").at("name") == "base");
    written.push_back(event.at("operands").at(0).at("lanes").dump());
  }
  CHECK(written == std::vector<std::string>{R"({"0":0,"2":0,"4":0,"6":0})", R"({"0":8})",
                                            R"({"0":8,"2":8,"4":8,"6":8})"});
  // For Perfetto the values are arguments of the slices.
  const std::string perfetto = directory / "trace.json";
  REQUIRE(
      run_program(std::string(allocation) + "--variables base -o '" + perfetto + "'").exit_code ==
      0);
  std::map<int, std::string> by_lane;
  const auto file = nlohmann::json::parse(contents_of(perfetto));
  for (const auto& event : file.at("traceEvents")) {
    if (event.at("ph") != "X" || !event.at("args").contains("variables")) continue;
    by_lane[event.at("tid").get<int>() - 1] += event.at("args").at("variables").dump();
  }
  CHECK(by_lane == std::map<int, std::string>{{0, R"({"base":0}{"base":8}{"base":8})"},
                                              {2, R"({"base":0}{"base":8})"},
                                              {4, R"({"base":0}{"base":8})"},
                                              {6, R"({"base":0}{"base":8})"}});
  const std::string page = directory / "trace.html";
  REQUIRE(run_program(std::string(allocation) + "-o '" + page + "'").exit_code == 0);
  CHECK(contains(contents_of(page),
                 R"("variables":["value","needs_space","mask","size","base","offset"])"));
}

TEST_CASE_METHOD(RunFixture, "trace --beside says where the two runs first differ") {
  const std::string wrong = "--beside '--convergence core --choose rejoin-none' ";
  const Outcome outcome = run_program(allocation + wrong);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out,
                 "\nbeside:\nallocate_broken.comp, subgroup 0 of workgroup 0: 8 lanes, core"));
  CHECK(contains(outcome.out, "first different lanes  line 22, step "));
  CHECK(contains(outcome.out, ": lane 2, subgroupBroadcastFirst: 8, beside 0"));
  CHECK(contains(run_program(std::string(allocation) + "--beside ''").out, "no difference"));
  for (const std::string name :
       {"trace.html", "trace.txt", "trace.svg", "trace.json", "trace.ndjson"}) {
    INFO(name);
    CHECK(run_program(allocation + wrong + "-o '" + (directory / name) + "'").exit_code == 0);
    CHECK(contains(contents_of(directory / name),
                   name.ends_with(".ndjson") ? R"("run":"beside")" : "rejoin-none"));
  }
  check_refused("collatz --beside '--colour'", "--beside: ");
  // Another file and another size.
  CHECK(
      contains(run_program(std::string(allocation) + "--beside '" LOCKSTEP_KERNELS_DIR
                                                     "/allocate/allocate.comp --subgroup-size 16'")
                   .out,
               "allocate.comp, subgroup 0 of workgroup 0: 16 lanes"));
}

TEST_CASE_METHOD(RunFixture, "trace --steps draws some of the steps") {
  const std::string wide = std::string(allocation) + "--width 200 ";
  const auto rows = [](const std::string& out) {
    std::vector<std::string> found;
    for (const std::string& line : lines_of(out.substr(0, out.find("executes")))) {
      const std::size_t digit = line.find_first_not_of(' ');
      if (digit == std::string::npos || digit > 5 || line[digit] < '0' || line[digit] > '9')
        continue;
      found.push_back(line);
      std::erase(found.back(), ' ');  // what all of the lines shown are indented by is left out
    }
    return found;
  };
  const std::vector<std::string> all = rows(run_program(wide).out);
  REQUIRE(all.size() > 11);
  const Outcome some = run_program(wide + "--steps 9-11");
  INFO(some.out << some.err);
  CHECK(rows(some.out) == std::vector<std::string>(all.begin() + 8, all.begin() + 11));
  CHECK(contains(some.out, "\nsteps 9 to 11 of " + std::to_string(all.size()) + "\n"));
  CHECK(rows(run_program(wide + "--steps 9-").out) ==
        std::vector<std::string>(all.begin() + 8, all.end()));
  CHECK(rows(run_program(wide + "--steps 2").out) == std::vector<std::string>{all[1]});

  for (const std::string name : {"slide.txt", "slide.svg"}) {
    CHECK(run_program(wide + "--steps 9-11 -o '" + (directory / name) + "'").exit_code == 0);
    CHECK(contains(contents_of(directory / name), "steps 9 to 11 of "));
  }
  for (const std::string bad : {"0", "x", "5-4", "-3", "5-x"})
    check_refused("collatz --steps=" + bad, "--steps " + bad + ": write 10, 10-20, or 10-");
  check_refused("collatz --steps 9999", "--steps 9999: the run has ");
  check_refused("collatz --steps 1 -o a.html", "a.html has all steps");
  check_refused("collatz --steps 1 --events", "--events lists everything");
}

TEST_CASE_METHOD(RunFixture, "trace --check writes findings to files of all forms") {
  for (const std::string name : {"f.html", "f.txt", "f.svg", "f.json", "f.ndjson"}) {
    INFO(name);
    const Outcome outcome =
        run_program("trace " LOCKSTEP_KERNELS_DIR
                    "/../tests/bugs/neighbour_difference.comp --groups 1 --check "
                    "--buffer 0=iota:u32:1024 --buffer 1=zeros:u32:1024 -o '" +
                    (directory / name) + "'");
    CHECK(outcome.exit_code == 1);
    CHECK(contains(outcome.err, "[shuffle-past-edge]"));
    CHECK(contains(contents_of(directory / name), "shuffle-past-edge"));
  }
}

TEST_CASE_METHOD(RunFixture,
                 "the commands of docs/reference/traces.md run, and show what it says") {
  const std::string text = contents_of(LOCKSTEP_KERNELS_DIR "/../docs/reference/traces.md");
  std::string shown;
  int commands = 0;
  for (std::string line : lines_of(text)) {
    if (!line.starts_with("lockstep trace ") && !line.starts_with("lockstep run ")) continue;
    ++commands;
    INFO(line);
    for (const std::string option : {" -o ", " --trace "})
      if (const std::size_t at = line.find(option); at != std::string::npos)
        line.insert(at + option.size(), directory / "");
    const Outcome outcome = run_program(line.substr(9), "cd '" LOCKSTEP_KERNELS_DIR "/..' && ");
    CHECK(outcome.exit_code == 0);
    shown += outcome.out;
  }
  CHECK(commands == 5);
  // The blocks without a language are parts of the output.
  bool in_block = false, in_output = false;
  int compared = 0;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("```")) {
      in_output = !in_block && line == "```";
      in_block = !in_block;
      continue;
    }
    if (!in_output) continue;
    INFO(line);
    CHECK(contains(shown, line));
    ++compared;
  }
  CHECK(compared == 6);
}
