#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "oracle/device.hpp"

/// \file
/// What Vulkan lets operations and functions of floats give, restated for a device that uses its freedom: the table's
/// precision, or the formula that the precision is inherited from.

namespace lockstep::oracle_test {

using Operands = std::vector<Real>;
using Formula = std::function<Real(const Operands&, LegalDevice&)>;

namespace formulas {

namespace mp = boost::multiprecision;

inline Real root(const Real& x, const Real& one, LegalDevice& d) {
  return d.sqrt(d.fused(x, x, one));
}
inline Real half_of(const Real& a, LegalDevice& d) { return d.multiply(a, 0.5); }
inline Real sinh(const Real& x, LegalDevice& d) { return half_of(d.add(d.exp(x), -d.exp(-x)), d); }
inline Real cosh(const Real& x, LegalDevice& d) { return half_of(d.add(d.exp(x), d.exp(-x)), d); }
inline Real leg(const Real& x, LegalDevice& d) { return d.sqrt(d.add(1, -d.multiply(x, x))); }

inline Real mix(const Operands& r, LegalDevice& d) {
  if (d.coin()) return d.fused(d.add(r[1], -r[0]), r[2], r[0]);
  return d.add(d.multiply(r[0], d.add(1, -r[2])), d.multiply(r[1], r[2]));
}
inline Real smooth_step(const Operands& r, LegalDevice& d) {
  Real t = d.divide(d.add(r[2], -r[0]), d.add(r[1], -r[0]));
  t = t < 0 ? Real(0) : t > 1 ? Real(1) : t;
  return d.multiply(d.multiply(t, t), d.add(3, -d.multiply(2, t)));
}
inline Real clamp(const Operands& r, LegalDevice& d) {
  const Real x = d.operand(r[0]);
  const Real above = x < r[1] ? r[1] : x;
  return above > r[2] ? r[2] : above;
}

}  // namespace formulas

/// By GLSL's name of the function, or what the operation does.
inline const std::map<std::string, Formula>& all_formulas() {
  namespace f = formulas;
  namespace mp = boost::multiprecision;
  using R = const Operands&;
  using D = LegalDevice&;
  static const std::map<std::string, Formula> all{
      {"add", [](R r, D d) { return d.add(r[0], r[1]); }},
      {"subtract", [](R r, D d) { return d.add(r[0], -d.operand(r[1])); }},
      {"multiply", [](R r, D d) { return d.multiply(r[0], r[1]); }},
      {"divide", [](R r, D d) { return d.divide(r[0], r[1]); }},
      {"divide by reciprocal", [](R r, D d) { return d.multiply(r[0], d.divide(1, r[1])); }},
      {"fma", [](R r, D d) { return d.fused(r[0], r[1], r[2]); }},
      {"mix", f::mix},
      {"radians", [](R r, D d) { return d.multiply(r[0], d.rounded(mp::atan(Real(1)) / 45)); }},
      {"degrees", [](R r, D d) { return d.multiply(r[0], d.rounded(45 / mp::atan(Real(1)))); }},
      {"mod",
       [](R r, D d) {
         const Real k = mp::floor(d.divide(r[0], r[1]));
         return d.add(r[0], -d.multiply(r[1], k));
       }},
      {"remainder",
       [](R r, D d) { return d.add(r[0], -d.multiply(r[1], mp::trunc(d.divide(r[0], r[1])))); }},
      {"fract",
       [](R r, D d) {
         const Real x = d.operand(r[0]);
         return d.rounded(x - mp::floor(x));
       }},
      {"clamp", f::clamp},
      {"pow", [](R r, D d) { return d.exp2(d.multiply(r[1], d.log2(r[0]))); }},
      {"atan2", [](R r, D d) { return d.atan2(r[0], r[1]); }},
      {"smoothstep", f::smooth_step},
      {"times eight", [](R r, D d) { return d.rounded(8 * d.operand(r[0])); }},
      {"exp", [](R r, D d) { return d.exp(r[0]); }},
      {"exp2", [](R r, D d) { return d.exp2(r[0]); }},
      {"log", [](R r, D d) { return d.log(r[0]); }},
      {"log2", [](R r, D d) { return d.log2(r[0]); }},
      {"sqrt", [](R r, D d) { return d.sqrt(r[0]); }},
      {"inversesqrt", [](R r, D d) { return d.inverse_sqrt(r[0]); }},
      {"sin", [](R r, D d) { return d.sin(r[0]); }},
      {"cos", [](R r, D d) { return d.cos(r[0]); }},
      {"tan", [](R r, D d) { return d.divide(d.sin(r[0]), d.cos(r[0])); }},
      {"asin", [](R r, D d) { return d.atan2(r[0], f::leg(r[0], d)); }},
      {"acos", [](R r, D d) { return d.atan2(f::leg(r[0], d), r[0]); }},
      {"atan", [](R r, D d) { return d.atan2(r[0], 1); }},
      {"sinh", [](R r, D d) { return f::sinh(r[0], d); }},
      {"cosh", [](R r, D d) { return f::cosh(r[0], d); }},
      {"tanh", [](R r, D d) { return d.divide(f::sinh(r[0], d), f::cosh(r[0], d)); }},
      {"asinh", [](R r, D d) { return d.log(d.add(r[0], f::root(r[0], 1, d))); }},
      {"acosh", [](R r, D d) { return d.log(d.add(r[0], f::root(r[0], -1, d))); }},
      {"atanh",
       [](R r, D d) { return f::half_of(d.log(d.divide(d.add(1, r[0]), d.add(1, -r[0]))), d); }},
  };
  return all;
}

}  // namespace lockstep::oracle_test
