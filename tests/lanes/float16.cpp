#include <lockstep/lanes/float16.hpp>

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "support/corpus.hpp"
#include "support/expected.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int W = 128;
using Halves = Lanes<lockstep::float16_t, W>;

/// The 128 numbers of 16 bits from `first` on.
LaneArray<lockstep::float16_t, W> halves_from(int first) {
  LaneArray<lockstep::float16_t, W> values;
  for (int i = 0; i < W; ++i) {
    values[static_cast<std::size_t>(i)] =
        std::bit_cast<lockstep::float16_t>(static_cast<std::uint16_t>(first + i));
  }
  return values;
}

/// A number next to many places where rounding changes its mind.
template <class T>
T near_half(Random& random) {
  const double half = expected::half_value(static_cast<std::uint16_t>(random()));
  const double step = std::ldexp(static_cast<double>(static_cast<int>(random() % 65) - 32), -37);
  return static_cast<T>(half * (1.0 + std::ldexp(1.0, -11) + step));
}

/// Checks that numbers become the right 16-bit floats, in blocks of a subgroup.
template <class T>
void check_rounding(const std::vector<T>& numbers) {
  std::string wrong;
  for (std::size_t start = 0; start < numbers.size() && wrong == ""; start += W) {
    LaneArray<T, W> values = {};
    LaneArray<lockstep::float16_t, W> expected = {};
    for (std::size_t i = 0; i < W; ++i) {
      if (start + i < numbers.size()) values[i] = numbers[start + i];
      expected[i] = expected::make_half(static_cast<double>(values[i]));
    }
    wrong = difference(Halves(lanes_from<T, W>(values)), expected);
  }
  CHECK(wrong == "");
}

}  // namespace

TEST_CASE("float16: the rounding the tests expect, on numbers known by heart") {
  CHECK(expected::half_bits(0.0) == 0x0000);
  CHECK(expected::half_bits(-0.0) == 0x8000);
  CHECK(expected::half_bits(1.0) == 0x3c00);
  CHECK(expected::half_bits(-2.0) == 0xc000);
  CHECK(expected::half_bits(1.0 / 3.0) == 0x3555);
  CHECK(expected::half_bits(65504.0) == 0x7bff);
  CHECK(expected::half_bits(65519.999) == 0x7bff);
  CHECK(expected::half_bits(65520.0) == 0x7c00);
  CHECK(expected::half_bits(std::ldexp(1.0, -14)) == 0x0400);
  CHECK(expected::half_bits(std::ldexp(1.0, -24)) == 0x0001);
  CHECK(expected::half_bits(std::ldexp(1.0, -25)) == 0x0000);
  CHECK(expected::half_bits(std::ldexp(1.5, -25)) == 0x0001);
  CHECK(expected::half_bits(std::ldexp(1023.5, -24)) == 0x0400);
  CHECK(expected::half_bits(2049.0) == 0x6800);
  CHECK(expected::half_bits(2051.0) == 0x6802);
  for (int bits = 0; bits < 0x7c00; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (expected::half_bits(expected::half_value(half)) != half) FAIL(bits);
  }
}

TEST_CASE("float16: every number becomes the same float and double") {
  std::string wrong;
  for (int first = 0; first < 65536; first += W) {
    const auto halves = halves_from(first);
    LaneArray<float, W> floats = {};
    LaneArray<double, W> doubles = {};
    for (std::size_t i = 0; i < W; ++i) {
      doubles[i] = expected::half_value(bits_of(halves[i]));
      floats[i] = static_cast<float>(doubles[i]);
    }
    const Halves lanes = lanes_from<lockstep::float16_t, W>(halves);
    wrong +=
        difference(Lanes<float, W>(lanes), floats) + difference(Lanes<double, W>(lanes), doubles);
    // And back, where nothing may be lost.
    wrong += difference(Halves(Lanes<float, W>(lanes)), halves) +
             difference(Halves(Lanes<double, W>(lanes)), halves);
  }
  CHECK(wrong == "");
}

TEST_CASE("float16: numbers halfway between two neighbours round to even, in one step") {
  std::vector<float> floats;
  std::vector<double> doubles;
  for (int bits = 0; bits < 0x7bff; ++bits) {
    const double below = expected::half_value(static_cast<std::uint16_t>(bits));
    const double above = expected::half_value(static_cast<std::uint16_t>(bits + 1));
    const double middle = (below + above) / 2;
    for (const double sign : {1.0, -1.0}) {
      floats.push_back(static_cast<float>(sign * middle));
      floats.push_back(static_cast<float>(sign * std::nextafter(static_cast<float>(middle), 0.0f)));
      floats.push_back(
          static_cast<float>(sign * std::nextafter(static_cast<float>(middle), 1e30f)));
      doubles.push_back(sign * middle);
      // So close to the middle that a float would fall onto it.
      doubles.push_back(sign * std::nextafter(middle, 0.0));
      doubles.push_back(sign * std::nextafter(middle, 1e300));
    }
  }
  check_rounding(floats);
  check_rounding(doubles);
}

TEST_CASE("float16: numbers of every size round to the nearest") {
  Random random = make_random();
  std::vector<float> floats;
  std::vector<double> doubles;
  for (int n = 0; n < 100000; ++n) {
    floats.push_back(garbage<float>(random));
    floats.push_back(near_half<float>(random));
    doubles.push_back(garbage<double>(random));
    doubles.push_back(near_half<double>(random));
  }
  // Around overflow, and around what a float itself cannot hold.
  for (const double sign : {1.0, -1.0}) {
    for (const double edge : {65504.0, 65519.0, 65520.0, 65536.0, 3.4028234663852886e38, 3.5e38,
                              1.4e-45, 7e-46, 1e-300}) {
      for (const double towards : {0.0, 1e308}) {
        doubles.push_back(sign * edge);
        doubles.push_back(sign * std::nextafter(edge, towards));
      }
    }
  }
  check_rounding(floats);
  check_rounding(doubles);
}

TEST_CASE("float16: arithmetic and comparisons of every number with many others") {
  Random random = make_random();
  const std::uint64_t others = full_run() ? 64 : 4;
  std::string wrong;
  for (int first = 0; first < 65536 && wrong == ""; first += W) {
    const auto a = halves_from(first);
    const Halves x = lanes_from<lockstep::float16_t, W>(a);
    for (std::uint64_t n = 0; n < others; ++n) {
      const auto b = sample_values<lockstep::float16_t, W>(random, Values::special);
      const Halves y = lanes_from<lockstep::float16_t, W>(b);
      LaneArray<lockstep::float16_t, W> sum = {}, rest = {}, product = {}, quotient = {},
                                        negative = {};
      LaneArray<bool, W> equal = {}, less = {}, less_equal = {};
      for (std::size_t i = 0; i < W; ++i) {
        sum[i] = expected::add(a[i], b[i]);
        rest[i] = expected::sub(a[i], b[i]);
        product[i] = expected::mul(a[i], b[i]);
        quotient[i] = expected::div(a[i], b[i]);
        negative[i] = expected::neg(a[i]);
        equal[i] = expected::equal(a[i], b[i]);
        less[i] = expected::less(a[i], b[i]);
        less_equal[i] = expected::less_equal(a[i], b[i]);
      }
      wrong += difference(x + y, sum) + difference(x - y, rest) + difference(x * y, product) +
               difference(x / y, quotient) + difference(-x, negative) + difference(x == y, equal) +
               difference(x < y, less) + difference(x <= y, less_equal);
    }
  }
  CHECK(wrong == "");
}
