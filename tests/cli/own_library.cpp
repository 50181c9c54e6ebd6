#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "cli/run_program.hpp"

namespace {

/// A copy of the program alone.
struct Copied : Directory {
  Copied() { std::filesystem::copy_file(LOCKSTEP_PROGRAM, *this / "lockstep"); }

  Outcome run(const std::string& before, const std::string& arguments) const {
    const std::string out = *this / "out", err = *this / "err";
    const std::string command = before + " timeout 20 '" + (*this / "lockstep") + "' " + arguments +
                                " >'" + out + "' 2>'" + err + "'";
    const int status = std::system(command.c_str());
    REQUIRE(WIFEXITED(status));
    return {WEXITSTATUS(status), contents_of(out), contents_of(err)};
  }
};

}  // namespace

TEST_CASE("the program alone runs shaders, and says what serve and mpirun lack") {
  const Copied program;
  const std::string shader = " '" LOCKSTEP_KERNELS_DIR
                             "/max_reduce/max_reduce.comp' --groups 1 --buffer 0=iota:u32:128 "
                             "--buffer 1=zeros:u32:1";
  const Outcome run = program.run("", "run" + shader);
  CHECK(run.err == "");
  CHECK(contains(run.out, "127"));
  CHECK(program.run("", "serve --port 0").err ==
        "lockstep: liblockstep_http.so is not where the program looks; install lockstep again\n");
  const Outcome alone = program.run("OMPI_COMM_WORLD_SIZE=1", "explore" + shader + " --budget 1");
  CHECK(alone.exit_code <= 1);
  CHECK(alone.err == "");
  CHECK(contains(program.run("OMPI_COMM_WORLD_SIZE=4", "explore" + shader).err,
                 "one of 4 processes of mpirun, but lockstep was built without MPI"));
}

TEST_CASE("a library of the program's own that cannot be loaded is named") {
  const Copied program;
  program.write("liblockstep_http.so", "no library");
  const Outcome run = program.run("", "serve --port 0");
  CHECK(run.exit_code == 1);
  CHECK(contains(run.err, "/liblockstep_http.so cannot be loaded: "));
  CHECK(contains(run.err, "; install lockstep again\n"));
}
