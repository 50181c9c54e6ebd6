#include <lockstep/spirv/interruption.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/spirv/shader.hpp>

namespace {

/// Interrupts when it is asked for the n-th time.
class After : public lockstep::InterruptibleProgress {
 public:
  explicit After(int times) : left_(times) {}
  void on(std::size_t, std::size_t) override {}
  bool interrupted() const override { return --left_ <= 0; }
  int left() const { return left_; }

 private:
  mutable std::atomic<int> left_;
};

constexpr const char* long_loop = R"(#version 460
layout(local_size_x = 8) in;
layout(binding = 0) buffer Out { uint sum[]; };
void main() {
  uint a = sum[gl_GlobalInvocationID.x];
  for (uint k = 0u; k < N; ++k) a = a * 1664525u + 1013904223u;
  sum[gl_GlobalInvocationID.x] = a;
}
)";

lockstep::ShaderOptions options(const std::string& iterations) {
  lockstep::ShaderOptions made;
  made.defines = {{"N", iterations}};
  return made;
}

}  // namespace

TEST_CASE("a long loop of one workgroup can be interrupted") {
  std::vector<std::uint32_t> sum(8);
  auto shader = lockstep::Shader::from_glsl(long_loop, options("60000000u"));
  shader.bind(0, sum);
  After progress(3);
  CHECK_THROWS_AS(shader.dispatch({1}, {.subgroup_size = 8, .threads = 1, .progress = &progress}),
                  lockstep::Interrupted);
  CHECK(progress.left() == 0);
}

TEST_CASE("a run that is not interrupted comes to its end") {
  std::vector<std::uint32_t> sum(16, 7u);
  auto shader = lockstep::Shader::from_glsl(long_loop, options("200000u"));
  shader.bind(0, sum);
  After progress(1000);
  shader.dispatch({2}, {.subgroup_size = 8, .threads = 1, .progress = &progress});
  std::uint32_t expected = 7;
  for (int k = 0; k < 200000; ++k) expected = expected * 1664525u + 1013904223u;
  CHECK(sum == std::vector<std::uint32_t>(16, expected));
  CHECK(progress.left() < 1000);
}
