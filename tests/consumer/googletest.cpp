// The README's example for GoogleTest.
#include <gtest/gtest.h>

#include <vector>

#include <lockstep/spirv/shader.hpp>

TEST(Scan, AddsUp) {
  std::vector<std::uint32_t> in(1024, 1), out(1024);
  auto shader = lockstep::Shader::load("scan.comp");
  shader.bind(0, in).bind(1, out).dispatch({4}, {.subgroup_size = 24});
  EXPECT_EQ(out[1023], 256u);
}
