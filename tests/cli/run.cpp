#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <sstream>
#include <string>
#include <thread>
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

TEST_CASE_METHOD(Fixture, "a dump that agrees is fine, one that differs is a failure") {
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
  CHECK(contains(other.out, expanded("\n  [0] got 0, expected 9  written by workgroup (0, 0, 0), "
                                     "subgroup 0, lane 0, @scan.comp:8\n")));
  CHECK(contains(other.out, expanded("written by workgroup (1, 0, 0), subgroup 1, lane 5, "
                                     "@scan.comp:8\n")));
}

TEST_CASE_METHOD(Fixture, "the writer of an element that differs is who wrote it last") {
  // Workgroup 2, lane 3 of subgroup 1 at size 4, writes element 1 after all others; nothing writes element 2.
  write(directory / "reverse.comp",
        "#version 450\nlayout(local_size_x = 8) in;\n"
        "layout(binding = 0) buffer B { uint data[]; };\n"
        "layout(binding = 0) buffer Words { uvec2 words[]; };\n"
        "void main() {\n  uint i = gl_GlobalInvocationID.x;\n"
        "  if (i != 2u) data[i] = i;\n  if (i == 23u)\n    words[0] = uvec2(0u, 100u);\n}\n");
  std::vector<std::uint32_t> expected(24);
  std::iota(expected.begin(), expected.end(), 0u);
  expected[2] = 5;
  expected[23] = 7;
  lockstep::npy::write<std::uint32_t>(directory / "dump.npy", expected);
  const std::string command =
      "@reverse.comp --groups 3 --threads 1 --subgroup-size 4 --buffer 0=zeros:u32:24 --against "
      "0=@dump.npy ";
  const Outcome outcome = run(command);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 1);
  CHECK(
      contains(outcome.out, expanded("\n  [1] got 100, expected 1  written by workgroup (2, 0, 0), "
                                     "subgroup 1, lane 3, @reverse.comp:9\n")));
  CHECK(contains(outcome.out, "\n  [2] got 0, expected 5  never written\n"));
  CHECK(
      contains(outcome.out, expanded("\n  [23] got 23, expected 7  written by workgroup (2, 0, 0), "
                                     "subgroup 1, lane 3, @reverse.comp:7\n")));
  const auto told = nlohmann::json::parse(run(command + "--json").out).at("against").at(0);
  CHECK(told.at("first").at(0).at("writer").at("workgroup") == nlohmann::json::array({2, 0, 0}));
  CHECK(told.at("first").at(0).at("writer").at("line") == 9);
  CHECK(told.at("first").at(1).at("writer").is_null());
}

TEST_CASE_METHOD(Fixture, "nothing is said of writers where another order gives other results") {
  // In one order workgroup i takes ticket i; with several threads some take others.
  write(directory / "tickets.comp",
        "#version 450\nlayout(local_size_x = 1) in;\n"
        "layout(binding = 0) buffer B { uint data[]; };\n"
        "layout(binding = 1) buffer C { uint next; };\n"
        "void main() { data[gl_WorkGroupID.x] = atomicAdd(next, 1u); }\n");
  std::vector<std::uint32_t> in_order(65536);
  std::iota(in_order.begin(), in_order.end(), 0u);
  lockstep::npy::write<std::uint32_t>(directory / "dump.npy", in_order);
  const Outcome outcome =
      run("@tickets.comp --groups 65536 --buffer 0=zeros:u32:65536 --buffer 1=zeros:u32:1 "
          "--against 0=@dump.npy");
  CHECK_FALSE(contains(outcome.out, "writ"));
}

TEST_CASE_METHOD(Fixture, "aliases of one binding are one buffer in every output") {
  write(directory / "aliases.comp",
        "#version 450\nlayout(local_size_x = 4) in;\n"
        "layout(binding = 0) writeonly buffer U { uint data[]; } words[2];\n"
        "layout(binding = 0) writeonly buffer V { uvec4 data[]; } vectors[2];\n"
        "layout(binding = 1) readonly buffer R { uint data[]; } r;\n"
        "layout(binding = 1) buffer S { uint data[]; } s;\n"
        "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  words[0].data[i] = i;\n"
        "  if (i == 0u) vectors[1].data[1] = uvec4(7u);\n  s.data[i] = r.data[i] + 1u;\n}\n");
  const std::string command =
      "@aliases.comp --groups 1 --buffer 0=zeros:u32:8 --buffer 0=zeros:u32:8 "
      "--buffer 1=iota:u32:4 ";
  const Outcome saved = run(command + "--save 0=@a.npy --save 0=@b.npy --save 1=@c.npy");
  INFO(saved.out << saved.err);
  CHECK(saved.exit_code == 0);
  CHECK(lockstep::npy::read<std::uint32_t>(directory / "b.npy") ==
        std::vector<std::uint32_t>{0, 0, 0, 0, 7, 7, 7, 7});
  const Outcome again = run(command + "--against 0=@a.npy --against 0=@b.npy --against 1=@c.npy");
  INFO(again.out << again.err);
  CHECK(again.exit_code == 0);
  const auto told = nlohmann::json::parse(run(command + "--json").out);
  REQUIRE(told.at("buffers").size() == 3);
  CHECK(told.at("buffers").at(1).at("first").at(7) == "7");
  CHECK(told.at("buffers").at(2).at("first").at(3) == "4");
  // One of two is enough if the other is not touched.
  write(directory / "one.comp",
        "#version 450\nlayout(binding = 0) buffer U { uint data[]; } words[2];\n"
        "layout(binding = 0) buffer V { float data[]; } floats[2];\n"
        "void main() { words[0].data[0] = 5u; }\n");
  const Outcome one = run("@one.comp --groups 1 --buffer 0=zeros:u32:1");
  CHECK(one.exit_code == 0);
  CHECK(contains(one.out, ": u32 x 1, 5 to 5: 5\n"));
  refused(
      "@one.comp --groups 1 --buffer 0=zeros:u32:1 --buffer 0=zeros:u32:1 --buffer 0=zeros:u32:1",
      "--buffer 0 is given 3 times, but the shader accepts at most 2");
}

TEST_CASE_METHOD(Fixture, "one option is for all elements of an array, others stay unbound") {
  write(directory / "array.comp",
        "#version 450\nlayout(local_size_x = 4) in;\n"
        "layout(binding = 0) buffer U { uint data[]; } b[4];\n"
        "void main() { uint i = gl_LocalInvocationID.x; b[i].data[i] += i; }\n");
  const Outcome all =
      run("@array.comp --groups 1 --buffer '0=fill:u32:4:10*' --save '0[3]=@d.npy'");
  INFO(all.err);
  CHECK(all.exit_code == 0);
  CHECK(lockstep::npy::read<std::uint32_t>(directory / "d.npy") ==
        std::vector<std::uint32_t>{10, 10, 10, 13});
  CHECK(contains(all.out, "buffer 0 (b): u32 x 4, 10 to 10: 10 10 10 10\n"));
  CHECK(contains(all.out, "buffer 0[2] (b): u32 x 4, 10 to 12: 10 10 12 10\n"));
  const Outcome some =
      run("@array.comp --groups 1 --buffer '0=zeros:u32:4*2' --buffer '0[3]=iota:u32:4'");
  CHECK(some.exit_code == 1);  // lane 2 has no memory
  CHECK(contains(some.out, " accesses outside memory:\n"));
  CHECK(contains(some.out, "buffer 0[3] (b): u32 x 4, 0 to 6: 0 1 2 6\n"));
  refused("@array.comp --groups 1 --buffer '0=zeros:u32:4*2' --save '0[2]=@d.npy'",
          "--save 0[2]: it has no contents; give --buffer 0[2]=SPEC");
  refused("@array.comp --groups 1 --buffer '0[1]=zeros:u32:4' --buffer '0[1]=zeros:u32:4'",
          "--buffer 0[1] is given twice; remove one");
  refused("@array.comp --groups 1 --buffer '0=zeros:u32:4*0'",
          "--buffer 0=zeros:u32:4*0: '0' is not a number of elements from 1 to 4096");
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
          "buffer 1 (result) has no contents; give --buffer 1=SPEC; it holds uint data[]");
  refused(scan + "--buffer 7=zeros:u32:1",
          "--buffer 7: the shader has no such buffer; it has 0 (source), 1 (result)");
  refused(scan + "--buffer 1=zeros:u32:1",
          "--buffer 1 is given 2 times, but the shader accepts at most 1");
  refused("@scan.comp --groups 1 --buffer 0=zeros:u32 --buffer 1=zeros:u32:1",
          "--buffer 0='zeros:u32': write zeros:TYPE:N");
  refused(scan + "--push zeros:u32:1", "--push: the shader has no push constants; remove it");
  refused(scan + "--spec 1",
          "--spec '1': write ID=VALUE, a constant_id and a number, true or false");
  refused(scan + "-D 1=2", "-D '1=2': write NAME, NAME=VALUE or NAME(PARAMETERS)=VALUE");
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

TEST_CASE_METHOD(Fixture, "a constant takes values of its type") {
  write(directory / "constant.comp",
        "#version 450\nlayout(constant_id = 5) const uint c = 1;\n"
        "layout(binding = 0) buffer B { uint data; };\nvoid main() { data = c; }\n");
  const std::string command = "@constant.comp --groups 1 --buffer 0=zeros:u32:1 --spec ";
  CHECK(contains(run(command + "5=4294967295").out, ": 4294967295\n"));
  refused(command + "7=1",
          "--spec 7=1: the shader has no specialization constant 7; it has 5 (uint c)");
  for (const std::string value : {"64.7", "5000000000", "-1"})
    refused(command + "5=" + value, "--spec 5=" + value +
                                        ": constant 5 (uint c) takes an integer from 0 to "
                                        "4294967295");
}

TEST_CASE_METHOD(Fixture, "a file of another type than the buffer's is refused unless bits count") {
  lockstep::npy::write<double>(directory / "f64.npy", std::vector<double>(32, 1.0));
  lockstep::npy::write<std::int64_t>(directory / "i64.npy", std::vector<std::int64_t>(32, 3));
  const std::string rest = " --groups 1 --buffer 1=zeros:u32:64 --save 1=@o.npy";
  for (const std::string type : {"f64", "i64"})
    refused("@scan.comp --buffer 0=@" + type + ".npy" + rest,
            "@" + type + ".npy: holds " + type +
                ", but buffer 0 (source) holds uint data[]; save it as u32, or give --bits to take "
                "its bytes");
  const Outcome bits = run("@scan.comp --subgroup-size 1 --bits --buffer 0=@i64.npy" + rest);
  INFO(bits.err);
  CHECK(bits.exit_code == 0);
  CHECK(lockstep::npy::read<std::uint32_t>(directory / "o.npy")[0] == 3);
  // A structure's block has several types; its bytes have none.
  write(directory / "mixed.comp",
        "#version 450\nstruct P { float m; uint n; };\n"
        "layout(binding = 0) buffer B { P p[]; };\nvoid main() { p[1].n = p[0].n; }\n");
  for (const char* type : {"u8", "u32", "f32"}) {
    if (type == std::string("u8"))
      lockstep::npy::write<std::uint8_t>(directory / "m.npy", std::vector<std::uint8_t>(16, 1));
    else if (type == std::string("u32"))
      lockstep::npy::write<std::uint32_t>(directory / "m.npy", std::vector<std::uint32_t>(4, 1));
    else
      lockstep::npy::write<float>(directory / "m.npy", std::vector<float>(4, 1));
    CHECK(run("@mixed.comp --groups 1 --buffer 0=@m.npy").exit_code == 0);
  }
  refused("@mixed.comp --groups 1 --buffer 0=@f64.npy",
          "@f64.npy: holds f64, but buffer 0 (B) holds P p[]; save it as u8 or u32 or f32, or give "
          "--bits to take its bytes");
}

TEST_CASE_METHOD(Fixture, "two results in one file are refused, by any spelling") {
  std::filesystem::create_directory(directory / "sub");
  refused(scan + "--save 0=@x.npy --save 1=@sub/../x.npy",
          "--save: buffer 0 (source) and buffer 1 (result) would both be written to @sub/../x.npy; "
          "name two files");
}

TEST_CASE_METHOD(Fixture, "a macro may have parameters, and a buffer its name") {
  write(directory / "macro.comp",
        "#version 450\nlayout(binding = 3) buffer B { uint data; } result;\n"
        "void main() { result.data = TWICE(21u) + f(); }\n");
  const Outcome outcome =
      run("@macro.comp --groups 1 -D 'TWICE(x)=((x)*2u)' -D 'f()=1u' --buffer result=zeros:u32:1");
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, ": 43\n"));
}

TEST_CASE_METHOD(Fixture, "assembly of any version of SPIR-V runs") {
  // Before 1.4 entry points do not list buffers.
  const std::string module = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block BufferBlock
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%seven = OpConstant %uint 7
%block = OpTypeStruct %uint
%to_block = OpTypePointer Uniform %block
%to_uint = OpTypePointer Uniform %uint
%out = OpVariable %to_block Uniform
%main = OpFunction %void None %main_type
%entry = OpLabel
%place = OpAccessChain %to_uint %out %zero
OpStore %place %seven
OpReturn
OpFunctionEnd
)";
  write(directory / "named.spvasm", "; SPIR-V\n; Version: 1.0\n" + module);
  write(directory / "bare.asm.comp", module);
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
          "'spirv7' is not a target: write vulkan1.0 to vulkan1.3, or spv1.0 to spv1.6");
}

TEST_CASE_METHOD(Fixture, "shaders with addresses run unmodified") {
  // A list in memory that only addresses reach: each node has the next one's address and a number.
  write(directory / "list.comp",
        "#version 460\n#extension GL_EXT_buffer_reference : require\n"
        "layout(local_size_x = 1) in;\nlayout(buffer_reference) buffer Node;\n"
        "layout(buffer_reference) buffer Node { Node next; uint value; uint pad; };\n"
        "layout(binding = 2) buffer Result { uint sum; uint more; Node last; } result;\n"
        "layout(push_constant) uniform P { uint count; float scale; Node first; };\n"
        "void main() {\n  Node node = first;\n  uint sum = 0u;\n"
        "  for (uint k = 0u; k < count; ++k) { sum += node.value; node = node.next; }\n"
        "  node.value = 77u;\n  result.sum = uint(float(sum) * scale) + result.last.value;\n}\n");
  std::vector<std::uint32_t> nodes(3 * 4);
  for (std::uint32_t k = 0; k < 3; ++k) nodes[k * 4 + 2] = 10 * (k + 1);
  lockstep::npy::write<std::uint32_t>(directory / "nodes.npy", nodes);
  const std::string command =
      "@list.comp --groups 1 --buffer nodes=@nodes.npy --buffer 2=zeros:u32:4 "
      "--push 'u32:2 f32:1.5 addr:nodes+32' --address nodes+32=nodes --address nodes+0=nodes+16 "
      "--address result+8=nodes+16 ";
  const Outcome outcome = run(command + "--save nodes=@out.npy");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "buffer 2 (result): u32 x 4, "));
  // (30 + 10) * 1.5, and 77 in the node after them.
  CHECK(contains(outcome.out, ": 137 0 "));
  CHECK(lockstep::npy::read<std::uint32_t>(directory / "out.npy")[4 + 2] == 77);
  refused(command + "--address nodes+48=2",
          "--address nodes+48=2: byte 48 is outside memory nodes, which has 48");
  refused(command + "--address 2+0=gone",
          "--address 2+0=gone: gone has no contents; give --buffer gone=SPEC");
  refused("@list.comp --groups 1 --buffer 2=zeros:u32:4 --push 'u32:2 f32:1.5 addr:nodes'",
          "--push: nodes has no contents; give --buffer nodes=SPEC");
}

TEST_CASE_METHOD(Fixture, "images and samplers come from the command line") {
  write(directory / "image.comp",
        "#version 450\nlayout(local_size_x = 4, local_size_y = 4) in;\n"
        "layout(binding = 0, rgba8) uniform readonly image2D source;\n"
        "layout(binding = 1, r32f) uniform image2D target;\n"
        "layout(binding = 2) uniform sampler2D ramp;\n"
        "layout(binding = 3) uniform texture2D plain;\nlayout(binding = 4) uniform sampler how;\n"
        "void main() {\n  ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
        "  float x = textureLod(ramp, vec2(float(p.x) / 4.0 + 0.25, 0.5), 0.0).x;\n"
        "  float y = textureLod(sampler2D(plain, how), vec2(-1.0), 0.0).x;\n"
        "  imageStore(target, p, vec4(imageLoad(source, p).y + x + y));\n}\n");
  // Of each texel green is 51 * (x + 1) / 255; the ramp is 0, 8 and linear between; the border is 1.
  std::vector<std::uint8_t> texels(4 * 4 * 4);
  for (std::size_t k = 0; k < 16; ++k)
    texels[4 * k + 1] = static_cast<std::uint8_t>(51 * (k % 4 + 1));
  lockstep::npy::write<std::uint8_t>(directory / "texels.npy", texels);
  const std::string command =
      "@image.comp --groups 1 --image 0=rgba8:4x4:@texels.npy --image target=r32f:4x4:zeros "
      "--image 2=r32f:2x1:@ramp.npy --sampler 2=linear,clamp_to_edge --image 3=r8:1x1:zeros "
      "--sampler 4=nearest,clamp_to_border,opaque_white ";
  lockstep::npy::write<float>(directory / "ramp.npy", std::vector<float>{0, 8});
  const Outcome outcome = run(command + "--save 1=@out.npy --save 0=@in.png");
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const lockstep::npy::Array out = lockstep::npy::read(directory / "out.npy");
  CHECK(out.shape == std::vector<std::size_t>{1, 4, 4, 1});
  const float ramp[] = {0, 4, 8, 8};
  for (std::size_t k = 0; k < 16; ++k)
    CHECK(out.values<float>()[k] == Approx(0.2f * static_cast<float>(k % 4 + 1) + ramp[k % 4] + 1));
  // The PNG has the texels that were given.
  const Outcome again =
      run("@image.comp --groups 1 --image 0=rgba8:@in.png --image target=r32f:4x4:zeros "
          "--image 2=r32f:2x1:@ramp.npy --sampler 2=linear,clamp_to_edge --image 3=r8:1x1:zeros "
          "--sampler 4=nearest,clamp_to_border,opaque_white --against target=@out.npy");
  CHECK(again.exit_code == 0);
  CHECK(contains(again.out, "image 1 (target): 16 elements agree with "));
  refused("@image.comp --groups 1",
          "image 0 (source) has no texels; give --image 0=FORMAT:WxH:SPEC; it is image2D, rgba8");
  refused(
      "@image.comp --groups 1 --image '0=rgba8:1x1:zeros' --image 1=r32f:1x1:zeros "
      "--image 2=r8:1x1:zeros --image 3=r8:1x1:zeros",
      "sampler 2 (ramp) is not given; give --sampler 2=linear,repeat or other words");
  refused(scan + "--save 1=@x.png",
          "--save @x.png: buffer 1 (result) is not an image; write a .npy file");
}

TEST_CASE_METHOD(Fixture, "lanes and workgroups run in the order that the user chooses") {
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
          "--workgroup-order up: write linear, reversed or shuffled:SEED");
  refused(command + "--mapping shuffled:x",
          "--mapping shuffled:x: write linear, reversed, shuffled:SEED or quads");
}

TEST_CASE_METHOD(Fixture, "a device runs at the sizes of its range") {
  const Outcome outcome = run(scan + "--device amd_wave64 --subgroup-size 32 --save 1=@out.npy");
  INFO(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(lockstep::npy::read<std::uint32_t>(directory / "out.npy") == sums(256, 32));
  for (const std::string size : {"16", "24", "128"})
    CHECK(run(scan + "--device amd_wave64 --subgroup-size " + size).exit_code == 2);
}

TEST_CASE_METHOD(Fixture, "shaders that are too large for the compiler are refused") {
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

TEST_CASE_METHOD(Fixture, "float modes that the engine does not have are refused by name") {
  const std::string source =
      "#version 450\n#extension GL_EXT_spirv_intrinsics : require\n"
      "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [CAP], MODE, "
      "32);\nlayout(binding = 0) buffer B { float d[]; };\n"
      "void main() { d[1] = d[0] * 0.5; }\n";
  write(directory / "mode.comp", source);
  const std::string rest = " --groups 1 --buffer 0=fill:f32:2:2e-38";
  for (const std::string mode :
       {"-D CAP=4464 -D MODE=4459", "-D CAP=4466 -D MODE=4461", "-D CAP=4467 -D MODE=4462"}) {
    const Outcome outcome = run("@mode.comp " + mode + rest);
    INFO(mode << outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.out, ": 2e-38 1e-38\n"));  // a denormal
  }
  refused("@mode.comp -D CAP=4465 -D MODE=4460" + rest,
          "@mode.comp: OpExecutionMode: is not supported: the execution mode DenormFlushToZero: "
          "denormals are kept here");
  refused("@mode.comp -D CAP=4468 -D MODE=4463" + rest,
          "@mode.comp: OpExecutionMode: is not supported: the execution mode RoundingModeRTZ: "
          "results are rounded to nearest even");
}

TEST_CASE_METHOD(Fixture, "JSON tells every outcome") {
  write(directory / "loop.comp",
        "#version 450\nlayout(binding = 0) buffer B { uint data[]; };\n"
        "void main() {\n  while (data[0] == 0u) data[1] += 1u;\n}\n");
  write(directory / "part.comp",
        "#version 450\nlayout(local_size_x = 8) in;\nvoid main() {\n"
        "  if (gl_LocalInvocationIndex == 5u) return;\n  barrier();\n}\n");
  const std::pair<std::string, int> outcomes[] = {
      {"@loop.comp --groups 1 --max-steps 1000 --buffer 0=zeros:u32:2", 1},
      {"@part.comp --groups 1", 1},
      {"@scan.comp --groups 1 --buffer 0=iota:u32:64 --buffer 1=zeros:u32:60", 1},
      {"@scan.comp --groups 1", 2},
      {"@scan.comp --groups x", 2},
      {"@gone.comp --groups 1", 2},
      {"@scan.comp --no-such-option", 2},
      {"", 2},
      {scan, 0},
  };
  for (const auto& [arguments, exit_code] : outcomes) {
    INFO(arguments);
    const Outcome outcome = run(arguments + " --json");
    CHECK(outcome.exit_code == exit_code);
    const auto told = nlohmann::json::parse(outcome.out);
    CHECK(told.at("failed") == (exit_code != 0));
    if (exit_code == 0 || told.contains("faults")) continue;
    CHECK(told.at("exit_status") == exit_code);
    CHECK(outcome.err == "lockstep: " + told.at("error").get<std::string>() + "\n");
  }
}

/// What the command prints to a terminal of 100 columns, in some seconds after which it gets Ctrl-C.
std::string shown_in_terminal(const std::string& command, unsigned seconds) {
  winsize size{.ws_row = 25, .ws_col = 100, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  REQUIRE(child >= 0);
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  std::this_thread::sleep_for(std::chrono::seconds(seconds));
  CHECK(write(terminal, "\x03", 1) == 1);
  std::string shown;
  char part[4096];
  for (ssize_t count; (count = read(terminal, part, sizeof part)) > 0;)
    shown.append(part, static_cast<std::size_t>(count));
  close(terminal);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  return shown;
}

TEST_CASE_METHOD(Fixture, "a long run shows its progress in a terminal, and Ctrl-C ends it") {
  write(directory / "long.comp",
        "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer B { uint data[]; "
        "};\n"
        "void main() {\n  uint x = gl_LocalInvocationID.x;\n"
        "  for (uint k = 0u; k < 1000u; ++k) x = x * 3u + k;\n  data[gl_LocalInvocationID.x] = "
        "x;\n}\n");
  const std::string arguments =
      "@long.comp --groups 4294967295 --buffer 0=zeros:u32:64 --save 0=@o.npy";
  const std::string shown =
      shown_in_terminal(expanded("exec '" LOCKSTEP_PROGRAM "' run " + arguments), 3);
  INFO(shown);
  CHECK_THAT(shown,
             Catch::Matches("[^]*\\[[.#]{20}\\] +[0-9.]+ %  [0-9]+ of 4294967295 workgroups, "
                            "[0-9. kM]+/s, [0-9]+ (s|min|h|days|years) left[^]*"));
  CHECK_THAT(shown,
             Catch::Matches("[^]*lockstep: interrupted after [0-9]+ of 4294967295 workgroups "
                            "and [0-9]+ s; nothing was saved\r\n"));
  CHECK_FALSE(std::filesystem::exists(directory / "o.npy"));

  const Outcome piped =
      run_program("run --json " + expanded(arguments), "timeout --preserve-status -s INT 2");
  CHECK(piped.exit_code == 130);
  CHECK(std::ranges::count(piped.err, '\n') == 1);
  const auto told = nlohmann::json::parse(piped.out);
  CHECK(told.at("failed") == true);
  CHECK(told.at("workgroups") == 4294967295);
  CHECK(told.at("workgroups_done") > 0);
  CHECK(piped.err == "lockstep: " + told.at("error").get<std::string>() + "\n");
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
  std::istringstream lines(help.out);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 100);
  }
}
