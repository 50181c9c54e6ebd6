#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/run_program.hpp"
#include "npy/npy.hpp"

namespace {

const std::string scan_source = R"(#version 450
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint data[]; } source;
layout(binding = 1) writeonly buffer Out { uint data[]; } result;
void main() {
  const uint i = gl_GlobalInvocationID.x;
  result.data[i] = subgroupInclusiveAdd(source.data[i]);
}
)";

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// The sums of 1, 2, 3 ... within each subgroup.
std::vector<std::uint32_t> sums(std::size_t count, std::size_t subgroup_size) {
  std::vector<std::uint32_t> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t in_group = i % 64;
    const std::size_t first = in_group / subgroup_size * subgroup_size;
    for (std::size_t k = first; k <= in_group; ++k)
      result[i] += static_cast<std::uint32_t>(i / 64 * 64 + k);
  }
  return result;
}

/// The output and exit code of a run; its arguments may name files of the directory as @name.
struct Fixture {
  Directory directory;

  Fixture() { write(directory / "scan.comp", scan_source); }

  std::string expanded(std::string text) const {
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at))
      text.replace(at, 1, directory / "");
    return text;
  }
  Outcome run(const std::string& arguments) const {
    return run_program("run " + expanded(arguments));
  }
  void refused(const std::string& arguments, const std::string& line) const {
    check_error("run " + expanded(arguments), 2, expanded(line));
  }
};

const std::string scan = "@scan.comp --groups 4 --buffer 0=iota:u32:256 --buffer 1=zeros:u32:256 ";

/// Loops that lanes leave after different numbers of iterations, by their tests, a break and a continue.
const std::string loops_source = R"(#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint d[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint n = (i * 5u) % 11u;
  uint x = 0u;
  for (uint k = 0u; k < n; ++k) {
    x += k;
    if ((k + i) % 3u == 0u) {
      x *= 3u;
      continue;
    }
    uint j = k;
    do {
      x ^= j;
      j += 2u;
    } while (j < i % 6u);
    if (x % 17u == 5u)
      break;
    x += 7u;
  }
  d[i] = x;
}
)";

/// A line of loops.comp that a lane executes, with the iterations of the enclosing loops.
struct Executed {
  std::uint32_t line, outer = 0, inner = 0;
  auto operator<=>(const Executed&) const = default;
};

/// The expected execution of loops.comp by invocation i, line by line.
std::vector<Executed> lines_of_loops(std::uint32_t i) {
  std::vector<Executed> lines{{5}, {6}, {7}};
  const std::uint32_t n = (i * 5) % 11;
  std::uint32_t x = 0;
  for (std::uint32_t k = 0;; ++k) {
    lines.push_back({8, k});
    if (k >= n) break;
    lines.push_back({9, k});
    lines.push_back({10, k});
    x += k;
    if ((k + i) % 3 == 0) {
      lines.push_back({11, k});
      lines.push_back({12, k});
      x *= 3;
      continue;
    }
    lines.push_back({14, k});
    std::uint32_t j = k, trip = 0;
    do {
      for (const std::uint32_t line : {16U, 17U, 18U}) lines.push_back({line, k, trip});
      ++trip;
      x ^= j;
      j += 2;
    } while (j < i % 6);
    lines.push_back({19, k});
    if (x % 17 == 5) {
      lines.push_back({20, k});
      break;
    }
    lines.push_back({21, k});
    x += 7;
  }
  lines.push_back({23});
  return lines;
}

/// Loops and selections on one line each.
const std::string one_line_source = R"(#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint d[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, x = 0u;
  for (uint k = 0u; k < i * 5u % 7u; ++k) x += k;
  uint j = 0u;
  do j += 3u; while (j < i % 11u);
  if (i % 3u == 0u) x += j; else x ^= j;
  while (true) if (x++ % 4u == 3u) break;
  switch (i % 4u) { case 0u: x += 1u; case 1u: x += 2u; break; default: x *= 2u; }
  for (uint k = 0u; k < 2u; ++k) for (uint m = 0u; m < i % 3u; ++m) x += m;
  x += (i % 2u == 0u || x % 3u == 0u) ? 5u : 6u;
  d[i] = x;
}
)";

/// The expected execution of one_line.comp by invocation i: a line once, and once more for each
/// further iteration of its loops.
std::vector<Executed> lines_of_one_line(std::uint32_t i) {
  std::vector<Executed> lines{{5}, {7}, {9}, {11}, {13}, {14}};
  std::uint32_t x = 0, j = 0;
  for (std::uint32_t k = 0; k <= i * 5 % 7; ++k) {
    lines.push_back({6, k});
    if (k < i * 5 % 7) x += k;
  }
  for (std::uint32_t trip = 0; trip == 0 || j < i % 11; ++trip) {
    lines.push_back({8, trip});
    j += 3;
  }
  x = i % 3 == 0 ? x + j : x ^ j;
  for (std::uint32_t trip = 0;; ++trip) {
    lines.push_back({10, trip});
    if (x++ % 4 == 3) break;
  }
  for (std::uint32_t k = 0; k < 2; ++k) {
    for (std::uint32_t m = 0; m <= i % 3; ++m) lines.push_back({12, k, m});
  }
  lines.push_back({12, 2});
  return lines;
}

/// How often subgroups executed each line, and with how many lanes, if lanes in the same iterations
/// of a line's loops execute it together.
std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> heat_of(
    std::vector<Executed> (*lines_of)(std::uint32_t), std::uint32_t invocations,
    std::uint32_t subgroup_size) {
  std::map<std::pair<std::uint32_t, Executed>, std::uint64_t> lanes;
  for (std::uint32_t i = 0; i < invocations; ++i) {
    const std::uint32_t subgroup = i / 64 * 64 + i % 64 / subgroup_size;
    for (const Executed& executed : lines_of(i)) ++lanes[{subgroup, executed}];
  }
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> heat;
  for (const auto& [where, count] : lanes) {
    ++heat[where.second.line].first;
    heat[where.second.line].second += count;
  }
  return heat;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "run saves what a shader writes, at any subgroup size") {
  for (const std::size_t size : {1U, 3U, 8U, 24U, 32U, 64U, 100U, 128U}) {
    const Outcome outcome = run(scan + "--save 1=@out.npy --subgroup-size " + std::to_string(size));
    INFO(size << ": " << outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out.empty());
    CHECK(lockstep::npy::read<std::uint32_t>(directory / "out.npy") == sums(256, size));
  }
}

TEST_CASE_METHOD(Fixture, "a file's type is kept, a buffer that is not saved is summed up") {
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

TEST_CASE_METHOD(Fixture, "blocks that share a binding are one buffer") {
  // The reading block comes first, or last.
  const std::string reads = "layout(binding = 0) readonly buffer R { uint data[]; } r;\n";
  const std::string writes = "layout(binding = 0) buffer W { uint data[]; } w;\n";
  for (const std::string& blocks : {writes + reads, reads + writes}) {
    write(directory / "shared.comp",
          "#version 450\nlayout(local_size_x = 4) in;\n" + blocks +
              "void main() { uint i = gl_GlobalInvocationID.x; w.data[i] = r.data[i] + 5; }\n");
    const Outcome summary = run("@shared.comp --groups 1 --buffer 0=iota:u32:4");
    INFO(blocks << summary.err);
    CHECK(summary.exit_code == 0);
    CHECK(summary.out == "buffer 0 (w): u32 x 4, 5 to 8: 5 6 7 8\n");
    const Outcome saved = run("@shared.comp --groups 1 --buffer 0=iota:u32:4 --save 0=@out.npy");
    CHECK(saved.exit_code == 0);
    CHECK(lockstep::npy::read<std::uint32_t>(directory / "out.npy") ==
          std::vector<std::uint32_t>{5, 6, 7, 8});
  }
}

TEST_CASE_METHOD(Fixture, "macros, includes, constants and push constants reach the shader") {
  std::filesystem::create_directory(directory / "inc");
  write(directory / "inc/add.h", "uint add(uint a, uint b) { return a + b + EXTRA; }\n");
  write(directory / "all.comp",
        "#version 450\n#include \"add.h\"\nlayout(constant_id = 5) const uint c = 1;\n"
        "layout(push_constant) uniform P { uint p; };\n"
        "layout(binding = 0) buffer B { uint data[]; };\n"
        "#ifdef ON\nvoid main() { data[0] = add(c, p); }\n#endif\n");
  const Outcome outcome =
      run("@all.comp --groups 1 -D EXTRA=1000 -D ON -I @inc --spec 5=20 --push fill:u32:1:300 "
          "--buffer 0=zeros:u32:1");
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, ": u32 x 1, 1320 to 1320: 1320\n"));
}

TEST_CASE_METHOD(Fixture, "a dump that agrees is fine, one that differs is a failure with places") {
  std::vector<std::uint32_t> dump = sums(256, 16);
  lockstep::npy::write<std::uint32_t>(directory / "dump.npy", dump);
  const std::string against = scan + "--subgroup-size 16 --save 1=@o.npy --against 1=@dump.npy";
  const Outcome same = run(against);
  CHECK(same.exit_code == 0);
  CHECK(contains(same.out, ": 256 elements agree with "));

  dump[0] = 9;
  dump[64 + 16 + 5] += 1;
  lockstep::npy::write<std::uint32_t>(directory / "dump.npy", dump);
  const Outcome other = run(against);
  CHECK(other.exit_code == 1);
  CHECK(contains(other.out, ": 2 of 256 elements differ from "));
  CHECK(
      contains(other.out, "\n  [0] got 0, expected 9  workgroup (0, 0, 0), subgroup 0, lane 0\n"));
  CHECK(contains(other.out, "workgroup (1, 0, 0), subgroup 1, lane 5\n"));
}

TEST_CASE_METHOD(Fixture, "accesses outside a buffer are told, and fail") {
  const Outcome outcome =
      run("@scan.comp --groups 1 --buffer 0=iota:u32:64 --buffer 1=zeros:u32:60");
  CHECK(outcome.exit_code == 1);
  CHECK(contains(outcome.out, "4 accesses outside memory:\n"));
  CHECK(contains(outcome.out, "scan.comp:8: error: write to byte 240 of "));
  CHECK(contains(outcome.out,
                 ", which has 240 bytes [out-of-bounds], workgroup (0, 0, 0), subgroup 1, lanes "
                 "28-31, 4 times\n"));
  const auto told = nlohmann::json::parse(
      run("@scan.comp --json --groups 1 --buffer 0=iota:u32:64 --buffer 1=zeros:u32:60").out);
  CHECK(told.at("faults") == 4);
  const auto& finding = told.at("findings").at(0);
  CHECK(finding.at("rule") == "out-of-bounds");
  CHECK(finding.at("line") == 8);
  CHECK(finding.at("lanes") == nlohmann::json::array({28, 29, 30, 31}));
  CHECK(finding.at("access").at("object").at("binding") == 1);
  CHECK(finding.at("access").at("index") == 240);
}

TEST_CASE_METHOD(Fixture, "stats and JSON tell the same to programs") {
  const Outcome text = run(scan + "--stats");
  INFO(text.err);
  CHECK(text.exit_code == 0);
  CHECK(contains(text.out, "8 subgroups, "));
  CHECK(contains(text.out, "machine code: none (the tangled machine has none)\n"));
  const Outcome outcome = run(scan + "--stats --json --device lavapipe_8");
  CHECK(outcome.exit_code == 0);
  const auto told = nlohmann::json::parse(outcome.out);
  CHECK(told.at("subgroup_size") == 8);
  CHECK(told.at("failed") == false);
  CHECK(told.at("machine_code") == "none (the tangled machine has none)");
  CHECK(told.at("stats").at("subgroups") == 32);
  CHECK(told.at("buffers").at(0).at("elements") == 256);
  CHECK(told.at("buffers").at(0).at("first").at(7) == "28");
}

TEST_CASE_METHOD(Fixture, "stats count each line's trips and lanes") {
  struct Case {
    const std::string& source;
    std::vector<Executed> (*lines_of)(std::uint32_t);
  };
  for (const auto& [source, lines_of] :
       {Case{loops_source, lines_of_loops}, Case{one_line_source, lines_of_one_line}}) {
    write(directory / "loops.comp", source);
    for (const std::uint32_t size : {1U, 3U, 8U, 24U, 32U, 64U, 128U}) {
      const Outcome outcome =
          run("@loops.comp --groups 2 --buffer 0=zeros:u32:128 --stats --json --subgroup-size " +
              std::to_string(size));
      INFO(size << ": " << outcome.err << source);
      REQUIRE(outcome.exit_code == 0);
      const auto stats = nlohmann::json::parse(outcome.out).at("stats");
      const auto expected = heat_of(lines_of, 128, size);
      CHECK(stats.at("lines").size() == expected.size());
      std::uint64_t times = 0, lanes = 0;
      for (const auto& line : stats.at("lines")) {
        const auto number = line.at("line").get<std::uint32_t>();
        INFO("line " << number);
        REQUIRE(expected.count(number) == 1);
        CHECK(line.at("file") == directory / "loops.comp");
        CHECK(line.at("times") == expected.at(number).first);
        CHECK(line.at("lanes") == expected.at(number).second);
      }
      for (const auto& [number, line] : expected) {
        times += line.first;
        lanes += line.second;
      }
      CHECK(stats.at("lines_executed") == times);
      CHECK(stats.at("utilisation").get<double>() ==
            Approx(static_cast<double>(lanes) / (static_cast<double>(times) * size)));
    }
  }
}

TEST_CASE_METHOD(Fixture, "a device has its own subgroup size") {
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

TEST_CASE_METHOD(Fixture, "what a device lacks is refused by name before anything runs") {
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

TEST_CASE_METHOD(Fixture, "what a shader prints is printed") {
  write(directory / "print.comp",
        "#version 450\n#extension GL_EXT_debug_printf : enable\nlayout(local_size_x = 3) in;\n"
        "void main() { debugPrintfEXT(\"lane %u\", gl_LocalInvocationID.x); }\n");
  CHECK(run("@print.comp --groups 1").out == "lane 0\nlane 1\nlane 2\n");
}

TEST_CASE_METHOD(Fixture, "weak rules change what lanes see") {
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

TEST_CASE_METHOD(Fixture, "wrong usage is refused in one line") {
  refused("", "FILE is required; see lockstep run --help");
  refused("@scan.comp", "--groups is missing; give the numbers of workgroups as X, X,Y or X,Y,Z");
  refused("@scan.txt --groups 1",
          "@scan.txt: has an unknown file extension; give a .comp, .glsl, .spvasm, .spv or .amber "
          "file");
  refused("@scan.comp @scan.comp --groups 1",
          "one shader runs at a time; give one, or several .amber files");
  refused("@scan.comp --groups 0",
          "--groups '0': write X, X,Y or X,Y,Z, the workgroups in each dimension from 1");
  refused("@scan.comp --groups 1 --buffer 0=zeros:u32:64",
          "buffer 1 (result) has no contents; give --buffer 1=SPEC");
  refused(scan + "--buffer 7=zeros:u32:1",
          "--buffer 7: the shader has no such buffer; it has 0 (source), 1 (result)");
  refused(scan + "--buffer 1=zeros:u32:1",
          "--buffer 1 is given 2 times, but the shader accepts at most 1");
  refused("@scan.comp --groups 1 --buffer 0=zeros:u32 --buffer 1=zeros:u32:1",
          "--buffer 0='zeros:u32': write zeros:TYPE:N");
  refused(scan + "--push zeros:u32:1", "--push: the shader has no push constants; remove it");
  refused(scan + "--spec 1",
          "--spec '1': write ID=VALUE, a constant_id and a number, true or false");
  refused(scan + "-D 1=2", "-D '1=2': write NAME or NAME=VALUE");
  refused(scan + "--device toaster",
          "--device toaster: there is no such profile; lockstep devices lists them");
  refused(scan + "--junit @x.xml", "--junit is for Amber scripts; remove it, or use --json");
  CHECK(run(scan + "--subgroup-size 0").exit_code == 2);
  CHECK(run(scan + "--subgroup-size 129").exit_code == 2);
  CHECK(run(scan + "--subgroup-size 8 --device nvidia").exit_code == 2);
  CHECK(run(scan + "--choose sometimes").exit_code == 2);
  CHECK(run(scan + "--save 1=@gone/x.npy").exit_code == 2);
  CHECK(run("@gone.comp --groups 1").exit_code == 2);
}

TEST_CASE_METHOD(Fixture, "dumps of another type or size are refused") {
  lockstep::npy::write<float>(directory / "f.npy", std::vector<float>(256));
  refused(scan + "--against 1=@f.npy",
          "@f.npy: holds f32, but buffer 1 (result) holds u32; save it as u32");
  lockstep::npy::write<std::uint32_t>(directory / "s.npy", std::vector<std::uint32_t>(255));
  refused(
      scan + "--against 1=@s.npy",
      "@s.npy: has 1020 bytes of values, but buffer 1 (result) has 1024; dump the whole buffer");
}

TEST_CASE_METHOD(Fixture, "a shader that does not compile is refused with file and line") {
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

TEST_CASE_METHOD(Fixture, "an endless loop ends at the limit of steps") {
  write(directory / "loop.comp",
        "#version 450\nlayout(binding = 0) buffer B { uint data[]; };\n"
        "void main() {\n  while (data[0] == 0u) data[1] += 1u;\n}\n");
  const Outcome outcome = run("@loop.comp --groups 1 --max-steps 1000 --buffer 0=zeros:u32:2");
  CHECK(outcome.exit_code == 1);
  CHECK(std::ranges::count(outcome.err, '\n') == 1);
  CHECK(contains(outcome.err, "loop.comp:4"));
}

TEST_CASE_METHOD(Fixture, "a barrier that not all reach is an error, or a note of a lenient run") {
  const std::string body =
      "layout(local_size_x = 8) in;\nlayout(binding = 0) buffer B { uint data[]; };\n"
      "void main() {\n  uint i = gl_LocalInvocationIndex;\n  if (i == 5u) return;\n  barrier();\n"
      "  data[i] = i;\n}\n";
  write(directory / "part.comp", "#version 450\n" + body);
  const std::string command = "@part.comp --groups 1 --buffer 0=fill:u32:8:9 ";
  const Outcome refused = run(command);
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err,
             Catch::StartsWith(expanded("lockstep: @part.comp:7: barrier() is not ")) &&
                 Catch::Contains("lanes 0-4,6-7 wait, lanes 5 have returned"));
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

TEST_CASE_METHOD(Fixture, "run takes Amber scripts, one or many") {
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
          "--groups is for shaders; an Amber script sets this itself: remove it");

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
  for (const char* part : {"--groups G", "--buffer [SET:]BINDING=SPEC", "random:TYPE:N:SEED",
                           "\nExamples:\n  lockstep run "})
    CHECK(contains(help.out, part));
}
