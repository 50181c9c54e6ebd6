#include <catch2/catch.hpp>
#include <string>

#include "cli/run_program.hpp"

TEST_CASE("lesson lists the lessons, and prints one") {
  const Outcome list = run_program("lesson");
  CHECK(list.exit_code == 0);
  CHECK(contains(list.out, " 1  Active lanes\n"));
  CHECK(contains(list.out, "16  Validating a GPU\n"));
  const Outcome lesson = run_program("lesson 7");
  CHECK(lesson.exit_code == 0);
  CHECK(contains(lesson.out, "# 7. Shuffles\n"));
}

TEST_CASE("lesson writes an exercise, and checks the answer") {
  const Directory directory;
  const std::string path = directory / "answer.comp";
  const Outcome start = run_program("lesson 1 --start " + path);
  CHECK(start.exit_code == 0);
  CHECK(contains(start.out, "lockstep lesson 1 --check " + path));
  check_error("lesson 1 --start " + path, 2,
              "--start " + path + ": the file already exists; name another one");

  const Outcome wrong = run_program("lesson 1 --check " + path);
  CHECK(wrong.exit_code == 1);
  CHECK(contains(wrong.out, "wrong at subgroup size 2:\n"));
  CHECK(contains(wrong.out, "(workgroup 0, subgroup "));
  CHECK(contains(wrong.out, "hint: "));

  const Outcome right = run_program(
      "lesson 1 --check " + path,
      "sed -i 's/gl_SubgroupSize;.*/subgroupBallotBitCount(subgroupBallot(true));/' " + path + ";");
  CHECK(right.exit_code == 0);
  CHECK(contains(right.out, "right, in 32 runs at subgroup sizes 1, 2, 4, 8, 16, 32, 64, 128\n"));
}

TEST_CASE("lesson refuses what it cannot do") {
  CHECK(run_program("lesson 17").exit_code == 2);
  CHECK(run_program("lesson 0").exit_code == 2);
  check_error("lesson --check x.comp", 2,
              "--start and --check need the number of a lesson; lockstep lesson lists them");
  CHECK(run_program("lesson 1 --check /nowhere/x.comp").exit_code == 2);
}
