#include <lockstep/glsl/functions/exponential.hpp>

#include <cmath>

#include "last_place.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// The overload for double.
constexpr auto in_double(double (*f)(double)) { return f; }

template <class V>
concept HasPow = requires(const V& v) {
  pow(v, v);
};
static_assert(HasPow<Lanes<float, 4>> && !HasPow<Lanes<double, 4>> && !HasPow<Lanes<int, 4>>);

}  // namespace

TEST_CASE("Exponentials: each lane is right to 1.5 units in the last place") {
  for_each_size_of(TypeList<float, float16_t>{}, []<class T, int W>(Type<T>, Size<W>) {
    const auto values = float_values<T>();
    check_near<W>(
        "exp", [](const auto& v) { return exp(v); }, in_double(std::exp), values);
    check_near<W>(
        "log", [](const auto& v) { return log(v); }, in_double(std::log), values);
    check_near<W>(
        "exp2", [](const auto& v) { return exp2(v); }, in_double(std::exp2), values);
    check_near<W>(
        "log2", [](const auto& v) { return log2(v); }, in_double(std::log2), values);

    const auto power = [](double x, double y) { return std::pow(x, y); };
    check_near<W>(
        "pow", [](const auto& x, const auto& y) { return pow(x, y); }, power, values, values);
    const T uniform(2.5f);
    check_near<W>(
        "pow of a scalar", [&](const auto& y) { return pow(uniform, y); },
        [&](double y) { return power(static_cast<float>(uniform), y); }, values);
    check_near<W>(
        "pow by a scalar", [&](const auto& x) { return pow(Derived<T, W>(x), uniform); },
        [&](double x) { return power(x, static_cast<float>(uniform)); }, values);
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
