#include <lockstep/glsl/functions/common.hpp>

#include <cmath>

#include "check.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using FloatsAtSizes = TypeList<float, double, float16_t>;

template <class V>
concept HasAbs = requires(const V& v) {
  abs(v);
};
static_assert(HasAbs<Lanes<double, 4>> && HasAbs<Lanes<std::int8_t, 4>>);
static_assert(!HasAbs<Lanes<std::uint32_t, 4>> && !HasAbs<Lanes<bool, 4>>);
template <class V>
concept HasFloor = requires(const V& v) {
  floor(v);
};
static_assert(HasFloor<Lanes<float, 4>> && !HasFloor<Lanes<int, 4>>);

/// A function of double, exact for every type, as one of T.
template <class T>
auto exact(double (*f)(double)) {
  return [f](T x) { return narrow<T>(f(static_cast<double>(x))); };
}

template <class T>
T floor_of(T x) {
  return exact<T>(std::floor)(x);
}

// GLSL's own definitions.
template <class T>
T min_of(T x, T y) {
  return expected::less(y, x) ? y : x;
}
template <class T>
T max_of(T x, T y) {
  return expected::less(x, y) ? y : x;
}

}  // namespace

TEST_CASE("Common: rounding to integers") {
  for_each_size_of(FloatsAtSizes{}, []<class T, int W>(Type<T>, Size<W>) {
    const auto values = float_values<T>();
    check<W>(
        "floor", [](const auto& v) { return floor(Derived<T, W>(v)); }, exact<T>(std::floor),
        values);
    check<W>(
        "ceil", [](const auto& v) { return ceil(v); }, exact<T>(std::ceil), values);
    check<W>(
        "trunc", [](const auto& v) { return trunc(v); }, exact<T>(std::trunc), values);
    check<W>(
        "round", [](const auto& v) { return round(v); }, exact<T>(std::round), values);
    check<W>(
        "roundEven", [](const auto& v) { return roundEven(v); },
        [](T x) {
          const auto real = static_cast<double>(x);
          const double rounded = std::round(real);
          const bool tie = std::fabs(real - std::trunc(real)) == 0.5;
          return narrow<T>(tie ? 2 * std::round(real / 2) : rounded);
        },
        values);
    check<W>(
        "fract", [](const auto& v) { return fract(v); },
        [](T x) { return expected::sub(x, floor_of(x)); }, values);
  });
}

TEST_CASE("Common: abs and sign") {
  for_each_size_of(TypeList<float, double, float16_t>{}, []<class T, int W>(Type<T>, Size<W>) {
    const auto values = float_values<T>();
    check<W>(
        "abs", [](const auto& v) { return abs(Derived<T, W>(v)); },
        [](T x) { return std::signbit(static_cast<double>(x)) ? expected::neg(x) : x; }, values);
    check<W>(
        "sign", [](const auto& v) { return sign(v); },
        [](T x) { return T(x > T(0.0f)   ? 1.0f
                           : x < T(0.0f) ? -1.0f
                                         : 0.0f); }, values);
    // The sign of NaN, which comparing values does not see.
    const auto cleared = abs(Lanes<T, W>(expected::neg(std::numeric_limits<T>::quiet_NaN())));
    for (int i = 0; i < W; ++i) CHECK(bits_of(T(cleared[i])) >> (8 * sizeof(T) - 1) == 0);
  });
  for_each_size_of(SignedTypes{}, []<class T, int W>(Type<T>, Size<W>) {
    const auto values = integer_values<T>();
    check<W>(
        "abs", [](const auto& v) { return abs(v); },
        [](T x) { return x < 0 ? expected::neg(x) : x; }, values);
    check<W>(
        "sign", [](const auto& v) { return sign(v); },
        [](T x) { return static_cast<T>((x > 0) - (x < 0)); }, values);
  });
}

TEST_CASE("Common: min, max and clamp, also of NaN and of crossed bounds") {
  const auto body = []<class T, int W>(Type<T>, Size<W>, const std::vector<T>& values) {
    check<W>(
        "min", [](const auto& x, const auto& y) { return min(x, y); }, min_of<T>, values, values);
    check<W>(
        "max", [](const auto& x, const auto& y) { return max(x, y); }, max_of<T>, values, values);
    check<W>(
        "clamp", [](const auto& x, const auto& a, const auto& b) { return clamp(x, a, b); },
        [](T x, T a, T b) { return min_of(max_of(x, a), b); }, values, values, values);
  };
  for_each_size_of(FloatsAtSizes{}, [&](auto type, auto size) {
    body(type, size, float_values<typename decltype(type)::type>());
  });
  for_each_size_of(TypeList<std::int32_t, std::int8_t, std::int16_t, std::int64_t, std::uint8_t,
                            std::uint16_t, std::uint32_t, std::uint64_t>{},
                   [&](auto type, auto size) {
                     body(type, size, integer_values<typename decltype(type)::type>());
                   });
}

TEST_CASE("Common: literals of another type stand for the component type") {
  const Lanes<float, 8> v =
      Lanes<float, 8>::generate([](int i) { return 0.5f * static_cast<float>(i) - 1; });
  const Derived<float, 8> variable(v);
  for (int i = 0; i < 8; ++i) {
    const float x = v[i];
    CHECK(min(variable, 0)[i] == std::min(x, 0.0f));
    CHECK(max(0, variable)[i] == std::max(0.0f, x));
    CHECK(clamp(v, 0, 1)[i] == std::clamp(x, 0.0f, 1.0f));
    CHECK(mod(v, 2)[i] == x - 2 * std::floor(x / 2));
    CHECK(step(1, variable)[i] == (x < 1 ? 0.0f : 1.0f));
    CHECK(mix(variable, v, variable)[i] == x * (1 - x) + x * x);
    CHECK(mix(1, 3, v)[i] == (1 - x) + 3 * x);
  }
}

TEST_CASE("Common: mod, mix, step and smoothstep evaluate GLSL's formulas") {
  for_each_size_of(FloatsAtSizes{}, []<class T, int W>(Type<T>, Size<W>) {
    using expected::add, expected::div, expected::mul, expected::sub;
    const auto values = float_values<T>();
    const T one(1.0f), two(2.0f);

    const auto mod_of = [](T x, T y) { return sub(x, mul(y, floor_of(div(x, y)))); };
    check<W>(
        "mod", [](const auto& x, const auto& y) { return mod(x, y); }, mod_of, values, values);

    const auto mix_of = [=](T x, T y, T a) { return add(mul(x, sub(one, a)), mul(y, a)); };
    check<W>(
        "mix", [](const auto& x, const auto& y, const auto& a) { return mix(x, y, a); }, mix_of,
        values, values, values);

    const auto step_of = [](T edge, T x) { return T(expected::less(x, edge) ? 0.0f : 1.0f); };
    check<W>(
        "step", [](const auto& edge, const auto& x) { return step(edge, x); }, step_of, values,
        values);

    const auto smoothstep_of = [=](T edge0, T edge1, T x) {
      const T t = min_of(max_of(div(sub(x, edge0), sub(edge1, edge0)), T(0.0f)), one);
      return mul(mul(t, t), sub(T(3.0f), mul(two, t)));
    };
    check<W>(
        "smoothstep",
        [](const auto& a, const auto& b, const auto& x) { return smoothstep(a, b, x); },
        smoothstep_of, values, values, values);
  });
}

TEST_CASE("Common: mix with bool takes the second value where true") {
  const std::vector<bool> both = {false, true};
  const auto body = [&]<class T, int W>(Type<T>, Size<W>, const std::vector<T>& values) {
    check<W>(
        "mix", [](const auto& x, const auto& y, const auto& a) { return mix(x, y, a); },
        [](T x, T y, bool a) { return a ? y : x; }, values, values, both);
  };
  for_each_size_of(TypeList<float, double, float16_t>{}, [&](auto type, auto size) {
    body(type, size, float_values<typename decltype(type)::type>());
  });
  for_each_size_of(IntegerTypes{}, [&](auto type, auto size) {
    body(type, size, integer_values<typename decltype(type)::type>());
  });
  for_each_size(LaneSizes{}, [&](auto size) { body(Type<bool>{}, size, both); });
}

TEST_CASE("Common: NaN, infinities and the bits of numbers") {
  for_each_size_of(FloatsAtSizes{}, []<class T, int W>(Type<T>, Size<W>) {
    const auto values = float_values<T>();
    check<W>(
        "isnan", [](const auto& v) { return isnan(v); },
        [](T x) { return std::isnan(static_cast<double>(x)); }, values);
    check<W>(
        "isinf", [](const auto& v) { return isinf(v); },
        [](T x) { return std::isinf(static_cast<double>(x)); }, values);
  });
  for_each_size(LaneSizes{}, []<int W>(Size<W>) {
    using std::bit_cast;
    using Int = std::int32_t;
    using Uint = std::uint32_t;
    using Int64 = std::int64_t;
    using Uint64 = std::uint64_t;
    const auto floats = float_values<float>();
    const auto doubles = float_values<double>();
    check<W>(
        "floatBitsToInt", [](const auto& v) { return floatBitsToInt(Derived<float, W>(v)); },
        bit_cast<Int, float>, floats);
    check<W>(
        "floatBitsToUint", [](const auto& v) { return floatBitsToUint(v); }, bit_cast<Uint, float>,
        floats);
    check<W>(
        "intBitsToFloat", [](const auto& v) { return intBitsToFloat(v); }, bit_cast<float, Int>,
        integer_values<Int>());
    check<W>(
        "uintBitsToFloat", [](const auto& v) { return uintBitsToFloat(v); }, bit_cast<float, Uint>,
        integer_values<Uint>());
    check<W>(
        "doubleBitsToInt64", [](const auto& v) { return doubleBitsToInt64(v); },
        bit_cast<Int64, double>, doubles);
    check<W>(
        "doubleBitsToUint64", [](const auto& v) { return doubleBitsToUint64(v); },
        bit_cast<Uint64, double>, doubles);
    check<W>(
        "int64BitsToDouble", [](const auto& v) { return int64BitsToDouble(v); },
        bit_cast<double, Int64>, integer_values<Int64>());
    check<W>(
        "uint64BitsToDouble", [](const auto& v) { return uint64BitsToDouble(v); },
        bit_cast<double, Uint64>, integer_values<Uint64>());
  });
}

namespace {

__extension__ using Quad = __float128;

/// a * b + c rounded once. 16-bit floats: 113 bits hold the sum exactly, and so do 53 bits of it with a
/// last one that remembers whether there were more.
template <class T>
T fma_of(T a, T b, T c) {
  if constexpr (sizeof(T) > 2) {
    return std::fma(a, b, c);
  } else {
    const double x = expected::widen(a), y = expected::widen(b), z = expected::widen(c);
    if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z)) return narrow<T>(x * y + z);
    const Quad sum = Quad{x} * Quad{y} + Quad{z};
    auto near = static_cast<double>(sum);
    if (Quad{near} != sum) {
      const bool too_large = (near > 0) == (Quad{near} > sum);
      const auto bits = bits_of(near) - (too_large ? 1 : 0);
      near = std::bit_cast<double>(bits | 1);
    }
    if (sum == 0) near = x * y + z;
    return narrow<T>(near);
  }
}

}  // namespace

TEST_CASE("Common: fma rounds once") {
  for_each_size_of(FloatsAtSizes{}, []<class T, int W>(Type<T>, Size<W>) {
    const auto values = float_values<T>();
    check<W>(
        "fma", [](const auto& a, const auto& b, const auto& c) { return fma(a, b, c); }, fma_of<T>,
        values, values, values);

    // (1 + e)^2 - (1 + 2e) is e^2; rounding the product first loses it.
    const double e = std::ldexp(1.0, -(std::numeric_limits<T>::digits / 2) - 1);
    const Lanes<T, W> base(narrow<T>(1 + e));
    const auto rest = fma(base, base, narrow<T>(-(1 + 2 * e)));
    for (int i = 0; i < W; ++i) CHECK(static_cast<double>(T(rest[i])) == e * e);
  });
}

TEST_CASE("Common: modf, frexp and ldexp take numbers apart and put them together") {
  for_each_size_of(FloatsAtSizes{}, []<class T, int W>(Type<T>, Size<W>) {
    const auto values = float_values<T>();
    check<W>(
        "modf, fraction", [](const auto& v) { return modf(v).fraction; },
        [](T x) {
          double whole;
          return narrow<T>(std::modf(static_cast<double>(x), &whole));
        },
        values);
    check<W>(
        "modf, whole", [](const auto& v) { return modf(v).whole; }, exact<T>(std::trunc), values);

    check<W>(
        "frexp, significand", [](const auto& v) { return frexp(v).significand; },
        [](T x) {
          int exponent;
          return narrow<T>(std::frexp(static_cast<double>(x), &exponent));
        },
        values);
    check<W>(
        "frexp, exponent", [](const auto& v) { return frexp(v).exponent; },
        [](T x) -> std::int32_t {
          int exponent = 0;
          if (std::isfinite(static_cast<double>(x))) std::frexp(static_cast<double>(x), &exponent);
          return exponent;
        },
        values);
    check<W>(
        "ldexp of frexp",
        [](const auto& v) {
          const auto [significand, exponent] = frexp(v);
          return ldexp(significand, exponent);
        },
        [](T x) { return x; }, values);

    std::vector<std::int32_t> exponents = {std::numeric_limits<std::int32_t>::min(),
                                           std::numeric_limits<std::int32_t>::max()};
    for (int e = 0; e < 2300; e = e < 30 ? e + 1 : e * 21 / 20) {
      exponents.push_back(e);
      exponents.push_back(-e);
    }
    for (const int e : {24, 53, 126, 127, 128, 149, 1022, 1023, 1024, 1074, 1075}) {
      exponents.push_back(e);
      exponents.push_back(-e);
    }
    const auto scaled = [](T x, std::int32_t e) {
      if constexpr (sizeof(T) == 2)
        return narrow<T>(std::ldexp(static_cast<double>(x), std::clamp(e, -99, 99)));
      else
        return std::ldexp(x, e);
    };
    check<W>(
        "ldexp", [](const auto& x, const auto& e) { return ldexp(Derived<T, W>(x), e); }, scaled,
        values, exponents);
  });
}

TEST_CASE("Common: all arguments but one may be plain scalars") {
  for_each_size(OtherLaneSizes{}, []<int W>(Size<W>) {
    using Float = const Lanes<float, W>&;
    const auto v = float_values<float>();
    const auto clamped = [](float x, float a, float b) { return min_of(max_of(x, a), b); };
    check<W>(
        "min(v, s)", [](Float x) { return min(Derived<float, W>(x), 7.0f); },
        [](float x) { return min_of(x, 7.0f); }, v);
    check<W>(
        "min(s, v)", [](Float x) { return min(7.0f, x); }, [](float x) { return min_of(7.0f, x); },
        v);
    check<W>(
        "max(v, s)", [](Float x) { return max(x, 1.0f); }, [](float x) { return max_of(x, 1.0f); },
        v);
    check<W>(
        "max(s, v)", [](Float x) { return max(1.0f, x); }, [](float x) { return max_of(1.0f, x); },
        v);
    check<W>(
        "clamp(v, s, s)", [](Float x) { return clamp(Derived<float, W>(x), 1.0f, 7.0f); },
        [=](float x) { return clamped(x, 1, 7); }, v);
    check<W>(
        "clamp(s, v, v)", [](Float a, Float b) { return clamp(2.0f, a, b); },
        [=](float a, float b) { return clamped(2, a, b); }, v, v);
    check<W>(
        "clamp(s, s, v)", [](Float b) { return clamp(2.0f, 1.0f, b); },
        [=](float b) { return clamped(2, 1, b); }, v);
    check<W>(
        "mod(v, s)", [](Float x) { return mod(x, 2.0f); },
        [](float x) { return x - 2 * std::floor(x / 2); }, v);
    check<W>(
        "mod(s, v)", [](Float y) { return mod(2.0f, y); },
        [](float y) { return 2 - y * std::floor(2 / y); }, v);

    const auto blend = [](float x, float y, float a) { return x * (1 - a) + y * a; };
    check<W>(
        "mix(v, v, s)", [](Float x, Float y) { return mix(x, y, 0.25f); },
        [=](float x, float y) { return blend(x, y, 0.25f); }, v, v);
    check<W>(
        "mix(s, v, v)", [](Float y, Float a) { return mix(2.0f, y, a); },
        [=](float y, float a) { return blend(2, y, a); }, v, v);
    check<W>(
        "mix(s, s, v)", [](Float a) { return mix(2.0f, 3.0f, a); },
        [=](float a) { return blend(2, 3, a); }, v);
    check<W>(
        "mix(s, v, bool)", [](Float y) { return mix(2.0f, y, y < 1.0f); },
        [](float y) { return y < 1 ? y : 2.0f; }, v);
    check<W>(
        "mix(s, s, bool)", [](Float y) { return mix(2.0f, 3.0f, y < 1.0f); },
        [](float y) { return y < 1 ? 3.0f : 2.0f; }, v);
    check<W>(
        "mix(v, v, true)", [](Float x, Float y) { return mix(x, y, true); },
        [](float, float y) { return y; }, v, v);
    check<W>(
        "mix(v, v, false)", [](Float x, Float y) { return mix(x, y, false); },
        [](float x, float) { return x; }, v, v);

    const auto smooth = [](float edge0, float edge1, float x) {
      const float t = min_of(max_of((x - edge0) / (edge1 - edge0), 0.0f), 1.0f);
      return t * t * (3 - 2 * t);
    };
    check<W>(
        "step(s, v)", [](Float x) { return step(1.0f, x); },
        [](float x) { return x < 1 ? 0.0f : 1.0f; }, v);
    check<W>(
        "smoothstep(s, s, v)", [](Float x) { return smoothstep(-1.0f, 2.0f, x); },
        [=](float x) { return smooth(-1, 2, x); }, v);
    check<W>(
        "smoothstep(s, v, v)", [](Float edge1, Float x) { return smoothstep(-1.0f, edge1, x); },
        [=](float edge1, float x) { return smooth(-1, edge1, x); }, v, v);

    check<W>(
        "fma(s, v, v)", [](Float b, Float c) { return fma(3.0f, b, c); },
        [](float b, float c) { return std::fma(3.0f, b, c); }, v, v);
    check<W>(
        "fma(s, s, v)", [](Float c) { return fma(3.0f, 0.1f, c); },
        [](float c) { return std::fma(3.0f, 0.1f, c); }, v);
    check<W>(
        "fma(v, v, s)", [](Float a, Float b) { return fma(Derived<float, W>(a), b, 0.1f); },
        [](float a, float b) { return std::fma(a, b, 0.1f); }, v, v);
    check<W>(
        "ldexp(v, s)", [](Float x) { return ldexp(x, -3); },
        [](float x) { return std::ldexp(x, -3); }, v);
    check<W>(
        "ldexp(s, v)", [](const Lanes<std::int32_t, W>& e) { return ldexp(3.0f, e); },
        [](std::int32_t e) { return std::ldexp(3.0f, e); }, integer_values<std::int32_t>());
  });
}
