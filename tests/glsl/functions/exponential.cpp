#include <lockstep/glsl/functions/exponential.hpp>

#include <cmath>

#include "check.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

template <class T>
auto through_float(float (*f)(float)) {
  return [f](T x) { return narrow<T>(double{f(static_cast<float>(x))}); };
}

template <class V>
concept HasPow = requires(const V& v) {
  pow(v, v);
};
static_assert(HasPow<Lanes<float, 4>> && !HasPow<Lanes<double, 4>> && !HasPow<Lanes<int, 4>>);

}  // namespace

TEST_CASE("Exponentials: each lane is what the C library gives for a float") {
  for_each_size_of(TypeList<float, float16_t>{}, []<class T, int W>(Type<T>, Size<W>) {
    const auto values = float_values<T>();
    const auto f = through_float<T>;
    check<W>(
        "exp", [](const auto& v) { return exp(v); }, f(std::exp), values);
    check<W>(
        "log", [](const auto& v) { return log(v); }, f(std::log), values);
    check<W>(
        "exp2", [](const auto& v) { return exp2(v); }, f(std::exp2), values);
    check<W>(
        "log2", [](const auto& v) { return log2(v); }, f(std::log2), values);

    const auto power = [](T x, T y) {
      return narrow<T>(double{std::pow(static_cast<float>(x), static_cast<float>(y))});
    };
    check<W>(
        "pow", [](const auto& x, const auto& y) { return pow(x, y); }, power, values, values);
    const T uniform(2.5f);
    check<W>(
        "pow of a scalar", [&](const auto& y) { return pow(uniform, y); },
        [&](T y) { return power(uniform, y); }, values);
    check<W>(
        "pow by a scalar", [&](const auto& x) { return pow(Derived<T, W>(x), uniform); },
        [&](T x) { return power(x, uniform); }, values);
  });
}

TEST_CASE("Exponentials: powers of two are exact") {
  for_each_size(LaneSizes{}, []<int W>(Size<W>) {
    const auto x = Lanes<float, W>::generate([](int i) { return static_cast<float>(i - 20); });
    const auto power = exp2(x);
    const auto back = log2(power);
    for (int i = 0; i < W; ++i) {
      CHECK(power[i] == std::ldexp(1.0f, i - 20));
      CHECK(back[i] == static_cast<float>(i - 20));
    }
  });
}

TEST_CASE("Exponentials: sqrt is correctly rounded, inversesqrt divides by it") {
  for_each_size_of(TypeList<float, double, float16_t>{}, []<class T, int W>(Type<T>, Size<W>) {
    auto values = float_values<T>();
    Random random = make_random(1);
    for (int i = 0; i < 100; ++i) {
      values.push_back(sample_value<T>(random, Values::finite));
      if (values.back() < T(0.0f)) values.back() = expected::neg(values.back());
    }
    // A root in double has more than twice the digits of float: rounding it once more is harmless.
    const auto root = [](T x) { return narrow<T>(std::sqrt(static_cast<double>(x))); };
    check<W>(
        "sqrt", [](const auto& v) { return sqrt(Derived<T, W>(v)); }, root, values);
    check<W>(
        "inversesqrt", [](const auto& v) { return inversesqrt(v); },
        [&](T x) { return expected::div(T(1.0f), root(x)); }, values);
  });
}
