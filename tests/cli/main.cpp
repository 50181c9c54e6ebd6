#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "cli/run_program.hpp"

TEST_CASE("lockstep --help lists the subcommands and shows an example") {
  for (const char* arguments : {"--help", "-h"}) {
    const Outcome help = run_program(arguments);
    CHECK(help.exit_code == 0);
    CHECK(help.err.empty());
    CHECK(help.out.find("Usage: lockstep ") != std::string::npos);
    CHECK(help.out.find("\n  demo ") != std::string::npos);
    CHECK(help.out.find("\nExample:\n  lockstep demo") != std::string::npos);
  }
}

TEST_CASE("every page of help fits a terminal of 80 columns") {
  for (const std::string command :
       {"", "run", "capture", "check", "explore", "inspect", "survey", "demo", "demo divergence",
        "trace", "serve", "kernels", "run-kernel", "devices", "explain", "lesson", "vulkan"}) {
    const Outcome help = run_program(command + " --help");
    INFO(command);
    CHECK(help.exit_code == 0);
    std::istringstream lines(help.out);
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.size() <= 80);
      CHECK_FALSE(line.ends_with(' '));
    }
    CHECK_FALSE(contains(help.out, "\n\n\n"));
    CHECK(contains(help.out, "Usage: lockstep" + std::string(command.empty() ? "" : " ") + command +
                                 " [OPTIONS]"));
  }
  CHECK(contains(run_program("vulkan --help").out,
                 "Usage: lockstep vulkan [OPTIONS] PROGRAM [ARGUMENT...]\n"));
  // Words that are broken between lines are all there, and once.
  CHECK(contains(run_program("run --help").out,
                 "\n  --workgroup-order HOW\n"
                 "                      The order in which workgroups start: linear (default),\n"
                 "                      reversed, shuffled:SEED, permutation:NUMBER; exact with\n"
                 "                      --threads 1\n"));
}

TEST_CASE("lockstep --version names the version and the instruction set") {
  const Outcome version = run_program("--version");
  CHECK(version.exit_code == 0);
  CHECK(version.err.empty());
  CHECK_THAT(version.out, Catch::Matches(R"(lockstep \d+\.\d+\.\d+ \(\w+_v\d+\)\n)"));
}

TEST_CASE("lockstep explains wrong usage in one line and ends with 2") {
  check_error("", 2, "no subcommand given; see lockstep --help");
  check_error("nonsense", 2,
              "The following argument was not expected: nonsense; see lockstep --help");
  check_error("--nonsense", 2,
              "The following argument was not expected: --nonsense; see lockstep --help");
  check_error("demo --nonsense", 2,
              "The following argument was not expected: --nonsense; see lockstep demo --help");
  check_error("demo \"two\nlines\"", 2,
              "The following argument was not expected: two?lines; see lockstep demo --help");
  // Before the program runs, which may never use Vulkan.
  check_error("vulkan --explore=sizes,colours true", 2,
              "--explore: 'colours' is not a dimension: use one of all, sizes, order, convergence, "
              "switch-grouping, fallthrough, late-break, subgroup-size, mapping, "
              "partial-subgroups, workgroup-order, subgroup-order, side-order, atomic-order, "
              "reduction-order, progress");
}

TEST_CASE("lockstep says what a misspelt word may have been") {
  check_error("expolre x.comp", 2,
              "The following arguments were not expected: x.comp expolre; did you mean explore? "
              "see lockstep --help");
  check_error("run --grups 1", 2,
              "The following argument was not expected: --grups; did you mean --groups? see "
              "lockstep run --help");
  check_error("run x.comp --subgroupsize=4", 2,
              "The following argument was not expected: --subgroupsize=4; did you mean "
              "--subgroup-size? see lockstep run --help");
  check_error("run x.comp --zzzzzzzz", 2,
              "The following argument was not expected: --zzzzzzzz; see lockstep run --help");
}

TEST_CASE("lockstep notices that its output cannot be written") {
  for (const char* arguments : {"--help", "--version", "demo --help", "demo --elements 1"}) {
    const Directory directory;
    const std::string command = "exec >/dev/full; '" LOCKSTEP_PROGRAM "' ";
    const std::string err = directory / "err";
    const int status = std::system((command + arguments + " 2>'" + err + "'").c_str());
    CAPTURE(arguments);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 2);
    CHECK(
        contents_of(err) ==
        "lockstep: the output cannot be written: No space left on device; check its destination\n");
  }
}

TEST_CASE("lockstep keeps its exit code where its errors cannot be written") {
  for (const char* stderr_to : {"2>/dev/full", "2>&-"}) {
    const std::string command = "'" LOCKSTEP_PROGRAM "' nonsense ";
    const int status = std::system((command + stderr_to).c_str());
    CAPTURE(stderr_to);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 2);
  }
}
