#include <lockstep/glsl/functions/angle_trigonometry.hpp>

#include <cmath>

#include "last_place.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Types = TypeList<float, float16_t>;

/// The overload for double.
constexpr auto in_double(double (*f)(double)) { return f; }

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

TEST_CASE("Trigonometry: each lane is right to 1.5 units in the last place") {
  for_each_size_of(Types{}, []<class T, int W>(Type<T>, Size<W>) {
    const auto values = float_values<T>();
    check_near<W>(
        "sin", [](const auto& v) { return sin(v); }, in_double(std::sin), values);
    check_near<W>(
        "cos", [](const auto& v) { return cos(v); }, in_double(std::cos), values);
    check_near<W>(
        "tan", [](const auto& v) { return tan(v); }, in_double(std::tan), values);
    check_near<W>(
        "asin", [](const auto& v) { return asin(v); }, in_double(std::asin), values);
    check_near<W>(
        "acos", [](const auto& v) { return acos(v); }, in_double(std::acos), values);
    check_near<W>(
        "atan", [](const auto& v) { return atan(v); }, in_double(std::atan), values);
    check_near<W>(
        "sinh", [](const auto& v) { return sinh(v); }, in_double(std::sinh), values);
    check_near<W>(
        "cosh", [](const auto& v) { return cosh(v); }, in_double(std::cosh), values);
    check_near<W>(
        "tanh", [](const auto& v) { return tanh(v); }, in_double(std::tanh), values);
    check_near<W>(
        "asinh", [](const auto& v) { return asinh(v); }, in_double(std::asinh), values);
    check_near<W>(
        "acosh", [](const auto& v) { return acosh(v); }, in_double(std::acosh), values);
    check_near<W>(
        "atanh", [](const auto& v) { return atanh(v); }, in_double(std::atanh), values);

    const auto atan2 = [](double y, double x) { return std::atan2(y, x); };
    check_near<W>(
        "atan", [](const auto& y, const auto& x) { return atan(y, x); }, atan2, values, values);
    const T y(0.75f);
    check_near<W>(
        "atan of a scalar", [&](const auto& x) { return atan(y, x); },
        [&](double x) { return atan2(static_cast<float>(y), x); }, values);
    check_near<W>(
        "atan by a scalar", [&](const auto& v) { return atan(Derived<T, W>(v), y); },
        [&](double v) { return atan2(v, static_cast<float>(y)); }, values);
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
