#include <lockstep/lanes/vec_concept.hpp>

#include <catch2/catch.hpp>

#include <lockstep/glsl/vec.hpp>

using namespace lockstep;

TEST_CASE("VecOfLanes: GLSL's vectors of lanes, and nothing else") {
  static_assert(VecOfLanes<Vec<float, 2, 5>>);
  static_assert(VecOfLanes<Vec<std::uint32_t, 4, 128>>);
  static_assert(VecOfLanes<Vec<bool, 3, 8>>);
  static_assert(!VecOfLanes<Lanes<float, 8>>);
  static_assert(!VecOfLanes<Lanes<bool, 8>>);
  static_assert(!VecOfLanes<Mask<8>>);
  static_assert(!VecOfLanes<float>);
  SUCCEED();
}

TEST_CASE("VecOfLanes: a vector keeps what the concept promises") {
  constexpr int W = 5;
  const auto vector =
      Vec<int, 3, W>::generate([](int k) { return Lanes<int, W>::iota() + 10 * k; });
  static_assert(decltype(vector)::components == 3);
  static_assert(std::is_same_v<decltype(vector)::lane_type, Lanes<int, W>>);
  const auto twice = vector.map([](const Lanes<int, W>& component) { return component * 2; });
  const auto same = vector.map([](const Lanes<int, W>&) { return 7u; });
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < W; ++i) {
      CHECK(vector[k][i] == i + 10 * k);
      CHECK(twice[k][i] == 2 * (i + 10 * k));
      CHECK(same[k][i] == 7u);
    }
  }
}
