#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_program.hpp"

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
  for (const std::string& line : lines_of(help.out)) CHECK(line.size() <= 100);
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

TEST_CASE("trace watches the subgroup it is told to") {
  const Outcome outcome = run_program("trace prefix_sum --subgroup-size 24 --subgroup 42");
  CHECK(outcome.exit_code == 0);
  CHECK(contains(outcome.out, "subgroup 42 of workgroup 0: 16 of 24 lanes"));
}

TEST_CASE("trace refuses in one line what it cannot do") {
  check_refused("no_such_kernel", "'no_such_kernel' is not a kernel that can be traced");
  check_refused("collatz --subgroup-size 129", "--subgroup-size");
  check_refused("collatz --convergence strict", "--convergence");
  check_refused("collatz --choose sometimes", "--choose: ");
  check_refused("collatz --width 10", "--width");
  check_refused("collatz --subgroup 9", "there is no subgroup 9 in a workgroup (0, 0, 0)");
  check_refused("", "KERNEL");
}
