#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/run_fixture.hpp"

/// \file
/// Statistics, JSON and progress.

namespace {

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

}  // namespace

TEST_CASE_METHOD(RunFixture, "statistics are the same counted and from events") {
  write(directory / "steps.comp", R"(#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint steps[]; };
void main() {
  uint n = gl_GlobalInvocationID.x, count = 0u;
  while (n > 1u) {
    if ((n & 1u) == 0u)
      n /= 2u;
    else
      n = 3u * n + 1u;
    ++count;
  }
  steps[gl_GlobalInvocationID.x] = count;
}
)");
  const std::string how = "@steps.comp --groups 3 --buffer 0=zeros:u32:192 --stats --json ";
  for (const std::string size : {"--subgroup-size 24", "--subgroup-size 128"}) {
    const auto counted = nlohmann::json::parse(run(how + size).out);
    const auto told = nlohmann::json::parse(run(how + size + " --convergence maximal").out);
    CHECK(counted.at("stats") == told.at("stats"));
    CHECK(counted.at("stats").at("divergences") > 0);
    CHECK(counted.at("stats").at("lines").size() > 5);
  }
}

TEST_CASE_METHOD(RunFixture, "stats and JSON tell the same to programs") {
  const Outcome text = run(scan + "--stats");
  INFO(text.err);
  CHECK(text.exit_code == 0);
  CHECK(contains(text.out, "8 subgroups, "));
  const Outcome outcome = run(scan + "--stats --json --device lavapipe_8");
  CHECK(outcome.exit_code == 0);
  const auto told = nlohmann::json::parse(outcome.out);
  CHECK(told.at("subgroup_size") == 8);
  CHECK(told.at("failed") == false);
  CHECK(contains(text.out, "machine code: " + told.at("machine_code").get<std::string>() + "\n"));
  CHECK(told.at("stats").at("subgroups") == 32);
  CHECK(told.at("buffers").at(0).at("elements") == 256);
  CHECK(told.at("buffers").at(0).at("first").at(7) == "28");
}

TEST_CASE_METHOD(RunFixture, "stats count each line's trips and lanes") {
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

TEST_CASE_METHOD(RunFixture, "JSON tells every outcome") {
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
    if (told.contains("findings"))
      CHECK(contains(outcome.err, told.at("findings").at(0).at("message").get<std::string>()));
    else
      CHECK(outcome.err == "lockstep: " + told.at("error").get<std::string>() + "\n");
  }
}

TEST_CASE_METHOD(RunFixture, "a long run shows its progress in a terminal, and Ctrl-C ends it") {
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

TEST_CASE_METHOD(RunFixture, "Ctrl-C names the loop that a shader spins in, and what it reads") {
  write(directory / "spin.comp",
        "#version 450\nlayout(local_size_x = 4) in;\n"
        "layout(binding = 0) coherent buffer Flags { uint flags[]; };\n"
        "void main() {\n  uint n = 0u;\n"
        "  while (\n      atomicAdd(flags[1], 0u) == 0u)\n    ++n;\n  flags[0] = n;\n}\n");
  const Outcome outcome = run_program(
      "run " + expanded("@spin.comp --groups 1 --buffer 0=zeros:u32:4 --max-steps 999999999999"),
      "timeout --preserve-status -s INT 3");
  INFO(outcome.err);
  CHECK(outcome.exit_code == 130);
  CHECK_THAT(outcome.err,
             Catch::Matches("[^]*spin.comp:6: this loop has run [0-9]+ times in lanes 0-3 of "
                            "subgroup 0 of workgroup \\(0, 0, 0\\); if it waits, then for Flags "
                            "in line 7\nlockstep: interrupted[^]*"));
}

TEST_CASE_METHOD(RunFixture, "Ctrl-C names all subgroups that spin, and what others wait for") {
  write(directory / "two.comp",
        "#version 450\n#extension GL_KHR_shader_subgroup_basic : enable\n"
        "layout(local_size_x = 12) in;\n"
        "layout(binding = 0) coherent buffer Flags { uint flags[]; };\n"
        "void main() {\n  if (gl_SubgroupID == 2u)\n"
        "    while (\n        atomicAdd(flags[1], 0u) == 0u) flags[2] = 1u;\n"
        "  if (gl_SubgroupID == 0u)\n    while (atomicAdd(flags[0], 0u) == 0u) flags[3] = 1u;\n"
        "  barrier();\n}\n");
  const std::string inputs =
      expanded("@two.comp --groups 1 --subgroup-size 4 --buffer 0=zeros:u32:4 ");
  const std::string shader = directory / "two.comp";
  for (const std::string& command :
       {"run " + inputs + "--max-steps 999999999999",
        "run " + inputs + "--max-steps 999999999999 --check",
        "trace " + inputs + "--max-steps 999999999999 --max-events 999999999999"}) {
    const Outcome outcome = run_program(command, "timeout --preserve-status -s INT 3");
    INFO(command << "\n" << outcome.err);
    CHECK(outcome.exit_code == 130);
    CHECK_THAT(outcome.err,
               Catch::Matches("[^]*two.comp:10: this loop has run [0-9]+ times in lanes "
                              "0-3 of subgroup 0 of workgroup \\(0, 0, 0\\); if it "
                              "waits, then for Flags in line 10; subgroup 1 waits for "
                              "this one at barrier\\(\\), " +
                              shader + ":11; subgroup 2 waits for its turn\n[^]*"));
    CHECK_THAT(outcome.err,
               Catch::Matches("[^]*two.comp:7: this loop has run [0-9]+ times in lanes 0-3 of "
                              "subgroup 2 of workgroup[^]*; if it waits, then for Flags in line 8; "
                              "subgroup 0 waits for its turn; subgroup 1 [^]*"));
    CHECK_THAT(outcome.err, Catch::Contains("lockstep: interrupted after "));
  }
}

TEST_CASE_METHOD(RunFixture, "Ctrl-C ends a run in which the shader is still compiled") {
  std::string source =
      "#version 450\nlayout(binding = 0) buffer B { uint d[]; };\nvoid main() {\n  uint x = 0u;\n";
  for (int k = 0; k < 300000; ++k) source += "  x = x * 3u + d[" + std::to_string(k % 64) + "];\n";
  write(directory / "large.comp", source + "  d[0] = x;\n}\n");
  const Outcome outcome =
      run_program("run --json " + expanded("@large.comp --groups 1 --buffer 0=zeros:u32:64"),
                  "timeout --preserve-status -s INT 0.3");
  CHECK(outcome.exit_code == 130);
  const auto told = nlohmann::json::parse(outcome.out);
  CHECK(told.at("error") == "interrupted while the shader was compiled; nothing was saved");
  CHECK(told.at("exit_status") == 130);
  CHECK(outcome.err == "lockstep: " + told.at("error").get<std::string>() + "\n");
}
