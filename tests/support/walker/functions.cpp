#include <spirv/unified1/GLSL.std.450.h>

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include <lockstep/exec/error.hpp>

#include "support/walker/arithmetic.hpp"
#include "support/walker/freedom.hpp"
#include "support/walker/number.hpp"

namespace lockstep::walker {

namespace {

constexpr Scalar undefined{0, false};

using Numbers = std::vector<Real>;
/// The real result for real operands; nothing where the specification defines none.
using RealFunction = std::optional<Real> (*)(const Numbers&);

Real pi() { return boost::math::constants::pi<Real>(); }

Real fraction(const Real& x) { return x - floor(x); }

Real clamped(const Real& x, const Real& low, const Real& high) {
  return x < low ? low : x > high ? high : x;
}

Real to_even(const Real& x) {
  const Real below = floor(x), rest = x - below;
  const bool up = rest > 0.5 || (rest == 0.5 && fmod(below, Real(2)) != 0);
  return up ? below + 1 : below;
}

std::optional<Real> power(const Real& x, const Real& y) {
  if (x < 0 || (x == 0 && y <= 0)) return std::nullopt;
  return x == 0 ? Real(0) : pow(x, y);
}

std::optional<Real> angle(const Real& y, const Real& x) {
  if (x == 0 && y == 0) return std::nullopt;
  return atan2(y, x);
}

std::optional<Real> smooth(const Real& low, const Real& high, const Real& x) {
  if (low >= high) return std::nullopt;
  const Real t = clamped((x - low) / (high - low), 0, 1);
  return t * t * (3 - 2 * t);
}

/// The functions of floats, component by component. Long, as it has a case for each.
RealFunction real_function(std::uint32_t number) {
  switch (number) {
    // Round may take either neighbour of a half; this takes the even one, as RoundEven.
    case GLSLstd450Round:
    case GLSLstd450RoundEven:
      return [](const Numbers& x) { return std::optional(to_even(x[0])); };
    case GLSLstd450Trunc:
      return [](const Numbers& x) { return std::optional(Real(trunc(x[0]))); };
    case GLSLstd450FAbs:
      return [](const Numbers& x) { return std::optional(Real(abs(x[0]))); };
    case GLSLstd450FSign:
      return [](const Numbers& x) { return std::optional(Real(x[0] > 0 ? 1 : x[0] < 0 ? -1 : 0)); };
    case GLSLstd450Floor:
      return [](const Numbers& x) { return std::optional(Real(floor(x[0]))); };
    case GLSLstd450Ceil:
      return [](const Numbers& x) { return std::optional(Real(ceil(x[0]))); };
    case GLSLstd450Fract:
      return [](const Numbers& x) { return std::optional(fraction(x[0])); };
    case GLSLstd450Radians:
      return [](const Numbers& x) { return std::optional(Real(x[0] * pi() / 180)); };
    case GLSLstd450Degrees:
      return [](const Numbers& x) { return std::optional(Real(x[0] * 180 / pi())); };
    case GLSLstd450Sin:
      return [](const Numbers& x) { return std::optional(Real(sin(x[0]))); };
    case GLSLstd450Cos:
      return [](const Numbers& x) { return std::optional(Real(cos(x[0]))); };
    case GLSLstd450Tan:
      return [](const Numbers& x) { return std::optional(Real(tan(x[0]))); };
    case GLSLstd450Asin:
      return [](const Numbers& x) {
        return abs(x[0]) > 1 ? std::nullopt : std::optional(Real(asin(x[0])));
      };
    case GLSLstd450Acos:
      return [](const Numbers& x) {
        return abs(x[0]) > 1 ? std::nullopt : std::optional(Real(acos(x[0])));
      };
    case GLSLstd450Atan:
      return [](const Numbers& x) { return std::optional(Real(atan(x[0]))); };
    case GLSLstd450Sinh:
      return [](const Numbers& x) { return std::optional(Real(sinh(x[0]))); };
    case GLSLstd450Cosh:
      return [](const Numbers& x) { return std::optional(Real(cosh(x[0]))); };
    case GLSLstd450Tanh:
      return [](const Numbers& x) { return std::optional(Real(tanh(x[0]))); };
    case GLSLstd450Asinh:
      return [](const Numbers& x) {
        const Real r = log(abs(x[0]) + sqrt(x[0] * x[0] + 1));
        return std::optional(x[0] < 0 ? Real(-r) : r);
      };
    case GLSLstd450Acosh:
      return [](const Numbers& x) {
        return x[0] < 1 ? std::nullopt : std::optional(Real(log(x[0] + sqrt(x[0] * x[0] - 1))));
      };
    case GLSLstd450Atanh:
      return [](const Numbers& x) {
        return abs(x[0]) >= 1 ? std::nullopt
                              : std::optional(Real(log((1 + x[0]) / (1 - x[0])) / 2));
      };
    case GLSLstd450Atan2:
      return [](const Numbers& x) { return angle(x[0], x[1]); };
    case GLSLstd450Pow:
      return [](const Numbers& x) { return power(x[0], x[1]); };
    case GLSLstd450Exp:
      return [](const Numbers& x) { return std::optional(Real(exp(x[0]))); };
    case GLSLstd450Exp2:
      return [](const Numbers& x) { return std::optional(Real(pow(Real(2), x[0]))); };
    case GLSLstd450Log:
      return [](const Numbers& x) {
        return x[0] <= 0 ? std::nullopt : std::optional(Real(log(x[0])));
      };
    case GLSLstd450Log2:
      return [](const Numbers& x) {
        return x[0] <= 0 ? std::nullopt : std::optional(Real(log(x[0]) / log(Real(2))));
      };
    case GLSLstd450Sqrt:
      return [](const Numbers& x) {
        return x[0] < 0 ? std::nullopt : std::optional(Real(sqrt(x[0])));
      };
    case GLSLstd450InverseSqrt:
      return [](const Numbers& x) {
        return x[0] <= 0 ? std::nullopt : std::optional(Real(1 / sqrt(x[0])));
      };
    case GLSLstd450FMin:
    case GLSLstd450NMin:
      return [](const Numbers& x) { return std::optional(x[1] < x[0] ? x[1] : x[0]); };
    case GLSLstd450FMax:
    case GLSLstd450NMax:
      return [](const Numbers& x) { return std::optional(x[0] < x[1] ? x[1] : x[0]); };
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
      return [](const Numbers& x) {
        return x[1] > x[2] ? std::nullopt : std::optional(clamped(x[0], x[1], x[2]));
      };
    case GLSLstd450FMix:
      return [](const Numbers& x) { return std::optional(Real(x[0] * (1 - x[2]) + x[1] * x[2])); };
    case GLSLstd450Step:
      return [](const Numbers& x) { return std::optional(Real(x[1] < x[0] ? 0 : 1)); };
    case GLSLstd450SmoothStep:
      return [](const Numbers& x) { return smooth(x[0], x[1], x[2]); };
    case GLSLstd450Fma:
      return [](const Numbers& x) { return std::optional(Real(x[0] * x[1] + x[2])); };
    default:
      return nullptr;
  }
}

/// Functions of floats keep the sign of a zero operand; which zero results of sums are is not compared.
Scalar apply(RealFunction f, int w, std::span<const Scalar> x) {
  Numbers numbers;
  for (const Scalar& s : x) {
    const Real r = to_real(s.bits, w);
    // Nothing is promised for these (precision.md 1.3); minima and maxima of infinities are numbers.
    if (isnan(r)) return undefined;
    numbers.push_back(r);
  }
  const std::optional<Real> result = f(numbers);
  return result && !isnan(*result) ? Scalar{from_real(*result, w)} : undefined;
}

/// The functions of integers, component by component.
Scalar integer(std::uint32_t number, int w, std::span<const Scalar> x) {
  const auto s = [&](std::size_t k) { return sign_extended(x[k].bits, w); };
  const auto u = [&](std::size_t k) { return x[k].bits; };
  const auto result = [&](std::int64_t value) {
    return Scalar{truncated(static_cast<std::uint64_t>(value), w)};
  };
  const auto lowest = [&](std::uint64_t bits) {
    return bits == 0 ? Scalar{truncated(~std::uint64_t{0}, w)}
                     : Scalar{static_cast<std::uint64_t>(std::countr_zero(bits))};
  };
  const auto highest = [&](std::uint64_t bits) {
    return bits == 0 ? Scalar{truncated(~std::uint64_t{0}, w)}
                     : Scalar{static_cast<std::uint64_t>(63 - std::countl_zero(bits))};
  };
  switch (number) {
    case GLSLstd450SAbs:
      return result(s(0) < 0 ? static_cast<std::int64_t>(0 - u(0)) : s(0));
    case GLSLstd450SSign:
      return result(s(0) > 0 ? 1 : s(0) < 0 ? -1 : 0);
    case GLSLstd450UMin:
      return {std::min(u(0), u(1))};
    case GLSLstd450UMax:
      return {std::max(u(0), u(1))};
    case GLSLstd450SMin:
      return result(std::min(s(0), s(1)));
    case GLSLstd450SMax:
      return result(std::max(s(0), s(1)));
    case GLSLstd450UClamp:
      return u(1) > u(2) ? undefined : Scalar{std::clamp(u(0), u(1), u(2))};
    case GLSLstd450SClamp:
      return s(1) > s(2) ? undefined : result(std::clamp(s(0), s(1), s(2)));
    case GLSLstd450FindILsb:
      return lowest(u(0));
    case GLSLstd450FindUMsb:
      return highest(u(0));
    case GLSLstd450FindSMsb:
      return highest(s(0) < 0 ? truncated(~u(0), w) : u(0));
    default:
      throw Error(
          fmt::format("the reference does not know instruction {} of GLSL.std.450", number));
  }
}

Scalar rounded(const Real& x, int w, bool defined) {
  return {defined ? from_real(x, w) : 0, defined};
}

/// The real numbers of a vector.
struct Vector {
  Numbers x;
  bool defined = true;

  Vector(const Value& value, int w) {
    for (const Scalar& s : value.parts) {
      x.push_back(to_real(s.bits, w));
      defined = defined && s.defined;
    }
  }
  Real dot(const Vector& other) const {
    Real sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * other.x[k];
    return sum;
  }
};

Value rounded(const Numbers& x, int w, bool defined) {
  Value v;
  for (const Real& r : x) v.parts.push_back(rounded(r, w, defined));
  return v;
}

/// I - 2 (N·I) N, and its like.
Numbers combined(const Real& a, const Vector& u, const Real& b, const Vector& v) {
  Numbers result;
  for (std::size_t k = 0; k < u.x.size(); ++k) result.push_back(a * u.x[k] + b * v.x[k]);
  return result;
}

/// Functions of whole vectors of floats. False: it is not one.
bool geometric(std::uint32_t number, int w, std::span<const Value> v, Value& result) {
  switch (number) {
    case GLSLstd450Length: {
      const Vector a(v[0], w);
      result.parts = {rounded(sqrt(a.dot(a)), w, a.defined)};
      return true;
    }
    case GLSLstd450Distance: {
      const Vector a(v[0], w), b(v[1], w);
      Real sum = 0;
      for (std::size_t k = 0; k < a.x.size(); ++k) sum += (a.x[k] - b.x[k]) * (a.x[k] - b.x[k]);
      result.parts = {rounded(sqrt(sum), w, a.defined && b.defined)};
      return true;
    }
    case GLSLstd450Normalize: {
      const Vector a(v[0], w);
      const Real length = sqrt(a.dot(a));
      result = length == 0 ? rounded(a.x, w, false)
                           : rounded(combined(1 / length, a, 0, a), w, a.defined);
      return true;
    }
    case GLSLstd450Cross: {
      const Vector a(v[0], w), b(v[1], w);
      const Numbers c{a.x[1] * b.x[2] - b.x[1] * a.x[2], a.x[2] * b.x[0] - b.x[2] * a.x[0],
                      a.x[0] * b.x[1] - b.x[0] * a.x[1]};
      result = rounded(c, w, a.defined && b.defined);
      return true;
    }
    case GLSLstd450FaceForward: {
      const Vector n(v[0], w), i(v[1], w), r(v[2], w);
      const Real sign = r.dot(i) < 0 ? 1 : -1;
      result = rounded(combined(sign, n, 0, n), w, n.defined && i.defined && r.defined);
      return true;
    }
    case GLSLstd450Reflect: {
      const Vector i(v[0], w), n(v[1], w);
      result = rounded(combined(1, i, -2 * n.dot(i), n), w, i.defined && n.defined);
      return true;
    }
    case GLSLstd450Refract: {
      const Vector i(v[0], w), n(v[1], w);
      const Real eta = to_real(v[2].parts[0].bits, w), d = n.dot(i),
                 k = 1 - eta * eta * (1 - d * d);
      const bool defined = i.defined && n.defined && v[2].parts[0].defined;
      result = rounded(k < 0 ? combined(0, i, 0, n) : combined(eta, i, -(eta * d + sqrt(k)), n), w,
                       defined);
      return true;
    }
    default:
      return false;
  }
}

/// A matrix without one column and one row.
Numbers minor_of(const Numbers& m, std::size_t n, std::size_t column, std::size_t row) {
  Numbers rest;
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t r = 0; r < n; ++r)
      if (c != column && r != row) rest.push_back(m[c * n + r]);
  return rest;
}

Real determinant(const Numbers& m, std::size_t n) {
  if (n == 1) return m[0];
  Real sum = 0;
  for (std::size_t c = 0; c < n; ++c)
    sum += (c % 2 == 0 ? 1 : -1) * m[c * n] * determinant(minor_of(m, n, c, 0), n - 1);
  return sum;
}

Numbers inverse(const Numbers& m, std::size_t n, const Real& det) {
  Numbers result;
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t r = 0; r < n; ++r)
      result.push_back(((r + c) % 2 == 0 ? 1 : -1) * determinant(minor_of(m, n, r, c), n - 1) /
                       det);
  return result;
}

/// How a format of packed numbers maps -1 to 1, or 0 to 1, to integers.
struct Packing {
  int bits;
  bool with_sign;
};
std::optional<Packing> packing(std::uint32_t number) {
  switch (number) {
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450UnpackSnorm4x8:
      return Packing{8, true};
    case GLSLstd450PackUnorm4x8:
    case GLSLstd450UnpackUnorm4x8:
      return Packing{8, false};
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450UnpackSnorm2x16:
      return Packing{16, true};
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450UnpackUnorm2x16:
      return Packing{16, false};
    default:
      return std::nullopt;
  }
}

/// Packing and unpacking. False: it is not one.
bool packed(std::uint32_t number, const Value& x, Value& result) {
  if (const auto p = packing(number)) {
    const Real most = ldexp(Real(1), p->with_sign ? p->bits - 1 : p->bits) - 1;
    const auto count = static_cast<std::size_t>(32 / p->bits);
    if (x.parts.size() == count) {
      Scalar all;
      for (std::size_t k = 0; k < count; ++k) {
        const Real c = clamped(to_real(x.parts[k].bits, 32), p->with_sign ? -1 : 0, 1);
        const auto whole = to_even(c * most).convert_to<std::int64_t>();
        all.bits |= truncated(static_cast<std::uint64_t>(whole), p->bits)
                    << (static_cast<int>(k) * p->bits);
        all.defined = all.defined && x.parts[k].defined;
      }
      result.parts = {all};
    } else {
      for (std::size_t k = 0; k < count; ++k) {
        const std::uint64_t bits =
            truncated(x.parts[0].bits >> (static_cast<int>(k) * p->bits), p->bits);
        const Real c = (p->with_sign ? Real(sign_extended(bits, p->bits)) : Real(bits)) / most;
        result.parts.push_back({from_real(clamped(c, -1, 1), 32), x.parts[0].defined});
      }
    }
    return true;
  }
  const auto split = [&](int width, auto convert) {
    for (int k = 0; k < 2; ++k)
      result.parts.push_back(
          {convert(truncated(x.parts[0].bits >> (k * width), width)), x.parts[0].defined});
    return true;
  };
  const auto join = [&](int width, auto convert) {
    result.parts = {{convert(x.parts[0].bits) | convert(x.parts[1].bits) << width,
                     x.parts[0].defined && x.parts[1].defined}};
    return true;
  };
  switch (number) {
    case GLSLstd450PackHalf2x16:
      return join(16, [](std::uint64_t b) { return from_double(to_double(b, 32), 16); });
    case GLSLstd450UnpackHalf2x16:
      return split(16, [](std::uint64_t b) { return from_double(to_double(b, 16), 32); });
    case GLSLstd450PackDouble2x32:
      return join(32, [](std::uint64_t b) { return b; });
    case GLSLstd450UnpackDouble2x32:
      return split(32, [](std::uint64_t b) { return b; });
    default:
      return false;
  }
}

/// x = significand · 2^exponent.
Value frexp_of(const Value& x, int w) {
  Value significands, exponents;
  for (const Scalar& s : x.parts) {
    int exponent = 0;
    const double value = to_double(s.bits, w);
    const double significand = std::frexp(value, &exponent);
    const bool defined = s.defined && std::isfinite(value);
    significands.parts.push_back({from_double(significand, w), defined});
    exponents.parts.push_back(
        {truncated(static_cast<std::uint64_t>(std::int64_t{exponent}), 32), defined});
  }
  significands.parts.insert(significands.parts.end(), exponents.parts.begin(),
                            exponents.parts.end());
  return significands;
}

/// The fraction and the whole part, both with x's sign.
Value modf_of(const Value& x, int w) {
  Value fractions, wholes;
  for (const Scalar& s : x.parts) {
    double whole = 0;
    const double rest = std::modf(to_double(s.bits, w), &whole);
    fractions.parts.push_back({from_double(rest, w), s.defined});
    wholes.parts.push_back({from_double(whole, w), s.defined});
  }
  fractions.parts.insert(fractions.parts.end(), wholes.parts.begin(), wholes.parts.end());
  return fractions;
}

Value ldexp_of(const Value& x, const Value& exponents, int w) {
  Value result;
  for (std::size_t k = 0; k < x.parts.size(); ++k) {
    const Scalar& e = exponents.parts[k];
    const auto exponent = sign_extended(e.bits, 32);
    const Real value = to_real(x.parts[k].bits, w);
    // Too large an exponent is undefined, one too small may flush to zero.
    const bool defined = x.parts[k].defined && e.defined && !isnan(value) &&
                         exponent <= (w == 16   ? 16
                                      : w == 32 ? 128
                                                : 1024);
    const int within = static_cast<int>(std::max<std::int64_t>(exponent, -5000));
    result.parts.push_back(rounded(defined ? Real(ldexp(value, within)) : Real(0), w, defined));
  }
  return result;
}

}  // namespace

Value glsl_function(const Module& module, std::uint32_t number, const Instruction& i,
                    std::span<const Value> x) {
  if (module.freedom != nullptr) {
    if (auto other = module.freedom->result(module, i, x)) return std::move(*other);
  }
  // Of the first operand, which is a float wherever one takes part.
  const Type& from = module.scalar_type(module.type_of.at(i.operands[2]));
  const int w = from.width;
  Value result;
  if (geometric(number, w, x, result) || packed(number, x[0], result)) return result;
  switch (number) {
    case GLSLstd450FrexpStruct:
      return frexp_of(x[0], w);
    case GLSLstd450ModfStruct:
      return modf_of(x[0], w);
    case GLSLstd450Ldexp:
      return ldexp_of(x[0], x[1], w);
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse: {
      const Vector m(x[0], w);
      const std::size_t n = module.type(module.type_of.at(i.operands[2])).count;
      const Real det = determinant(m.x, n);
      if (number == GLSLstd450Determinant) return {{rounded(det, w, m.defined)}};
      return det == 0 ? rounded(m.x, w, false) : rounded(inverse(m.x, n, det), w, m.defined);
    }
    default:
      break;
  }
  const RealFunction f = real_function(number);
  for (std::size_t k = 0; k < x[0].parts.size(); ++k) {
    std::vector<Scalar> of;
    for (const Value& v : x) of.push_back(v.parts[k]);
    const bool defined =
        std::all_of(of.begin(), of.end(), [](const Scalar& s) { return s.defined; });
    result.parts.push_back(!defined       ? undefined
                           : f != nullptr ? apply(f, w, of)
                                          : integer(number, w, of));
  }
  return result;
}

}  // namespace lockstep::walker
