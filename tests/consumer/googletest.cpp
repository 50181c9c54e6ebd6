// The README's example for GoogleTest, and kernels.
#include <gtest/gtest.h>

#include <vector>

#include <lockstep/spirv/shader.hpp>
#include <lockstep/testing/gtest.hpp>

#include "consumer.hpp"

TEST(DoubleEven, DoublesAtEverySize) {
  lockstep::for_each_size([](int size) {
    std::vector<std::uint32_t> data(256), expected(256);
    for (std::uint32_t i = 0; i < 256; ++i) {
      data[i] = i;
      expected[i] = i % 2 == 0 ? 2 * i : i;
    }
    lockstep::Device{.subgroup_size = size}.dispatch<DoubleEven, 128>({4}, data);
    EXPECT_TRUE(lockstep::result_of(lockstep::compare(data, expected)));
  });
}

TEST(Lanes, AreEqual) {
  const auto lane = lockstep::Lanes<std::uint32_t, 8>::iota();
  EXPECT_EQ(lane + lane, lane * 2u);
}

TEST(Scan, AddsUp) {
  std::vector<std::uint32_t> in(1024, 1), out(1024);
  auto shader = lockstep::Shader::load("scan.comp");
  shader.bind(0, in).bind(1, out).dispatch({4}, {.subgroup_size = 24});
  EXPECT_EQ(out[1023], 256u);
}
