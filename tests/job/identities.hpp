#pragma once

#include <vector>

#include <lockstep/lanes/float16.hpp>

#include "oracle/formulas.hpp"

/// \file
/// What a compiler may make of identities.comp: it computes what is written, or knows what it is without rounding.

namespace lockstep::test {

/// The expressions in the order of the shader's results. Operands: x[i], x[i + 64], and six inputs from x[i] on.
inline const std::vector<oracle_test::Formula>& identities() {
  using oracle_test::LegalDevice;
  using oracle_test::Real;
  using R = const oracle_test::Operands&;
  using D = LegalDevice&;
  static constexpr auto small = [](D d) {
    return d.format().bytes == 2 ? Real(static_cast<double>(float16_t(1e-3f)))
                                 : Real(static_cast<double>(1e-3f));
  };
  static constexpr auto a = [](R r, D d) { return d.add(r[0], 9); };
  static constexpr auto b = [](R r, D d) { return d.add(r[1], 9); };
  static constexpr auto quotient = [](const Real& x, const Real& y, D d) {
    return d.coin() ? d.divide(x, y) : d.multiply(x, d.divide(1, y));
  };
  static const std::vector<oracle_test::Formula> all{
      [](R r, D d) {
        const Real x = a(r, d), e = d.multiply(small(d), x);
        return d.coin() ? e : d.add(d.add(x, e), -x);
      },
      [](R r, D d) {
        const Real x = a(r, d), y = b(r, d), sum = d.add(x, y), part = d.add(sum, -x);
        if (d.coin()) return d.coin() ? Real(0) : d.add(y, -part);
        return d.add(d.add(x, -d.add(sum, -part)), d.add(y, -part));
      },
      [](R r, D d) {
        const Real root = d.sqrt(a(r, d));
        return d.multiply(root, root);
      },
      [](R r, D d) {
        const Real x = a(r, d), y = b(r, d);
        return d.coin() ? x : quotient(d.multiply(x, y), y, d);
      },
      [](R r, D d) {
        const Real x = a(r, d), y = b(r, d);
        return d.coin() ? x : d.multiply(quotient(x, y, d), y);
      },
      [](R r, D d) {
        const Real x = a(r, d);
        return d.coin() ? x : d.divide(1, d.divide(1, x));
      },
      [](R r, D d) {
        const Real x = a(r, d), y = b(r, d);
        if (d.coin()) return Real(0);
        const Real second = d.multiply(x, y);
        return d.coin() ? d.fused(x, y, -second) : -d.fused(x, y, -second);
      },
      [](R r, D d) {
        const Real x = a(r, d), y = b(r, d);
        if (d.coin()) return d.multiply(d.add(x, -y), d.add(x, y));
        if (d.coin()) return d.fused(x, x, -d.multiply(y, y));
        return d.fused(-y, y, d.multiply(x, x));
      },
      [](R r, D d) {
        const Real x = a(r, d);
        return d.multiply(d.inverse_sqrt(x), x);
      },
      [](R r, D d) { return b(r, d); },
      [](R r, D d) {
        const Real x = a(r, d), y = b(r, d);
        return x < y ? d.add(y, -x) : d.add(x, -y);
      },
      [](R r, D d) {
        const Real e = d.multiply(small(d), a(r, d));
        Real h = 1;
        for (std::size_t k = 2; k < r.size(); ++k) h = d.fused(h, e, r[k]);
        return h;
      },
  };
  return all;
}

}  // namespace lockstep::test
