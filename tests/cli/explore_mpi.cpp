#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "cli/run_program.hpp"

/// \file
/// Ranks of mpirun that explore together.

namespace {

const std::string ranked_shaders = LOCKSTEP_KERNELS_DIR "/../tests/explore/shaders/";
const std::string mpirun = "mpirun --allow-run-as-root --oversubscribe ";

/// Waits up to half a minute.
template <class F>
bool comes_true(F f) {
  for (int k = 0; k < 300; ++k) {
    if (f()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

}  // namespace

TEST_CASE("ranks of mpirun find the same as one process") {
  for (const char* shader : {"late-break", "atomic-order", "atomic-order.repaired"}) {
    const std::string arguments = "explore --json " + ranked_shaders + shader +
                                  ".comp --groups 1 --buffer 0=zeros:u32:64 --budget 300 "
                                  "--subgroup-size 8 --sizes 8 --full-subgroups --same mapping "
                                  "--threads 1";
    const Outcome one = run_program(arguments);
    INFO(shader << "\n" << one.err);
    const nlohmann::json expected = nlohmann::json::parse(one.out);
    for (const int ranks : {1, 2, 4}) {
      const Outcome together = run_program(arguments, mpirun + "-n " + std::to_string(ranks) + " ");
      INFO(ranks << " ranks\n" << together.out << together.err);
      CHECK((together.exit_code == 0) == (one.exit_code == 0));
      CHECK(nlohmann::json::parse(together.out) == expected);
      CHECK(contains(together.err, "found: lockstep run ") == (one.exit_code != 0));
    }
  }
}

TEST_CASE("a killed rank loses nothing that was found") {
  const Directory directory;
  const std::string shader = directory / "slots.comp";
  std::ofstream(shader) << R"(#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer Out { uint next; uint slot[]; };
void main() { slot[gl_LocalInvocationIndex] = atomicAdd(next, 1u); }
)";
  for (const int killed : {0, 1}) {
    INFO("rank " << killed);
    const std::string files = directory / "of-" + std::to_string(killed);
    // In a tree of 32! sequences, which only differ in order, exploring goes on.
    const std::string command =
        mpirun + "-n 2 sh -c 'echo $$ >" + files + ".$OMPI_COMM_WORLD_RANK; exec \"$0\" \"$@\"' '" +
        LOCKSTEP_PROGRAM + "' explore " + shader + " --groups 1 --buffer 0=zeros:u32:40 " +
        "--budget 100000000 --vary atomic-order --threads 1 >" + files + ".out 2>" + files + ".err";
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    REQUIRE(comes_true([&] { return contains(contents_of(files + ".err"), "found: "); }));
    const std::string pid = contents_of(files + "." + std::to_string(killed));
    REQUIRE(kill(static_cast<pid_t>(std::stol(pid)), SIGKILL) == 0);
    int status = 0;
    REQUIRE(comes_true([&] { return waitpid(child, &status, WNOHANG) == child; }));
    CHECK(status != 0);
    const std::string found = contents_of(files + ".err");
    INFO(found);
    CHECK(contains(found, "found: lockstep run "));
    CHECK(contains(found, "--choose atomic-order=replay:"));
    // The first rank reports, if it lives.
    CHECK(contains(contents_of(files + ".out"), "depends on atomic-order") == (killed != 0));
  }
}
