#include <lockstep/testing/comparison.hpp>

#include <array>
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include <lockstep/glsl/vec.hpp>
#include <lockstep/lanes/float16.hpp>

namespace {

using namespace lockstep;

constexpr Tolerance ulp(std::uint64_t n) { return {Tolerance::Kind::ulp, n}; }
constexpr Tolerance bits{Tolerance::Kind::bits, 0};

TEST_CASE("a comparison names the lanes that differ and how many they are") {
  const auto lanes = Lanes<std::uint32_t, 12>::iota();
  const auto same = compare(lanes, lanes);
  CHECK(same);
  CHECK(to_string(same) == "all 12 lanes are equal");

  const auto expected =
      Lanes<std::uint32_t, 12>::generate([](int i) { return i % 8 == 3 ? 7 : i; });
  const auto different = compare(lanes, expected);
  CHECK_FALSE(different);
  CHECK(different.count() == 2);
  CHECK(different.differences()[1].lane == 11);
  CHECK(to_string(different) ==
        "2 of 12 lanes differ:\n  lane  3: got  3, expected 7\n  lane 11: got 11, expected 7");
}

TEST_CASE("a comparison names eight lanes and counts the others") {
  const auto different = compare(Lanes<std::uint32_t, 128>::iota(), 200u);
  CHECK(different.count() == 128);
  CHECK(different.differences().size() == Comparison::most_named);
  CHECK_THAT(to_string(different), Catch::EndsWith("\n  and 120 more: lanes 8-127"));
}

TEST_CASE("a comparison of active lanes does not read the others") {
  const auto lanes = to_lane_table(Lanes<std::uint32_t, 8>::iota());
  const auto zeros = to_lane_table(Lanes<std::uint32_t, 8>(0u));
  CHECK(compare(lanes, zeros, {}, LaneSet::lane(0)));
  CHECK(to_string(compare(lanes, zeros, {}, {0b101, 0})) ==
        "1 of 2 active lanes differ:\n  lane 2: got 2, expected 0");
}

TEST_CASE("a comparison of arrays names elements and sizes") {
  const std::vector<int> got{1, 2, 3};
  CHECK(compare(got, std::array{1, 2, 3}));
  CHECK(to_string(compare(got, std::vector<int>{1, 0, 3})) ==
        "1 of 3 elements differ:\n  element 1: got 2, expected 0");
  const auto shorter = compare(got, std::vector<int>{1, 2});
  CHECK_FALSE(shorter);
  CHECK(to_string(shorter) == "the sizes differ: got 3 elements, expected 2");
  std::vector<int> many(1000), zeros(1000);
  for (std::size_t i = 0; i < many.size(); i += 2) many[i] = 1;
  const std::string text = to_string(compare(many, zeros));
  CHECK_THAT(text, Catch::StartsWith("500 of 1000 elements differ:\n"));
  CHECK_THAT(text, Catch::Contains("and 492 more: elements 16,18,20,"));
  CHECK(text.size() < 500);
}

TEST_CASE("== of floats: zeros are equal, NaN equals nothing") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(compare(Lanes<float, 2>(0.0f), Lanes<float, 2>(-0.0f)));
  CHECK_FALSE(compare(Lanes<float, 2>(nan), Lanes<float, 2>(nan)));
  CHECK(compare(Lanes<float, 2>(nan), Lanes<float, 2>(nan), bits));
  CHECK_FALSE(compare(Lanes<float, 2>(0.0f), Lanes<float, 2>(-0.0f), bits));
  // NaNs of other bits look the same without them.
  const auto other = Lanes<float, 1>(std::bit_cast<float>(0x7fc00001u));
  CHECK(to_string(compare(Lanes<float, 1>(nan), other, bits)) ==
        "1 of 1 lane differs in their bits:\n"
        "  lane 0: got nan [bits 0x7fc00000], expected nan [bits 0x7fc00001]");
}

/// Steps from a to b by nextafter, at most 1000.
template <class T>
std::uint64_t steps_between(T a, T b) {
  std::uint64_t steps = 0;
  for (; a != b && steps < 1000; ++steps) a = std::nextafter(a, b);
  return steps;
}

TEMPLATE_TEST_CASE("units in the last place are steps of nextafter", "", float, double) {
  using T = TestType;
  const T tiny = std::numeric_limits<T>::denorm_min(), large = std::numeric_limits<T>::max();
  const T infinity = std::numeric_limits<T>::infinity();
  const std::pair<T, T> pairs[] = {{T(1), std::nextafter(T(1), T(2))},
                                   {T(1), T(1) - 3 * std::numeric_limits<T>::epsilon()},
                                   {-2 * tiny, 3 * tiny},
                                   {T(-0.0), tiny},
                                   {large, infinity}};
  for (const auto& [a, b] : pairs) {
    const std::uint64_t steps = steps_between(a, b);
    CAPTURE(a, b, steps);
    REQUIRE(steps < 1000);
    CHECK(compare(Lanes<T, 1>(a), Lanes<T, 1>(b), ulp(steps)));
    CHECK_FALSE(compare(Lanes<T, 1>(b), Lanes<T, 1>(a), ulp(steps - 1)));
  }
  const T nan = std::numeric_limits<T>::quiet_NaN();
  CHECK_FALSE(compare(Lanes<T, 1>(nan), Lanes<T, 1>(nan), ulp(~std::uint64_t{0})));
}

TEST_CASE("units in the last place of float16_t and of vectors") {
  const auto half = [](float value) { return Lanes<float16_t, 1>(float16_t(value)); };
  CHECK(compare(half(1.0f), half(1.0009765625f), ulp(1)));
  CHECK_FALSE(compare(half(1.0f), half(1.001953125f), ulp(1)));
  const Vec<float, 2, 1> got(1.0f, 2.0f), expected(1.0f, 2.0000005f);
  CHECK(compare(got, expected, ulp(2)));
  CHECK(to_string(compare(got, expected, ulp(1))) ==
        "1 of 1 lane differs by more than 1 ulp:\n"
        "  lane 0: got (1, 2), expected (1, 2.0000005) (2 ulp apart)");
}

}  // namespace
