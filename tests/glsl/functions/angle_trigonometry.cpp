#include <lockstep/glsl/functions/angle_trigonometry.hpp>

#include <cmath>

#include "check.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Types = TypeList<float, float16_t>;

/// A function of float applied to a value of any type and rounded to it.
template <class T>
auto through_float(float (*f)(float)) {
  return [f](T x) { return narrow<T>(double{f(static_cast<float>(x))}); };
}

template <class V>
concept HasSin = requires(const V& v) {
  sin(v);
};
static_assert(HasSin<Lanes<float, 4>> && !HasSin<Lanes<double, 4>> && !HasSin<Lanes<int, 4>>);

}  // namespace

TEST_CASE("Angles: radians and degrees multiply by a constant") {
  for_each_size_of(Types{}, []<class T, int W>(Type<T>, Size<W>) {
    const auto values = float_values<T>();
    const double pi = 3.14159265358979323846;
    check<W>(
        "radians", [](const auto& v) { return radians(v); },
        [&](T x) { return expected::mul(x, narrow<T>(pi / 180)); }, values);
    check<W>(
        "degrees", [](const auto& v) { return degrees(v); },
        [&](T x) { return expected::mul(x, narrow<T>(180 / pi)); }, values);
  });
}

TEST_CASE("Trigonometry: each lane is what the C library gives for a float") {
  for_each_size_of(Types{}, []<class T, int W>(Type<T>, Size<W>) {
    const auto values = float_values<T>();
    const auto f = through_float<T>;
    check<W>(
        "sin", [](const auto& v) { return sin(v); }, f(std::sin), values);
    check<W>(
        "cos", [](const auto& v) { return cos(v); }, f(std::cos), values);
    check<W>(
        "tan", [](const auto& v) { return tan(v); }, f(std::tan), values);
    check<W>(
        "asin", [](const auto& v) { return asin(v); }, f(std::asin), values);
    check<W>(
        "acos", [](const auto& v) { return acos(v); }, f(std::acos), values);
    check<W>(
        "atan", [](const auto& v) { return atan(v); }, f(std::atan), values);
    check<W>(
        "sinh", [](const auto& v) { return sinh(v); }, f(std::sinh), values);
    check<W>(
        "cosh", [](const auto& v) { return cosh(v); }, f(std::cosh), values);
    check<W>(
        "tanh", [](const auto& v) { return tanh(v); }, f(std::tanh), values);
    check<W>(
        "asinh", [](const auto& v) { return asinh(v); }, f(std::asinh), values);
    check<W>(
        "acosh", [](const auto& v) { return acosh(v); }, f(std::acosh), values);
    check<W>(
        "atanh", [](const auto& v) { return atanh(v); }, f(std::atanh), values);

    const auto atan2 = [](T y, T x) {
      return narrow<T>(double{std::atan2(static_cast<float>(y), static_cast<float>(x))});
    };
    check<W>(
        "atan", [](const auto& y, const auto& x) { return atan(y, x); }, atan2, values, values);
    const T y(0.75f);
    check<W>(
        "atan of a scalar", [&](const auto& x) { return atan(y, x); },
        [&](T x) { return atan2(y, x); }, values);
    check<W>(
        "atan by a scalar", [&](const auto& v) { return atan(Derived<T, W>(v), y); },
        [&](T v) { return atan2(v, y); }, values);
  });
}

TEST_CASE("Trigonometry: right to a few units in the last place") {
  for_each_size(LaneSizes{}, []<int W>(Size<W>) {
    const auto x =
        Lanes<float, W>::generate([](int i) { return 0.01f * static_cast<float>(i) - 0.6f; });
    const Lanes<float, W> none = sin(x) * sin(x) + cos(x) * cos(x) - 1.0f;
    const Lanes<float, W> back = tan(atan(x)) - x + (sin(asin(x)) - x) + (tanh(atanh(x)) - x);
    for (int i = 0; i < W; ++i) {
      CHECK(std::fabs(none[i]) < 4e-7f);
      CHECK(std::fabs(back[i]) < 1e-6f);
    }
  });
}
