#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/checks.hpp>
#include <lockstep/exec/finding_error.hpp>
#include <lockstep/spirv/shader.hpp>

/// \file
/// Shaders with one bug each: X.comp has a comment `// BUG rules` in the line where it must be found, and perhaps
/// `// FROM` in that of the other end or the origin. X.repaired.comp must be without findings. `// SIZE 2` runs both in
/// subgroups of 2. The folder explored has bugs that only comparing runs finds; tests/cli/explore_rules.cpp does.

namespace {

using namespace lockstep;
namespace fs = std::filesystem;

const fs::path folder = LOCKSTEP_SOURCE_DIR "/tests/bugs";

/// What the comments of a shader say.
struct Expected {
  int bug = 0, from = 0;
  int size = 32;
  std::vector<std::string> rules;  ///< the first must be found, others may
};

Expected expected_of(const fs::path& path) {
  Expected expected;
  std::ifstream file(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.find("// FROM") != std::string::npos) expected.from = number;
    if (line.starts_with("// SIZE ")) expected.size = std::stoi(line.substr(8));
    const std::size_t at = line.find("// BUG ");
    if (at == std::string::npos) continue;
    expected.bug = number;
    std::istringstream words(line.substr(at + std::string_view("// BUG ").size()));
    for (std::string rule; words >> rule;) expected.rules.push_back(rule);
  }
  return expected;
}

/// The findings of a checked run of 4 workgroups, each buffer with 1024 ascending numbers. A buffer called Address begins
/// with the address of such numbers.
FaultLog findings_of(const fs::path& path, const Convergence* convergence = nullptr) {
  Shader shader = Shader::load(path.string());
  std::vector<std::uint32_t> ascending(1024);
  std::iota(ascending.begin(), ascending.end(), 0u);
  std::vector<std::vector<std::uint32_t>> memory;
  std::vector<std::uint32_t> pointed_to = ascending;
  for (const auto& buffer : shader.interface().buffers) {
    memory.push_back(ascending);
    if (buffer.name == "Address") {
      const std::uint64_t address = shader.address_of(pointed_to);
      std::memcpy(memory.back().data(), &address, sizeof address);
    }
    shader.bind(buffer.set, buffer.binding, memory.back());
  }
  try {
    return shader
        .dispatch({4, 1, 1}, {.subgroup_size = expected_of(path).size,
                              .max_steps = 2000,
                              .convergence = convergence,
                              .checks = Checks::all()})
        .findings;
  } catch (const FindingError& error) {
    FaultLog log;
    log.record(error.finding());
    return log;
  }
}

std::vector<fs::path> shaders(bool repaired) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".comp") && name.ends_with(".repaired.comp") == repaired)
      paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

TEST_CASE("the bug of each shader is found, in its line, and nothing else") {
  for (const fs::path& path : shaders(false)) {
    const Expected expected = expected_of(path);
    const FaultLog log = findings_of(path);
    INFO(path.filename().string() << "\n" << log);
    REQUIRE(!expected.rules.empty());
    std::set<int> lines;
    std::set<std::string> rules;
    for (const Finding& finding : log.findings()) {
      CHECK(std::ranges::find(expected.rules, finding.rule) != expected.rules.end());
      CHECK((finding.where.line == expected.bug || finding.where.line == expected.from));
      rules.emplace(finding.rule);
      lines.insert(finding.where.line);
      lines.insert(finding.origin.line);
      if (finding.other) lines.insert(finding.other->where.line);
    }
    CHECK(rules.contains(expected.rules.front()));
    CHECK(lines.contains(expected.bug));
    if (expected.from > 0) CHECK(lines.contains(expected.from));
  }
}

TEST_CASE("each shader with a bug has a repaired one, without findings") {
  std::size_t found = 0;
  for (const fs::path& path : shaders(true)) {
    INFO(path.filename().string());
    CHECK(to_string(findings_of(path)) == "no findings");
    ++found;
  }
  CHECK(found == shaders(false).size());
  CHECK(found >= 45);
}

TEST_CASE("a reconvergence stack under the checks changes nothing that they find") {
  for (const bool repaired : {false, true}) {
    for (const fs::path& path : shaders(repaired)) {
      INFO(path.filename().string());
      const Convergence maximal;
      // Each shader's memory has an address of its own.
      const auto text = [](const FaultLog& log) {
        return std::regex_replace(to_string(log), std::regex("0x[0-9a-f]+"), "0x");
      };
      CHECK(text(findings_of(path)) == text(findings_of(path, &maximal)));
    }
  }
}
