#include <lockstep/exec/checks.hpp>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/exec/finding_error.hpp>
#include <lockstep/spirv/shader.hpp>

namespace {

using namespace lockstep;

/// What a checked run of an example finds.
FaultLog findings_of(const CheckInfo& info, std::string_view statements, Checks checks) {
  const std::string text =
      std::string(check_declarations()) + "void main() {\n" + std::string(statements) + "\n}\n";
  Shader shader = Shader::from_glsl(text, {}, "example.comp");
  std::vector<std::uint32_t> data(128), plain(128), lock(1), pairs(128);
  std::iota(data.begin(), data.end(), 0u);
  std::vector<std::uint64_t> address{shader.address_of(pairs)};
  shader.bind(0, data).bind(1, plain).bind(2, lock).bind(3, address);
  DispatchSettings settings{.subgroup_size = info.subgroup_size, .max_steps = 1000};
  settings.checks = checks;
  try {
    return shader.dispatch({2, 1, 1}, settings).findings;
  } catch (const FindingError& error) {
    FaultLog log;
    log.record(error.finding());
    return log;
  }
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("the wrong example of each rule breaks it, and the right one breaks none") {
  for (const CheckInfo& info : all_checks()) {
    INFO(info.name);
    if (info.explored) {  // tests/cli/explore_rules.cpp
      CHECK(to_string(findings_of(info, info.right, Checks::all())) == "no findings");
      continue;
    }
    const FaultLog wrong = findings_of(info, info.wrong, {info.check});
    INFO(wrong);
    REQUIRE(wrong.count() > 0);
    for (const Finding& finding : wrong.findings()) {
      CHECK(finding.rule == info.name);
      CHECK(finding.severity == info.severity);
      CHECK(finding.where.line > 0);
    }
    CHECK(to_string(findings_of(info, info.right, Checks::all())) == "no findings");
  }
}

TEST_CASE("docs/reference/rules.md is the table of rules") {
  const std::string path = LOCKSTEP_SOURCE_DIR "/docs/reference/rules.md";
  if (const char* update = std::getenv("LOCKSTEP_UPDATE_DOCS");
      update != nullptr && *update == '1') {
    std::ofstream(path, std::ios::binary) << checks_to_markdown();
  }
  INFO("to regenerate it: LOCKSTEP_UPDATE_DOCS=1 ctest -R check/page");
  CHECK((text_of(path) == checks_to_markdown()));
}

}  // namespace
