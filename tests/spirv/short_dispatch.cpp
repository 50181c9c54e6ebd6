#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include <lockstep/spirv/shader.hpp>

/// \file
/// Processes that dispatch little start no threads.

namespace {

const std::string add = "data[gl_GlobalInvocationID.x] += 1u;";

/// Dispatches the body to so many workgroups; whether each number became one more.
bool dispatch(const std::string& body, std::uint32_t workgroups) {
  auto shader = lockstep::Shader::from_glsl(R"(#version 460
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { uint data[]; };
void main() { )" + body + " }");
  std::vector<std::uint32_t> data(std::size_t{32} * workgroups, 7);
  const std::vector<std::uint32_t> expected(data.size(), 8);
  shader.bind(0, data);
  shader.dispatch({workgroups}, {.subgroup_size = 32, .threads = 4});
  return data == expected;
}

enum class Ended { wrong, alone, with_threads };

/// How a process of its own ends that dispatches the body so many times.
Ended process(const std::string& body, std::uint32_t workgroups, int times) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    bool right = true;
    for (int k = 0; k < times; ++k) right = dispatch(body, workgroups) && right;
    const auto threads = std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
    _exit(static_cast<int>(!right         ? Ended::wrong
                           : threads == 1 ? Ended::alone
                                          : Ended::with_threads));
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return static_cast<Ended>(WEXITSTATUS(status));
}

}  // namespace

TEST_CASE("only processes that dispatch much, or may, start threads") {
  if (std::thread::hardware_concurrency() < 2) return;
  CHECK(process(add, 2, 4) == Ended::alone);
  CHECK(process(add, 32, 1) == Ended::alone);
  CHECK(process(add, 32, 40) == Ended::with_threads);
  CHECK(process(add, 4000, 1) == Ended::with_threads);
  CHECK(process("for (uint k = data[gl_GlobalInvocationID.x]; k < 8u; ++k) " + add, 32, 1) ==
        Ended::with_threads);
}
