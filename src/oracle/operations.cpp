#include "oracle/operations.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace lockstep::oracle {
namespace {

using Kind = Allowed::Kind;

Allowed undefined(Why why, const Rules& rules) { return any(Kind::undefined, why, rules.origin); }
/// The same of what is so on every device. Where only bounds reach that far, a rounding decides it.
Allowed undefined(Why why, bool certain, const Rules& rules) {
  return any(certain ? Kind::undefined : Kind::open, why, rules.origin);
}
bool are_points(std::initializer_list<const Allowed*> operands) {
  return std::ranges::all_of(operands, [](const Allowed* a) { return a->values.is_point(); });
}

/// What RelaxedPrecision guarantees at least.
constexpr Precision relaxed_precision{
    .format = float16, .flushes = true, .nearest = false, .wider = true};
constexpr double relaxed_range = 0x1p14;

const Precision& computed_in(const Rules& rules) {
  return rules.relaxed ? relaxed_precision : rules.precision;
}

/// The numbers that the operation may see.
Interval seen(const Allowed& a, const Rules& rules) {
  if (rules.relaxed) return correctly_rounded(a.values, relaxed_precision);
  return flushed(a.values, rules.precision);
}

/// Whether no number of the format is meant.
bool is_beyond(const Interval& values, const Format& format) {
  return !(values.low < format.largest && values.high > -format.largest);
}

bool is_out_of_range(const Interval& values) {
  return values.low > relaxed_range || values.high < -relaxed_range;
}

/// A result that no rearrangement looks into.
Allowed result(const Interval& values, const Rules& rules) {
  const Format& format = rules.precision.format;
  if (values.low < -format.largest || values.high > format.largest || std::isnan(values.low) ||
      std::isnan(values.high))
    return undefined(Why::overflow, is_beyond(values, format), rules);
  if (rules.relaxed && values.magnitude() > relaxed_range)
    return undefined(Why::relaxed_range, is_out_of_range(values), rules);
  return numbers(values, rules.origin);
}

/// A result that is exact for every operand, as a minimum is. Infinities are numbers like others.
Allowed moved(const Interval& values, const Rules& rules) { return numbers(values, rules.origin); }

/// The same of an integer for every operand.
Allowed moved_whole(const Interval& values, const Rules& rules) {
  return integers(values, rules.origin);
}

/// Sums and products of integers are integers: rounding moves none off them, whatever the order.
Allowed kept_whole(Allowed result, std::initializer_list<const Allowed*> operands) {
  result.whole = result.kind == Kind::within &&
                 std::ranges::all_of(operands, [](const Allowed* a) { return is_whole(*a); });
  return result;
}

bool is_infinite(const Allowed& a) { return !a.values.is_finite(); }

Allowed rounded(const Interval& exact, const Rules& rules) {
  return result(correctly_rounded(exact, computed_in(rules)), rules);
}

/// The operand in an expression.
Expression part(const Allowed& a, const Rules& rules) {
  return rules.precise ? leaf(seen(a, rules)) : a.real;
}

/// With what the operation may do to denormals.
Expression noted(Expression e, const Rules& rules) {
  e.flushes = e.flushes || rules.precision.flushes;
  return e;
}

Allowed expression(const Expression& e, const Rules& rules) {
  if (!rules.relaxed) return evaluated(e, rules.precision, rules.origin);
  // Each operand may be rounded before.
  Expression twice = e;
  twice.degree *= 2;
  Allowed all = evaluated(twice, relaxed_precision, rules.origin);
  all.real = e;
  all.real.flushes = true;
  if (all.kind == Kind::within && all.values.magnitude() > relaxed_range)
    return undefined(Why::relaxed_range, is_out_of_range(all.values), rules);
  return all;
}

/// No compiler multiplies out more than this: larger products stay as they are.
constexpr double most_terms = 4096, most_degree = 64;

Expression product(const Expression& a, const Expression& b, const Allowed& x, const Allowed& y) {
  if (a.terms * b.terms > most_terms || a.degree + b.degree > most_degree)
    return leaf(x.values) * leaf(y.values);
  return a * b;
}

/// A constant that is no number of any format.
Interval scale_of(double nearest, const Format& format) {
  if (format == float64) return {std::nextafter(nearest, 0), std::nextafter(nearest, HUGE_VAL)};
  return {round_down(nearest, format), round_up(nearest, format)};
}

/// The remainders x - y * k, for the whole numbers k that x / y may round to.
Allowed rest(const Allowed& a, const Allowed& b, Interval (*whole)(const Interval&),
             const Rules& rules) {
  if (is_infinite(a) || is_infinite(b)) return undefined(Why::special, rules);
  const Precision& p = computed_in(rules);
  const Interval x = seen(a, rules), y = seen(b, rules);
  if (y.contains(0)) return undefined(Why::domain, b.values.is_point(), rules);
  const Interval k = whole(divided(x, y, p));
  if (!k.is_finite()) return undefined(Why::overflow, is_beyond(k, p.format), rules);
  // The operations may be rearranged to x / y - floor(x / y), times y.
  const Interval formula = correctly_rounded(x - correctly_rounded(y * k, p), p);
  const Interval quotient = divided(x, y, p);
  const Interval scaled = correctly_rounded(y * correctly_rounded(quotient - k, p), p);
  Interval values = hull(formula, scaled);
  constexpr double few = 8;
  if (k.high - k.low <= few) {
    // Only what belongs to one of these.
    Interval pieces{HUGE_VAL, -HUGE_VAL};
    for (double n = k.low; n <= k.high; ++n) {
      const Interval piece = correctly_rounded(x - correctly_rounded(y * Interval::point(n), p), p);
      pieces = hull(pieces, piece);
    }
    if (rules.precise || k.low < k.high) values = hull(pieces, Interval::point(0));
    if (k.low < k.high) values = hull(values, y);
  }
  return result(values, rules);
}

Interval sign_of(const Interval& a) {
  const auto of = [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; };
  return {of(a.low), of(a.high)};
}

Interval halves_down(const Interval& a) {
  return {std::ceil(a.low - 0.5), std::floor(a.high + 0.5)};
}

}  // namespace

Allowed operand(const Allowed& allowed, double value, const Rules& rules) {
  if (allowed.kind != Kind::exact) return allowed;
  if (std::isnan(value)) return undefined(Why::special, rules);
  return numbers(Interval::point(value), rules.origin);
}

Allowed negated(const Allowed& a, const Rules& rules) {
  Allowed negative = a;
  negative.values = -flushed(a.values, rules.precision);
  negative.real = -a.real;
  return negative;
}

Allowed add(const Allowed& a, const Allowed& b, const Rules& rules) {
  if (is_infinite(a) || is_infinite(b)) return undefined(Why::special, rules);
  const Expression x = part(a, rules), y = part(b, rules);
  if (!is_leaf(x) || !is_leaf(y)) return kept_whole(expression(x + y, rules), {&a, &b});
  Allowed sum = rounded(seen(a, rules) + seen(b, rules), rules);
  if (sum.kind == Kind::within && !rules.precise) sum.real = noted(x + y, rules);
  return kept_whole(sum, {&a, &b});
}

Allowed subtract(const Allowed& a, const Allowed& b, const Rules& rules) {
  return add(a, negated(b, rules), rules);
}

Allowed multiply(const Allowed& a, const Allowed& b, const Rules& rules) {
  if (is_infinite(a) || is_infinite(b)) return undefined(Why::special, rules);
  const Expression x = part(a, rules), y = part(b, rules);
  if (!is_leaf(x) || !is_leaf(y))
    return kept_whole(expression(product(x, y, a, b), rules), {&a, &b});
  Allowed all = rounded(seen(a, rules) * seen(b, rules), rules);
  if (all.kind == Kind::within && !rules.precise) all.real = noted(x * y, rules);
  return kept_whole(all, {&a, &b});
}

Allowed divide(const Allowed& a, const Allowed& b, const Rules& rules) {
  if (is_infinite(a) || is_infinite(b)) return undefined(Why::special, rules);
  const Precision& p = computed_in(rules);
  const Interval x = seen(a, rules), y = seen(b, rules);
  const double least = p.format.smallest_normal;
  const double size_low = std::min(std::abs(y.low), std::abs(y.high)), size_high = y.magnitude();
  if (y.contains(0) || size_low < least || size_high > 1 / least) {
    const bool all = size_high < least || size_low > 1 / least;
    return undefined(y.contains(0) ? Why::domain : Why::divisor, b.values.is_point() || all, rules);
  }
  const Allowed alone = result(divided(x, y, p), rules);
  if (rules.precise || alone.kind != Kind::within) return alone;
  // As a product with the reciprocal, which is a quotient as well.
  const Interval reciprocal = divided(Interval::point(1), y, p);
  Allowed all = expression(part(a, rules) * leaf(reciprocal), rules);
  if (all.kind != Kind::within) return all;
  all.values = hull(all.values, alone.values);
  return all;
}

Allowed fused(const Allowed& a, const Allowed& b, const Allowed& c, const Rules& rules) {
  if (is_infinite(a) || is_infinite(b) || is_infinite(c)) return undefined(Why::special, rules);
  const Expression x = part(a, rules), y = part(b, rules), z = part(c, rules);
  Allowed all = expression(product(x, y, a, b) + z, rules);
  if (is_leaf(x) && is_leaf(y) && is_leaf(z) && all.kind == Kind::within) {
    // Exactly one rounding, or two.
    const Precision& p = computed_in(rules);
    const Interval exact = seen(a, rules) * seen(b, rules);
    const Interval together = correctly_rounded(exact + seen(c, rules), p);
    const Interval apart = correctly_rounded(correctly_rounded(exact, p) + seen(c, rules), p);
    all.values = hull(together, apart);
  }
  if (rules.precise && all.kind == Kind::within) all.real = leaf(all.values);
  return kept_whole(all, {&a, &b, &c});
}

Allowed mix(const Allowed& a, const Allowed& b, const Allowed& t, const Rules& rules) {
  if (is_infinite(a) || is_infinite(b) || is_infinite(t)) return undefined(Why::special, rules);
  const Expression x = part(a, rules), y = part(b, rules), z = part(t, rules);
  const Expression one = leaf(Interval::point(1));
  Expression all = product(x, one + -z, a, t) + product(y, z, b, t);
  // The enclosure without the repeated variable.
  const Interval other = x.value + (y.value + -x.value) * z.value;
  all.value = {std::max(all.value.low, other.low), std::min(all.value.high, other.high)};
  return expression(all, rules);
}

Allowed radians(const Allowed& a, const Rules& rules) {
  const Interval factor = scale_of(0.017453292519943295, rules.precision.format);
  return multiply(a, numbers(factor, rules.origin), rules);
}
Allowed degrees(const Allowed& a, const Rules& rules) {
  const Interval factor = scale_of(57.29577951308232, rules.precision.format);
  return multiply(a, numbers(factor, rules.origin), rules);
}

Allowed modulo(const Allowed& a, const Allowed& b, const Rules& rules) {
  return rest(a, b, oracle::floor, rules);
}
Allowed remainder(const Allowed& a, const Allowed& b, const Rules& rules) {
  return rest(a, b, oracle::trunc, rules);
}

Allowed absolute(const Allowed& a, const Rules& rules) {
  return kept_whole(moved(abs(seen(a, rules)), rules), {&a});
}
Allowed sign(const Allowed& a, const Rules& rules) {
  return moved_whole(sign_of(seen(a, rules)), rules);
}
Allowed floor(const Allowed& a, const Rules& rules) {
  return moved_whole(oracle::floor(seen(a, rules)), rules);
}
Allowed ceil(const Allowed& a, const Rules& rules) {
  return moved_whole(oracle::ceil(seen(a, rules)), rules);
}
Allowed trunc(const Allowed& a, const Rules& rules) {
  return moved_whole(oracle::trunc(seen(a, rules)), rules);
}
Allowed round(const Allowed& a, const Rules& rules) {
  return moved_whole(halves_down(seen(a, rules)), rules);
}
Allowed round_even(const Allowed& a, const Rules& rules) {
  const Interval x = seen(a, rules);
  return moved_whole({std::nearbyint(x.low), std::nearbyint(x.high)}, rules);
}

Allowed fract(const Allowed& a, const Rules& rules) {
  if (is_infinite(a)) return undefined(Why::special, rules);
  const Interval x = seen(a, rules), whole = oracle::floor(x);
  if (!whole.is_point()) return moved({0, 1}, rules);
  return rounded(x - whole, rules);
}
Allowed fraction(const Allowed& a, const Rules& rules) {
  if (is_infinite(a)) return undefined(Why::special, rules);
  const Interval x = seen(a, rules), whole = oracle::trunc(x);
  if (!whole.is_point()) return moved({x.low < 0 ? -1.0 : 0.0, x.high > 0 ? 1.0 : 0.0}, rules);
  return rounded(x - whole, rules);
}

Allowed minimum(const Allowed& a, const Allowed& b, const Rules& rules) {
  return kept_whole(moved(min(seen(a, rules), seen(b, rules)), rules), {&a, &b});
}
Allowed maximum(const Allowed& a, const Allowed& b, const Rules& rules) {
  return kept_whole(moved(max(seen(a, rules), seen(b, rules)), rules), {&a, &b});
}
Allowed clamp(const Allowed& a, const Allowed& low, const Allowed& high, const Rules& rules) {
  if (seen(low, rules).high > seen(high, rules).low) {
    if (low.values.low > high.values.high) return undefined(Why::domain, rules);
    if (low.values.high > high.values.low) return undefined(Why::domain, false, rules);
  }
  const Interval values = min(max(seen(a, rules), seen(low, rules)), seen(high, rules));
  return kept_whole(moved(values, rules), {&a, &low, &high});
}

Allowed step(const Allowed& edge, const Allowed& a, const Rules& rules) {
  const Answer below = less(a, edge, rules);
  return moved_whole({below == Answer::no ? 1.0 : 0.0, below == Answer::yes ? 0.0 : 1.0}, rules);
}

Allowed smooth_step(const Allowed& edge0, const Allowed& edge1, const Allowed& a,
                    const Rules& rules) {
  if (is_infinite(edge0) || is_infinite(edge1) || is_infinite(a))
    return undefined(Why::special, rules);
  const Interval low = seen(edge0, rules), high = seen(edge1, rules);
  if (low.high >= high.low)
    return undefined(Why::domain, low.low >= high.high || are_points({&edge0, &edge1}), rules);
  return result(oracle::smooth_step(low, high, seen(a, rules), computed_in(rules)), rules);
}

Allowed significand(const Allowed& a, const Rules& rules) {
  if (is_infinite(a)) return undefined(Why::special, rules);
  const Interval x = seen(a, rules);
  int low = 0, high = 0;
  const Interval parts{std::frexp(x.low, &low), std::frexp(x.high, &high)};
  if (x.is_point() || (low == high && (x.low > 0 || x.high < 0))) return moved(parts, rules);
  return moved({x.low < 0 ? -1.0 : 0.0, x.high > 0 ? 1.0 : 0.0}, rules);
}

Allowed scaled(const Allowed& a, double exponent, const Rules& rules) {
  if (is_infinite(a)) return undefined(Why::special, rules);
  const Format& format = rules.precision.format;
  const int most = 2 - format.least_exponent;
  if (exponent > most) return undefined(Why::domain, rules);
  const int by = static_cast<int>(std::max(exponent, -3000.0));
  const Interval x = seen(a, rules);
  Interval values = rounded({std::ldexp(x.low, by), std::ldexp(x.high, by)}, rules).values;
  if (exponent < format.least_exponent) values = hull(values, Interval::point(0));
  return result(values, rules);
}

Allowed apply(const Function& f, const Allowed& a, const Rules& rules) {
  if (is_infinite(a)) return undefined(Why::special, rules);
  const Interval x = seen(a, rules);
  const bool below = f.open_low ? x.low <= f.domain.low : x.low < f.domain.low;
  const bool above = f.open_high ? x.high >= f.domain.high : x.high > f.domain.high;
  if (below || above) {
    const bool all = x.high < f.domain.low || x.low > f.domain.high || a.values.is_point();
    return undefined(Why::domain, all, rules);
  }
  return result(f.of(x, computed_in(rules)), rules);
}

Allowed pow(const Allowed& a, const Allowed& b, const Rules& rules) {
  if (is_infinite(a) || is_infinite(b)) return undefined(Why::special, rules);
  const Interval x = seen(a, rules), y = seen(b, rules);
  if (x.low < 0 || (x.low == 0 && y.low <= 0))
    return undefined(Why::domain, x.high < 0 || are_points({&a, &b}), rules);
  return result(oracle::pow_from_zero(x, y, computed_in(rules)), rules);
}

Allowed atan2(const Allowed& y, const Allowed& x, const Rules& rules) {
  if (is_infinite(y) || is_infinite(x)) return undefined(Why::special, rules);
  const Interval b = seen(y, rules), a = seen(x, rules);
  if (a.contains(0) && b.contains(0)) return undefined(Why::domain, are_points({&x, &y}), rules);
  return result(oracle::atan2(b, a, computed_in(rules)), rules);
}

Answer less(const Allowed& a, const Allowed& b, const Rules& rules) {
  const Interval x = seen(a, rules), y = seen(b, rules);
  return x.high < y.low ? Answer::yes : x.low >= y.high ? Answer::no : Answer::either;
}
Answer less_equal(const Allowed& a, const Allowed& b, const Rules& rules) {
  const Interval x = seen(a, rules), y = seen(b, rules);
  return x.high <= y.low ? Answer::yes : x.low > y.high ? Answer::no : Answer::either;
}
Answer equal(const Allowed& a, const Allowed& b, const Rules& rules) {
  const Interval x = seen(a, rules), y = seen(b, rules);
  if (x.is_point() && x == y) return Answer::yes;
  return x.high < y.low || y.high < x.low ? Answer::no : Answer::either;
}

Allowed converted(const Interval& exact, const Rules& rules) {
  if (!exact.is_finite()) return moved(exact, rules);
  return rounded(flushed(exact, rules.precision), rules);
}

Allowed quantized(const Allowed& a, const Rules& rules) {
  Interval values = correctly_rounded(seen(a, rules), {float16, false});
  // Below the normal numbers only zero is left.
  const auto flush = [](double x) { return std::abs(x) < float16.smallest_normal ? 0.0 : x; };
  values = {flush(values.low), flush(values.high)};
  return moved(values, rules);
}

Allowed to_integer(const Allowed& a, double least, double most, const Rules& rules) {
  const Interval whole = oracle::trunc(seen(a, rules));
  if (whole.low < least || whole.high > most) {
    const bool all = whole.low > most || whole.high < least || a.values.is_point();
    return undefined(Why::domain, all, rules);
  }
  if (whole.is_point()) return {};
  return {.kind = Kind::within, .why = Why::conversion, .origin = rules.origin, .values = whole};
}

}  // namespace lockstep::oracle
