#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "cli/run_program.hpp"

TEST_CASE("demo divergence tells its story, as it happened") {
  const Outcome outcome = run_program("demo divergence");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  for (const char* part : {
           "\n1. Lanes rejoin (rule: maximal)\n",
           "  line 41: lanes 1,3,5,7 hear  lane 1: base = 4\n",
           "  got       101  102  103  104    2    4    6    8   right\n",
           "NOT REJOINED: 1 | 3,5,7\n",
           "kernels/allocate_broken/allocate_broken.hpp:38\n",
           "  line 41: lane  1       hears lane 1: base = 4\n",
           "  line 41: lanes 3,5,7   hear  lane 3: base = 0\n",
           "  got       101   !4   !6   !8    2   !-   !-   !-   WRONG\n",
           "  random: 100 of 100 seeds                    right\n",
           "  got        !2   !4  103  104   !-   !-   WRONG\n",
           "  the same kernel and input, rule maximal     right\n",
       }) {
    INFO(part);
    CHECK(outcome.out.find(part) != std::string::npos);
  }
}

TEST_CASE("demo divergence without a terminal is ASCII of at most 80 columns") {
  const Outcome outcome = run_program("demo divergence");
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 81);
    CHECK(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; }));
  }
  CHECK(run_program("demo divergence --color always").out.find("\x1b[") != std::string::npos);
}

TEST_CASE("demo divergence refuses the options of the table") {
  const Outcome outcome = run_program("demo --elements 100 divergence");
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, Catch::Contains("--elements does not apply to demo divergence"));
}
