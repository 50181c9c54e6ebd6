#include <catch2/catch.hpp>
#include <string>

#include <lockstep/lanes/lanes.hpp>

#include "support/corpus.hpp"
#include "support/expected.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int rounds = 6;

template <class T, int W>
using Unary = Lanes<T, W> (*)(const Lanes<T, W>&);
template <class T, int W>
using Binary = Lanes<T, W> (*)(const Lanes<T, W>&, const Lanes<T, W>&);
template <class T, int W>
using Comparison = Lanes<bool, W> (*)(const Lanes<T, W>&, const Lanes<T, W>&);

/// Tries an operation on random lanes; every value is an operand, also in the padding.
template <class T, int W>
void check_binary(const char* name, Binary<T, W> operation, T (*scalar)(T, T), Random& random) {
  std::string wrong;
  for (int round = 0; round < rounds; ++round) {
    const auto a = sample_values<T, W>(random, Values::special);
    const auto b = sample_values<T, W>(random, round % 2 == 0 ? Values::special : Values::small);
    LaneArray<T, W> expected = {};
    for (std::size_t i = 0; i < W; ++i) expected[i] = scalar(a[i], b[i]);
    wrong += difference(operation(lanes_from<T, W>(a), lanes_from<T, W>(b)), expected);
  }
  INFO(name << ": " << describe<T>(Mask<W>::all()));
  CHECK(wrong == "");
}

template <class T, int W>
void check_unary(const char* name, Unary<T, W> operation, T (*scalar)(T), Random& random) {
  std::string wrong;
  for (int round = 0; round < rounds; ++round) {
    const auto a = sample_values<T, W>(random, Values::special);
    LaneArray<T, W> expected = {};
    for (std::size_t i = 0; i < W; ++i) expected[i] = scalar(a[i]);
    wrong += difference(operation(lanes_from<T, W>(a)), expected);
  }
  INFO(name << ": " << describe<T>(Mask<W>::all()));
  CHECK(wrong == "");
}

template <class T, int W>
void check_comparison(const char* name, Comparison<T, W> operation, bool (*scalar)(T, T),
                      Random& random) {
  std::string wrong;
  for (int round = 0; round < rounds; ++round) {
    const auto a = sample_values<T, W>(random, Values::special);
    auto b = sample_values<T, W>(random, Values::special);
    for (std::size_t i = 0; i < W; ++i) {
      if (random() % 3 == 0) b[i] = a[i];
    }
    LaneArray<bool, W> expected = {};
    for (std::size_t i = 0; i < W; ++i) expected[i] = scalar(a[i], b[i]);
    const Lanes<bool, W> got = operation(lanes_from<T, W>(a), lanes_from<T, W>(b));
    wrong += difference(got, expected);
    // Padding is compared too and must not leave a trace in the mask.
    if (!only_lanes_below_width(got.mask())) wrong += "bits above W\n";
  }
  INFO(name << ": " << describe<T>(Mask<W>::all()));
  CHECK(wrong == "");
}

}  // namespace

TEST_CASE("Lanes: arithmetic") {
  for_each_type_and_size([]<class T, int W>(Type<T>, Size<W>) {
    using L = Lanes<T, W>;
    Random random = make_random(W);
    const auto check = [&](const char* name, Binary<T, W> operation, T (*scalar)(T, T)) {
      check_binary<T, W>(name, operation, scalar, random);
    };
    check(
        "+", [](const L& a, const L& b) { return a + b; }, expected::add<T>);
    check(
        "-", [](const L& a, const L& b) { return a - b; }, expected::sub<T>);
    check(
        "*", [](const L& a, const L& b) { return a * b; }, expected::mul<T>);
    check(
        "/", [](const L& a, const L& b) { return a / b; }, expected::div<T>);
    check_unary<T, W>(
        "negation", [](const L& a) { return -a; }, expected::neg<T>, random);
    if constexpr (!is_floating<T>) {
      check(
          "%", [](const L& a, const L& b) { return a % b; }, expected::mod<T>);
    }
  });
}

TEST_CASE("Lanes: bit operations and shifts") {
  for_each_type(IntegerTypes{}, []<class T>(Type<T>) {
    for_each_size(FewSizes{}, []<int W>(Size<W>) {
      using L = Lanes<T, W>;
      Random random = make_random(W);
      const auto check = [&](const char* name, Binary<T, W> operation, T (*scalar)(T, T)) {
        check_binary<T, W>(name, operation, scalar, random);
      };
      check(
          "&", [](const L& a, const L& b) { return a & b; }, expected::bit_and<T>);
      check(
          "|", [](const L& a, const L& b) { return a | b; }, expected::bit_or<T>);
      check(
          "^", [](const L& a, const L& b) { return a ^ b; }, expected::bit_xor<T>);
      check(
          "<<", [](const L& a, const L& b) { return a << b; }, expected::shl<T>);
      check(
          ">>", [](const L& a, const L& b) { return a >> b; }, expected::shr<T>);
      check_unary<T, W>(
          "~", [](const L& a) { return ~a; }, expected::bit_not<T>, random);
    });
  });
}

TEST_CASE("Lanes: / and % by one value for all lanes") {
  for_each_type(IntegerTypes{}, []<class T>(Type<T>) {
    for_each_size(FewSizes{}, []<int W>(Size<W>) {
      Random random = make_random(W);
      const auto values = sample_values<T, W>(random, Values::special);
      const Lanes<T, W> lanes = lanes_from<T, W>(values);
      const auto check = [&](T divisor) {
        LaneArray<T, W> quotient = {}, rest = {};
        for (std::size_t i = 0; i < W; ++i) {
          quotient[i] = expected::div(values[i], divisor);
          rest[i] = expected::mod(values[i], divisor);
        }
        INFO(describe<T>(Mask<W>::all()) << ", divisor = " << static_cast<long double>(divisor));
        CHECK(difference(lanes / divisor, quotient) + difference(lanes % divisor, rest) == "");
      };
      for (const T divisor : special_values<T>()) check(divisor);
      for (int bit = 0; bit < 8 * static_cast<int>(sizeof(T)); ++bit) {
        check(expected::wrap<T>(expected::Int128{1} << bit));
        check(expected::wrap<T>(-(expected::Int128{1} << bit)));
      }
    });
  });
}

TEST_CASE("Lanes: a scalar operand stands for the same value in every lane") {
  for_each_type([]<class T>(Type<T>) {
    constexpr int W = 24;
    Random random = make_random();
    const auto values = sample_values<T, W>(random, Values::special);
    const Lanes<T, W> lanes = lanes_from<T, W>(values);
    for (const T scalar : special_values<T>()) {
      LaneArray<T, W> sum = {}, product = {}, left = {}, right = {};
      LaneArray<bool, W> below = {}, same = {};
      for (std::size_t i = 0; i < W; ++i) {
        sum[i] = expected::add(values[i], scalar);
        product[i] = expected::mul(scalar, values[i]);
        left[i] = expected::sub(scalar, values[i]);
        right[i] = expected::div(scalar, values[i]);
        below[i] = expected::less(values[i], scalar);
        same[i] = expected::equal(scalar, values[i]);
      }
      INFO(type_name<T>() << " " << static_cast<double>(scalar));
      CHECK(difference(lanes + scalar, sum) == "");
      CHECK(difference(scalar * lanes, product) == "");
      CHECK(difference(scalar - lanes, left) == "");
      CHECK(difference(scalar / lanes, right) == "");
      CHECK(difference(lanes < scalar, below) == "");
      CHECK(difference(scalar == lanes, same) == "");
    }
  });
}

TEST_CASE("Lanes: comparisons") {
  for_each_type_and_size([]<class T, int W>(Type<T>, Size<W>) {
    using L = Lanes<T, W>;
    Random random = make_random(W);
    const auto check = [&](const char* name, Comparison<T, W> operation, bool (*scalar)(T, T)) {
      check_comparison<T, W>(name, operation, scalar, random);
    };
    check(
        "==", [](const L& a, const L& b) { return a == b; }, expected::equal<T>);
    check(
        "!=", [](const L& a, const L& b) { return a != b; }, expected::not_equal<T>);
    check(
        "<", [](const L& a, const L& b) { return a < b; }, expected::less<T>);
    check(
        "<=", [](const L& a, const L& b) { return a <= b; }, expected::less_equal<T>);
    check(
        ">", [](const L& a, const L& b) { return a > b; }, expected::greater<T>);
    check(
        ">=", [](const L& a, const L& b) { return a >= b; }, expected::greater_equal<T>);
  });
}
