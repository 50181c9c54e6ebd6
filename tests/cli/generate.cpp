#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_program.hpp"

namespace {

/// The commands that --help lists.
std::vector<std::string> listed_commands() {
  std::istringstream lines(run_program("--help").out);
  std::vector<std::string> names;
  std::string line;
  while (std::getline(lines, line) && line != "Subcommands:") continue;
  while (std::getline(lines, line) && line.starts_with("  "))
    if (line[2] != ' ') names.push_back(line.substr(2, line.find(' ', 2) - 2));
  return names;
}

std::string generated(const std::string& what) {
  const Outcome outcome = run_program("generate " + what);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  return outcome.out;
}

}  // namespace

TEST_CASE("generate describes every command that --help lists, and no hidden one") {
  const std::vector<std::string> commands = listed_commands();
  CHECK(commands.size() > 12);
  const std::string man = generated("man"), bash = generated("bash"), zsh = generated("zsh"),
                    fish = generated("fish");
  for (const std::string& name : commands) {
    INFO(name);
    std::string escaped = name;
    if (const std::size_t at = name.find('-'); at != std::string::npos) escaped.insert(at, "\\");
    CHECK(contains(man, "\n.SS lockstep " + escaped + " "));
    CHECK(contains(bash, "    '" + name + "')\n"));
    CHECK(contains(zsh, "    '" + name + "')\n"));
    CHECK(contains(fish, "-a " + name + " -d "));
  }
  CHECK_FALSE(contains(man, ".SS lockstep generate"));
  CHECK_FALSE(contains(bash, "'generate'"));
}

TEST_CASE("generate has options with values that are known, and hides what --help hides") {
  const std::string man = generated("man"), bash = generated("bash");
  CHECK(contains(man, "\n\\fB\\-\\-convergence\\fR \\fIRULE\\fR\n"));
  CHECK(contains(bash, "--convergence) words='maximal subgroup-uniform core'"));
  CHECK(contains(bash, "amd_wave64"));
  CHECK(contains(bash, "--junit) files=1"));
  CHECK_FALSE(contains(bash, "--worker"));
}

TEST_CASE("generate refuses what it cannot print") {
  CHECK(run_program("generate tcsh").exit_code == 2);
  CHECK(run_program("generate").exit_code == 2);
}
