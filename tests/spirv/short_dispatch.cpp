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
/// Dispatches that take less time than handing them to threads run where they are called.

namespace {

std::ptrdiff_t threads_of_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

/// Dispatches the body to so many workgroups, and compares what it writes.
void dispatch(const std::string& body, std::uint32_t workgroups) {
  auto shader = lockstep::Shader::from_glsl(R"(#version 460
layout(local_size_x = 32) in;
layout(binding = 0) buffer Data { uint data[]; };
void main() { )" + body + " }");
  std::vector<std::uint32_t> data(std::size_t{32} * workgroups, 7);
  const std::vector<std::uint32_t> expected(data.size(), 8);
  shader.bind(0, data);
  shader.dispatch({workgroups}, {.subgroup_size = 32, .threads = 4});
  CHECK(data == expected);
}

}  // namespace

TEST_CASE("only dispatches that are long, or may be, start threads") {
  if (threads_of_process() != 1 || std::thread::hardware_concurrency() < 2) return;
  const std::string add = "data[gl_GlobalInvocationID.x] += 1u;";
  dispatch(add, 2);
  dispatch(add, 32);
  CHECK(threads_of_process() == 1);
  dispatch("for (uint k = data[gl_GlobalInvocationID.x]; k < 8u; ++k) " + add, 64);
  CHECK(threads_of_process() > 1);
  dispatch(add, 100000);
}
