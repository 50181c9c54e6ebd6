#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/run_program.hpp"

namespace {

const std::string own_buffers =
    " --groups 1 --buffer 0=iota:u32:8 --buffer 1=fill:u32:1:4 --buffer 2=zeros:u32:8";
const std::string own_shader = "kernels/allocate_broken/allocate_broken.comp";

}  // namespace

TEST_CASE("commands find kernels and lessons from any folder by the names in our pages") {
  const std::string elsewhere = "cd / && ";
  for (const std::string& arguments :
       {"run " + own_shader + own_buffers, "trace " + own_shader + own_buffers,
        "inspect " + own_shader, "explore " + own_shader + own_buffers + " --budget 3",
        std::string("inspect docs/lessons/01-active-lanes/show.comp")}) {
    INFO(arguments);
    const Outcome outcome = run_program(arguments, elsewhere);
    CHECK(outcome.exit_code < 2);
    CHECK(outcome.err.empty());
  }
  CHECK(run_program("inspect kernels/none.comp", elsewhere).exit_code == 2);
  // Nothing else is looked for there.
  CHECK(run_program("inspect allocate_broken/allocate_broken.comp", elsewhere).exit_code == 2);
}

TEST_CASE("a file of the current folder goes before the program's of that name") {
  const Directory folder;
  std::filesystem::create_directories(folder / "kernels/allocate_broken");
  std::ofstream(folder / own_shader) << "#version 450\nvoid main() { wrong }\n";
  const Outcome outcome = run_program("inspect " + own_shader, "cd '" + (folder / "") + "' && ");
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err, own_shader + ":2"));
}

TEST_CASE("a kernel's trace has its source in any folder, and no path of the build") {
  const Outcome outcome = run_program("trace allocate_broken --width 120", "cd / && ");
  CHECK(contains(outcome.out, "\nkernels/allocate_broken/allocate_broken.hpp\n"));
  CHECK(contains(outcome.out, "base = subgroupBroadcastFirst(base);"));
}

TEST_CASE("pictures of a lesson's commands go to the current folder") {
  const Outcome lesson = run_program("lesson 1");
  CHECK(contains(lesson.out, " docs/lessons/01-active-lanes/show.comp "));
  CHECK(contains(lesson.out, " -o picture.svg"));
}
