#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include <lockstep/lanes/float16.hpp>

#include "support/corpus.hpp"
#include "support/expected.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

#if defined(LOCKSTEP_TEST_FULL)
using ConversionSizes = Sizes;
#elif defined(LOCKSTEP_TEST_REDUCED)
using ConversionSizes = SizeList<33>;
#else
// Every pair of types: 110 conversions a size.
using ConversionSizes = SizeList<3, 64>;
#endif

template <class To, class From, int W>
std::string conversion_difference(const LaneArray<From, W>& values) {
  LaneArray<To, W> expected = {};
  for (std::size_t i = 0; i < W; ++i) expected[i] = expected::convert<To>(values[i]);
  return difference(Lanes<To, W>(lanes_from<From, W>(values)), expected);
}

template <class From, int W>
void check_conversions(const LaneArray<From, W>& values) {
  for_each_type([&]<class To>(Type<To>) {
    if constexpr (!std::is_same_v<To, From>) {
      const std::string wrong = conversion_difference<To, From, W>(values);
      INFO(describe<From>(Mask<W>::all()) << " to " << type_name<To>());
      CHECK(wrong == "");
    }
  });
}

/// Values on both sides of each point where an integer type ends or a float stops holding every
/// integer.
template <class T>
std::vector<T> edges() {
  std::vector<T> result;
  for (int bit = 0; bit <= 64; ++bit) {
    for (const long double sign : {1.0L, -1.0L}) {
      const long double power = sign * std::ldexp(1.0L, bit);
      for (const long double away : {-1.0L, -0.5L, 0.0L, 0.5L, 1.0L}) {
        if constexpr (is_floating<T>) {
          result.push_back(static_cast<T>(static_cast<float>(power + away)));
          if constexpr (sizeof(T) >= 4) {
            result.push_back(std::nextafter(static_cast<T>(power), T(0)));
            result.push_back(static_cast<T>(power + away));
          }
        } else if (away == std::trunc(away)) {
          result.push_back(expected::wrap<T>(static_cast<expected::Int128>(power + away)));
        }
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("Lanes: conversion between every two types") {
  for_each_type([]<class From>(Type<From>) {
    for_each_size(ConversionSizes{}, []<int W>(Size<W>) {
      Random random = make_random(W);
      for (const Values kind : {Values::small, Values::finite, Values::special}) {
        check_conversions<From, W>(sample_values<From, W>(random, kind));
      }
    });
  });
}

TEST_CASE("Lanes: conversion at the edges of every type") {
  constexpr int W = 64;
  for_each_type([]<class From>(Type<From>) {
    std::vector<From> all = edges<From>();
    for (const From value : special_values<From>()) all.push_back(value);
    Random random = make_random();
    for (std::size_t start = 0; start < all.size(); start += W) {
      auto values = sample_values<From, W>(random, Values::special);
      for (std::size_t i = 0; i < W && start + i < all.size(); ++i) values[i] = all[start + i];
      check_conversions<From, W>(values);
    }
  });
}

TEST_CASE("Lanes: conversion from and to bool") {
  for_each_type_and_size([]<class T, int W>(Type<T>, Size<W>) {
    Random random = make_random(W);
    auto values = sample_values<T, W>(random, Values::special);
    for (std::size_t i = 0; i < W; i += 3) values[i] = i % 2 == 0 ? T(0) : expected::neg(T(0));
    const std::string wrong = conversion_difference<bool, T, W>(values);
    INFO(describe<T>(Mask<W>::all()));
    CHECK(wrong == "");
    for (const Mask<W> mask : masks<W>()) {
      LaneArray<T, W> expected = {};
      for (int i = 0; i < W; ++i)
        expected[static_cast<std::size_t>(i)] = mask.test(i) ? T(1) : T(0);
      INFO(describe<T>(mask));
      CHECK(difference(Lanes<T, W>(Lanes<bool, W>(mask)), expected) == "");
    }
  });
}
